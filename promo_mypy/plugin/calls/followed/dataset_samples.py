"""Infer the samples of a user's dataset whose `__getitem__` declares no dtypes, by checking its body aside.

The class must be in the file, and the dataset must be made by a call of it: a subclass may have samples of its own.
"""

from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, NameExpr, RefExpr, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, Type
from mypy.typevars import fill_typevars

from promo_mypy.plugin.calls.followed.called_bodies import is_small
from promo_mypy.plugin.calls.followed.open_types import is_unknown
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions

with late():
    from promo_mypy.plugin.mypy_api.checker import body_checking

_PARAMETERS: Final = 2
"""Those of `__getitem__`: the dataset and an index."""
_UNDER_WAY: Final[list[FuncDef]] = []


def own_sample(dataset: Expression, session: Session, api: CheckerPluginInterface) -> Type | None:
    """The one type of all samples of a dataset; None if it is unknown."""
    made, current = _made(dataset, api), checker(api)
    method = made.names.get("__getitem__") if made is not None else None
    function = method.node if method is not None else None
    if made is None or not has_body(function, current.tree) or function in _UNDER_WAY:
        return None
    if not _is_open(function, session.platform):
        return None
    receiver = fill_typevars(made)
    if not isinstance(receiver, Instance) or receiver.args or len(function.arguments) != _PARAMETERS:
        return None
    _UNDER_WAY.append(function)
    try:
        with session.watch.aside():
            index = api.named_generic_type("builtins.int", [])
            found = body_checking.returned_types(current, function, current.tree, [receiver, index])
    finally:
        _UNDER_WAY.pop()
    return found[0] if found and all(typ == found[0] for typ in found) else None


def _made(dataset: Expression, api: CheckerPluginInterface) -> TypeInfo | None:
    """The class that a call makes the dataset of, also behind a name that is bound to it once."""
    if isinstance(dataset, NameExpr) and isinstance(dataset.node, Var):
        values = definitions(checker(api).tree).values(dataset.node)
        dataset = values[0] if values is not None and len(values) == 1 else dataset
    callee = dataset.callee if isinstance(dataset, CallExpr) else None
    return callee.node if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo) else None


def _is_open(function: FuncDef, platform: str) -> bool:
    """Whether a short method declares no result, or one of unknown dtype."""
    signature = function.type
    is_plain = not function.is_generator and not function.is_coroutine and is_small(function)
    if not isinstance(signature, CallableType):
        return signature is None and is_plain
    return is_plain and is_unknown(signature.ret_type, platform)
