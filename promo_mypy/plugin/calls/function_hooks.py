"""Find the hooks of registry functions and methods when mypy asks for them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import AttributeContext, MethodContext
from mypy.typeops import make_simplified_union
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.calls import named_tuples, registry_calls
from promo_mypy.plugin.calls.arguments.ranked_arguments import rank_of_call
from promo_mypy.plugin.calls.fill import declared_type, filled, receiver_of
from promo_mypy.plugin.calls.function_rows import FunctionRows
from promo_mypy.plugin.calls.preserved_dtype import kept_array
from promo_mypy.plugin.calls.registry_calls import infer_call
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Row

Hook = Callable[[Any], Type]


class FunctionHooks:
    """Maps mypy's name of a function or method to the hook that infers its calls."""

    def __init__(self, session: Session) -> None:
        self.rows = FunctionRows(session.symbols)
        self._session = session
        self._functions: dict[str, Hook] = {}
        self._methods: dict[str, Hook | None] = {}

    def function(self, fullname: str) -> Hook | None:
        """The hook of a function. A miss is not cached: the module that names the function may be read later."""
        hook = self._functions.get(fullname)
        if hook is None:
            row = self.rows.function(fullname)
            if row is not None:
                hook = self._functions[fullname] = guarded(
                    partial(registry_calls.infer_function, row=row), self._session
                )
        return hook

    def method(self, fullname: str) -> Hook | None:
        """The hook of a method of an array class, of another class of a library, or of a class that inherits it."""
        if fullname not in self._methods:
            self._methods[fullname] = self._method(fullname)
        return self._methods[fullname]

    def attribute(self, fullname: str) -> Hook | None:
        """The hook of an attribute of an array class or a named tuple, by the class that defines it."""
        row = self.rows.attribute(fullname)
        if row is not None:
            return guarded(partial(_infer_attribute, row=row), self._session)
        symbols = self._session.symbols
        field = named_tuples.field(fullname, symbols)
        if field is None:
            is_of_tuple = named_tuples.is_named_tuple(fullname.rpartition(".")[0], symbols)
            return guarded(named_tuples.infer_property, self._session) if is_of_tuple else None
        return guarded(partial(named_tuples.infer_field, of=field), self._session)

    def drop_cache(self) -> None:
        """Drop the cache: the base classes of a class may have changed."""
        self._methods.clear()

    def _method(self, fullname: str) -> Hook | None:
        # A random number generator counts as an argument of unknown type.
        row = self.rows.method(fullname) or self.rows.function(fullname)
        return None if row is None else guarded(partial(registry_calls.infer_method, row=row), self._session)


def _infer_attribute(ctx: AttributeContext, row: Row, session: Session) -> Type:
    """The attribute of each array that the object may be.

    For a union mypy calls the hook once for each member, and passes the union, not the member. The answer is for all
    members of the row's library.
    """
    if ctx.is_lvalue:
        return ctx.default_attr_type
    session.watch.follow(ctx.api)
    arrays = members(ctx.type)
    if BY_PACKAGE[row.library] is Library.NUMPY:
        return _of_ndarray(ctx, arrays[0], row, session) if len(arrays) == 1 else ctx.default_attr_type
    results = [_of_array(ctx, array, row, session) for array in arrays if _is_of(array, BY_PACKAGE[row.library])]
    return make_simplified_union(results) if results else ctx.default_attr_type


def _is_of(typ: Type, library: Library) -> bool:
    receiver = receiver_of(typ)
    return receiver is not None and receiver.library is library


def _of_array(ctx: AttributeContext, array: Type, row: Row, session: Session) -> Type:
    declared, rank = ctx.default_attr_type, rank_of_call(row, (), array, ctx.api)
    kept = kept_array(row, (), array)
    if kept is not None:
        if kept.dtypes is not None:
            declared = declared_type(declared, kept.library, session)
        return filled(declared, kept.argument, rank, session)
    receiver = receiver_of(array)
    dtypes = receiver.dtypes if receiver is not None else None
    if receiver is not None and dtypes and isinstance(row.rule, Converted) and not row.rule.touches(dtypes):
        # A category stays a category.
        return filled(declared_type(declared, receiver.library, session), receiver.argument, rank, session)
    found = answers_of(row, (), array, session, ctx.api)
    answers = () if found is None else found.answers
    return typed(answers, declared, BY_PACKAGE[row.library], session, scalar=False, rank=rank)


def _of_ndarray(ctx: AttributeContext, array: Type, row: Row, session: Session) -> Type:
    """The attribute where NumPy's stubs have no dtype: unions and `np.number`."""
    declared = ctx.default_attr_type
    if library_of(declared) is not Library.NUMPY or read(declared, session.platform) is not None:
        return declared
    found = answers_of(row, (), array, session, ctx.api)
    return declared if found is None else typed(found.answers, declared, Library.NUMPY, session, scalar=False)


def infer_wrapped(ctx: MethodContext, session: Session, *, rows: FunctionRows) -> Type:
    """The call of a method that `functools.wraps` decorates, such as `x.map_blocks(f, dtype=bool)` of a Dask array.

    mypy takes it for an attribute that is called, and asks for `__call__` of its class.
    """
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, MemberExpr):
        return ctx.default_return_type
    receiver = get_proper_type(ctx.api.get_expression_type(callee.expr))
    if not isinstance(receiver, Instance):
        return ctx.default_return_type
    row = rows.method(f"{receiver.type.fullname}.{callee.name}")
    return ctx.default_return_type if row is None else infer_call(ctx, row, receiver, session)
