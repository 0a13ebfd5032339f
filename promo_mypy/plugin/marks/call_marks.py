"""Mark the result of a call for which the library's types return Any, or an array of unknown dtype."""

from itertools import chain
from typing import Final

from mypy.erasetype import erase_type
from mypy.nodes import CallExpr, IndexExpr, MemberExpr, NameExpr, RefExpr, SymbolNode, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.subtypes import is_same_type
from mypy.types import AnyType, Instance, ProperType, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.marks.overloaded_calls import holds_any, is_any_without_dtypes, stock_type
from promo_mypy.plugin.mypy_api.arguments import CallContext, names_numpy_dtype
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.symbols import is_declared
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_ranks import fits_several_overloads
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.container_types import has_lost_dtype, may_be_anything, without_dtypes
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.plugin.types.walks import members, opened, parts_of

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking

#: Functions that return Any for an argument of type Any.
_BUILTINS: Final = frozenset(f"builtins.{name}" for name in ("abs", "divmod", "pow", "round"))

#: Types that declare their items alone, and Python's numbers, which the marks of scalars are promoted to.
_ITERABLES: Final = frozenset(f"typing.{name}" for name in ("Iterable", "Collection", "Reversible", "Container"))
_NUMBERS: Final = frozenset(f"builtins.{name}" for name in ("int", "float", "complex"))

#: The method that returns an item of an array as a number of Python.
_ITEM: Final = "item"

#: Methods of ufuncs that accept arrays only.
_OF_ARRAYS: Final = frozenset({"accumulate", "reduceat"})


def with_marks(ctx: FunctionContext | MethodContext, answer: Type, session: Session) -> Type:
    """The answer of a hook, with marks for what stock mypy does not infer. A number of Python has none: it is Any."""
    if is_python_number(answer) and _is_item_of_any(ctx):
        return AnyType(TypeOfAny.implementation_artifact)
    if value_marks.never_marked(answer):
        if (
            type(ctx) is MethodContext
            and type(ctx.default_return_type) is Instance
            and value_marks.never_marked(ctx.type)
        ):
            return answer  # most of them
        is_member = _is_any(ctx, session) and _is_of_one_member(ctx)
        return AnyType(TypeOfAny.special_form) if is_member else answer
    memo, found = session.watch.memo, value_marks.without_inner_marks(_marked(ctx, answer, session))
    if is_same_type(answer, ctx.default_return_type):
        memo.answered = (ctx.context, answer)
    elif memo.answered is not None and memo.answered[0] is ctx.context and is_same_type(memo.answered[1], answer):
        # mypy compares the answers for several overloads. If they differ in a mark, it infers no dtype.
        return found if _has_marked(found) else answer
    return found


def _is_item_of_any(ctx: FunctionContext | MethodContext) -> bool:
    """Whether this is `x.item()` of an inferred dtype, and stock mypy infers Any for it."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(ctx, MethodContext) or not isinstance(callee, MemberExpr) or callee.name != _ITEM:
        return False
    owner = callee.expr
    while isinstance(owner, IndexExpr):
        owner = owner.base
    variable = owner.node if isinstance(owner, NameExpr) else None
    if isinstance(variable, Var) and is_declared(variable):
        return False
    return isinstance(get_proper_type(ctx.default_return_type), AnyType) or _is_inferred(ctx.type)


def without_never(ctx: CallContext) -> CallContext:
    """The call with Any as its declared result if mypy infers Never only because of marked values.

    A marked array has every attribute, so it also counts as one of NumPy's nested sequences. Then mypy finds no scalar
    type for `np.max((x, y))`. A marked scalar fits an overload for bools that returns Never, as that of `np.polysub`.
    mypy would take what follows for unreachable.
    """
    if not any(map(_has_marked, chain(*ctx.arg_types))):
        return ctx
    return ctx._replace(default_return_type=AnyType(TypeOfAny.implementation_artifact))


def _has_marked(typ: Type) -> bool:
    """Whether this is a marked value, or a tuple with one at any depth."""
    proper = opened(typ)
    is_tuple = isinstance(proper, Instance) and proper.type.fullname == "builtins.tuple"
    if is_tuple or isinstance(proper, TupleType):
        return any(map(_has_marked, parts_of(proper)))
    return value_marks.is_marked(proper)


def _is_inferred(typ: Type) -> bool:
    """Whether the plugin has inferred a dtype of a value or of one in a tuple."""
    return _has_marked(typ) or value_marks.has_marked_dtype(typ)


def infer_rounded(ctx: FunctionContext, session: Session) -> Type:  # noqa: ARG001 (as every feature)
    """`round(x)` of a marked scalar: stock mypy infers Any, not the int that it is."""
    declared = ctx.default_return_type
    is_any = value_marks.is_any_marked(ctx.arg_types[0]) and not value_marks.is_marked(declared)
    return AnyType(TypeOfAny.implementation_artifact) if is_any and not ctx.arg_types[-1] else declared


def infer_overloaded(ctx: CallContext, declared: Type, fullname: str, session: Session) -> Type:
    """A call of an overloaded function in no table: stock mypy infers Any if a value of Any fits several overloads.

    It may also take another overload: a marked value fits where a number is declared. The functions of an array library
    infer what stock mypy does, unless a dtype is inferred.
    """
    is_inferred = map(_is_inferred, chain(*ctx.arg_types))
    if libraries.is_own(fullname) and not any(is_inferred):
        return declared
    stock = stock_type(ctx, session)
    if stock is None:
        return declared
    if holds_any(stock):
        return AnyType(TypeOfAny.implementation_artifact)
    if libraries.is_own(fullname) and is_same_type(erase_type(declared), stock):
        return declared  # the overloads differ in what they accept
    return declared if is_same_type(without_dtypes(declared), without_dtypes(stock)) else stock


def _marked(ctx: FunctionContext | MethodContext, answer: Type, session: Session) -> Type:
    declared = ctx.default_return_type
    if _is_any(ctx, session):
        if _is_of_one_member(ctx) or (session.watch.memo.scalar_call is ctx.context and _is_of_a_union(ctx)):
            return AnyType(TypeOfAny.special_form)  # the type of the whole call stays a union with Any
        if may_be_anything(answer):
            # To mypy an Any of a special form fits only the first of several overloads, unlike the Any of a stub.
            return answer if isinstance(get_proper_type(answer), AnyType) else AnyType(TypeOfAny.special_form)
        is_new = isinstance(get_proper_type(answer), TupleType) and not isinstance(get_proper_type(declared), TupleType)
        if is_new and not call_checking.is_expected(answer, ctx.api):
            return AnyType(TypeOfAny.special_form)
        return session.marked(answer, value_marks.marked)
    if numpy_scalars.is_scalar_type(declared) and _is_of_a_union(ctx):
        session.watch.memo.scalar_call = ctx.context
    if answer is declared or _is_hidden(ctx, session):
        return answer
    if _is_given_to_iterable(ctx, session) and has_unknown_dtype(declared, session.platform):
        return declared
    return _with_marked_dtypes(answer, declared, session)


def _is_given_to_iterable(ctx: FunctionContext | MethodContext, session: Session) -> bool:
    """Whether mypy expects an iterable of Python's numbers where this array is, now or in its first attempt.

    To mypy the mark of an item is a float where a protocol asks for one. So it would simplify a union of the array and
    `Iterable[float]`, and lose that the items of the array are Any to the stubs.
    """
    memo, expected = session.watch.memo, call_checking.expected_type(ctx.api)
    if expected is not None and any(map(_is_iterable_of_numbers, members(expected))):
        memo.iterable_call = ctx.context
    return memo.iterable_call is ctx.context


def _is_iterable_of_numbers(expected: ProperType) -> bool:
    if not isinstance(expected, Instance) or expected.type.fullname not in _ITERABLES:
        return False
    item = get_proper_type(expected.args[0])
    return isinstance(item, Instance) and item.type.fullname in _NUMBERS


def _is_hidden(ctx: FunctionContext | MethodContext, session: Session) -> bool:
    """Whether the call names the dtype, and only the widened type of the variable that gets the result hides that."""
    opened, call = session.watch.file.opened_types, ctx.context
    if not opened or not isinstance(call, CallExpr) or id(call_checking.expected_type(ctx.api)) not in opened:
        return False
    return names_numpy_dtype(call)


def _fits_scalars_and_arrays(ctx: MethodContext) -> bool:
    """Whether this is a call of a ufunc, or of its `outer`, with an array of inferred or unknown dtype.

    It fits several overloads, for scalars and for arrays. Those of several results return tuples of arrays.
    """
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(callee, MemberExpr) and callee.name in _OF_ARRAYS:
        return False
    is_array = any(library_of(each) is Library.NUMPY for each in members(ctx.default_return_type))
    return is_array and any(map(_has_no_dtype, chain(*ctx.arg_types)))


def _has_no_dtype(typ: Type) -> bool:
    """Whether this is a NumPy array of which stock mypy knows no dtype, or no shape."""
    if value_marks.has_marked_dtype(typ) or fits_several_overloads(typ):
        return True
    return isinstance(numpy_scalars.scalar_of_array(typ), AnyType) and not has_lost_dtype(typ)


def _is_of_one_member(ctx: FunctionContext | MethodContext) -> bool:
    """Whether mypy asks about one member of ArrayLike, such as `complex`: the dtype of the others is unknown."""
    type_of = type_checker.checker(ctx.api).lookup_type_or_none
    for expression, given in zip(chain(*ctx.args), chain(*ctx.arg_types), strict=True):
        if isinstance(get_proper_type(given), UnionType):
            continue
        whole = get_proper_type(type_of(expression))
        if isinstance(whole, UnionType) and any(map(_is_array_like, members(whole))):
            return True
    return False


def _is_of_a_union(ctx: FunctionContext | MethodContext) -> bool:
    """Whether an argument is a union, as `axis` in `np.mean(x, axis=axis)`: mypy joins the results for its members."""
    return any(isinstance(get_proper_type(given), UnionType) for given in chain(*ctx.arg_types))


def _is_array_like(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.module_name.startswith(names.NUMPY_TYPING)


def _with_marked_dtypes(answer: Type, declared: Type, session: Session) -> Type:
    """The answer with a mark on each dtype and each item of a tuple that is unknown in the declared type."""
    one, other = opened(answer), get_proper_type(declared)
    if isinstance(one, TupleType) and isinstance(other, TupleType) and len(one.items) == len(other.items):
        items = [_with_marked_dtypes(*pair, session) for pair in zip(one.items, other.items, strict=True)]
        return one.copy_modified(items=items)
    if isinstance(other, AnyType):
        return session.marked(answer, value_marks.marked)
    if not has_unknown_dtype(declared, session.platform):
        return answer
    found = session.marked(answer, value_marks.with_marked_dtypes)
    is_any = isinstance(numpy_scalars.scalar_of_array(other), AnyType)
    return without_dtypes(found) if is_any and _has_unmarked(found) else found


def _has_unmarked(array: Type) -> bool:
    """Whether an array has several dtypes, not all of them with marks: a class of several widths cannot have one."""
    scalar = numpy_scalars.scalar_of_array(array)
    return isinstance(scalar, UnionType) and not all(map(value_marks.is_marked, scalar.items))


def _is_any(ctx: FunctionContext | MethodContext, session: Session) -> bool:
    """Whether stock mypy infers Any for the call."""
    if isinstance(get_proper_type(ctx.default_return_type), AnyType):
        return True
    if isinstance(ctx, MethodContext):
        receiver = ctx.type
        if value_marks.never_marked(receiver):
            return False
        if value_marks.is_marked(receiver):
            return True
        if isinstance(ctx.context, IndexExpr) and any(map(value_marks.has_marked_dtype, chain(*ctx.arg_types))):
            return library_of(receiver) is Library.NUMPY  # an index of unknown dtype fits several overloads
        follows = isinstance(receiver, Instance) and receiver.type.fullname in names.FUNCTION_OBJECTS
        if follows and _fits_scalars_and_arrays(ctx):
            return True
    else:
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        follows = isinstance(callee, RefExpr) and callee.fullname in _BUILTINS
    if follows and any(value_marks.is_any_marked(types) for types in ctx.arg_types):
        return True
    if isinstance(ctx, FunctionContext):
        return is_any_without_dtypes(ctx, session)
    method = _of_generator(ctx)
    return method is not None and is_any_without_dtypes(ctx, session, method)


def _of_generator(ctx: MethodContext) -> SymbolNode | None:
    """The method of a generator of random numbers: it has overloads for scalars, and for arrays."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(ctx.type, Instance) or ctx.type.type.fullname not in names.NUMPY_GENERATORS:
        return None
    symbol = ctx.type.type.get(callee.name) if isinstance(callee, MemberExpr) else None
    return symbol.node if symbol is not None else None
