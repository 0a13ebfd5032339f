"""Build the cache key of a call: what its result depends on. Calls with equal keys share one result.

mypy asks about one call for each overload that may fit, and the calls of a file are much alike. The type of an array is
enough. Of a display the key has the items, of a string or float the value, and of a variable the dtypes that it names.
A call has no key if its result may depend on more, such as the types inside a comprehension.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    ComparisonExpr,
    ComplexExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeAlias,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, NoneType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import constant_dtype, dtypes_named
from promo_mypy.plugin.calls.arguments.length_hooks import with_lengths
from promo_mypy.plugin.calls.arguments.numbers_as_arrays import is_made_of_number
from promo_mypy.plugin.calls.arguments.replaced_options import may_hold_dtype
from promo_mypy.plugin.calls.arguments.shape_ranks import rank_of_sizes
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type, folded, tree
from promo_mypy.plugin.state.caches import Question
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.written_floats import written_float
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.records import record

# Expressions of numbers of which the rules read only the type.
_SIMPLE: Final = (NameExpr, MemberExpr, IntExpr, FloatExpr, IndexExpr, ComparisonExpr)


#: Calls of which the rules read more than their type.
_READ: Final = frozenset({*names.DTYPE_CONSTRUCTORS, "builtins.list", "builtins.tuple"})


def question_of(ctx: CallContext, row: Row, receiver: Type | None, session: Session) -> Question | None:
    """What the result depends on, besides the declared type; None if that is too much to compare."""
    question: list[object] = [row, receiver and session.canonical(receiver)]
    library = BY_PACKAGE.get(row.library)
    reader = None if library is None or library is Library.JAX else _Reader(ctx, library, session)
    asks_rank = library is Library.NUMPY and row.rule.asks_rank(session.own_system(library, ctx.api))
    for types, expressions, kinds, keywords in zip(ctx.arg_types, ctx.args, ctx.arg_kinds, ctx.arg_names, strict=True):
        # Most parameters get no argument.
        if not types:
            continue
        for typ, expression, kind, keyword in zip(types, expressions, kinds, keywords, strict=True):
            if kind is not ARG_POS and kind is not ARG_NAMED:
                return None
            if asks_rank and is_made_of_number(expression, ctx.api):
                return None
            if _is_enough(typ, expression):
                # The type of a float does not show its value, and a function may reject a value that does not fit.
                written = written_float(expression)
                question += (keyword, session.canonical(typ) if written is None else written)
                continue
            # JAX reports a dtype that it truncates.
            found = constant_dtype(expression) if reader is None else reader.key_of(expression, typ)
            if found is None:
                return None
            question += (keyword, found)
    return tuple(question)


def _is_enough(declared: Type, expression: Expression) -> bool:
    """Whether the rules read only the type of an argument, and the value of a float."""
    typ = get_proper_type(declared)
    if not isinstance(typ, Instance):
        return isinstance(typ, NoneType)
    return library_of(typ) is not None or (is_number(typ) and isinstance(expression, _SIMPLE))


@record
class _Reader:
    """Reads what the code shows of an argument beside its type."""

    ctx: CallContext
    library: Library
    session: Session

    def key_of(self, expression: Expression, declared: Type) -> object | None:
        """All that the rules may read of the argument; None if that cannot be compared."""
        api = self.ctx.api
        shown = self._shown(expression, declared)
        if shown is None:
            return None
        whole = get_proper_type(expression_type(checker(api), expression))
        # mypy asks about one member of a union after another.
        union = whole if isinstance(whole, UnionType) else None
        known = with_lengths(expression, declared, self.session, api)
        sizes = rank_of_sizes(expression, api) if self.library is Library.TORCH else None
        return shown, self.session.canonical(known), known is declared, union, sizes

    def _shown(self, expression: Expression, declared: Type) -> object | None:
        match expression:
            case ListExpr(items=items) | TupleExpr(items=items):
                return self._items(items)
            case StrExpr(value=value) | FloatExpr(value=value) | ComplexExpr(value=value):
                return value
            case OpExpr() | UnaryExpr():
                return folded(self.ctx.api, expression), written_float(expression)
            case MemberExpr(name="dtype") if not expression.fullname:
                return None
            case RefExpr():
                return self._named(expression, declared), written_float(expression)
            case CallExpr(callee=RefExpr(fullname="builtins.float")):
                return (written_float(expression),)
            case CallExpr(callee=RefExpr(fullname=name)) if name in _READ:
                return None
            case ListComprehension() | ConditionalExpr() | StarExpr():
                return None
            case _:
                return ()

    def _named(self, reference: RefExpr, declared: Type) -> object:
        """The symbol that names a dtype, or the dtypes that a variable names; empty for other references."""
        node, api = reference.node, self.ctx.api
        if isinstance(node, TypeInfo | TypeAlias) or constant_dtype(reference) is not None:
            return node
        if may_hold_dtype(reference, declared, api):
            return ("option or dtype",)
        is_local = isinstance(node, Var) and "." not in node.fullname
        if not isinstance(node, Var) or (is_local and not definitions(tree(api)).values(node)):
            return ()
        return (dtypes_named(reference, declared, self.library, self.session, api),)

    def _items(self, items: Sequence[Expression]) -> object | None:
        """The keys of the items of a display."""
        current = checker(self.ctx.api)
        keys: list[object] = []
        places: dict[object, int] = {}
        for place, item in enumerate(items):
            typ = expression_type(current, item)
            key = None if typ is None else self.key_of(item, typ)
            if key is None:
                return None
            # A variable that occurs twice has one dtype.
            keys += key, places.setdefault(item.node if isinstance(item, NameExpr) else item, place)
        return tuple(keys)
