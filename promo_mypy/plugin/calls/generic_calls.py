"""Keep the dtype that a user's generic function returns where an array of any dtype is expected.

In `y: torch.Tensor = same(x)` mypy solves the type variable of `def same(x: T) -> T` to the expected `Tensor`, which
has no dtype. The arguments alone decide here, as they do without an expected type.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

from mypy.nodes import Decorator, FuncBase, SymbolNode
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, FunctionLike, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.session import Session

with late():
    from promo_mypy.plugin.mypy_api import call_checking

Hook = Callable[[Any], FunctionLike]
#: mypy's own plugin has hooks for functions of the standard library and of attrs.
_LEFT_ALONE: Final = (sys.stdlib_module_names | {"attr", "attrs"}) - {"copy"}


def infer_signature(
    ctx: FunctionSigContext | MethodSigContext,
    session: Session,  # noqa: ARG001 (as every feature)
) -> FunctionLike:
    """The declared signature; the expected type is dropped if it is an array class without a dtype."""
    call_checking.drop_array_context(ctx.api)
    return ctx.default_signature


def hook(generic: Hook, symbols: Symbols, fullname: str) -> Hook | None:
    """The hook of generic functions, if this is one."""
    return generic if is_generic(fullname, symbols) else None


def is_generic(fullname: str, symbols: Symbols) -> bool:
    """Whether this is a user's function or method whose arguments decide all type variables of its result."""
    package = fullname.partition(".")[0]
    if package in _LEFT_ALONE or is_own(fullname):
        return False
    node = _declared(fullname, symbols)
    typ = get_proper_type(node.type) if isinstance(node, FuncBase | Decorator) else None
    return isinstance(typ, CallableType) and bool(typ.variables) and _is_decided(typ)


def _declared(fullname: str, symbols: Symbols) -> SymbolNode | None:
    """The function of that name. A method may be inherited."""
    owner, _, name = fullname.rpartition(".")
    info = symbols.info(owner)
    if info is None:
        return symbols.node(fullname)
    symbol = info.get(name)
    return symbol.node if symbol is not None else None


def _is_decided(function: CallableType) -> bool:
    """Whether each type variable of the result is the type of one parameter, and stands in no other.

    Of several arguments mypy infers the join, and the expected type says which one.
    """
    given = [variable for argument in function.arg_types for variable in get_all_type_vars(argument)]
    plain = [variable for variable in map(get_proper_type, function.arg_types) if variable in given]
    results = get_all_type_vars(function.ret_type)
    return bool(results) and all(each in plain and given.count(each) == 1 for each in results)
