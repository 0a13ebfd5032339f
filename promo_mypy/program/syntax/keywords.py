"""Read the arguments of a call, those of `**options` included, as in `options = {"dtype": dtype}`."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from promo_mypy.program.syntax.scopes import Scopes

#: Arguments of functions on trees that decide no dtype.
_DECIDING_NOTHING: Final = frozenset({"is_leaf"})


def passed(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that may decide a dtype. A starred one is the container that it spreads."""
    positional = [each.value if isinstance(each, ast.Starred) else each for each in call.args]
    return [*positional, *(each.value for each in call.keywords if each.arg not in _DECIDING_NOTHING)]


def keywords(call: ast.Call, scopes: Scopes) -> Sequence[ast.keyword]:
    """The keyword arguments of a call; `arg` is None for `**options` if the module does not spell out what they are."""
    return [found for each in call.keywords for found in ([each] if each.arg is not None else _spread(each, scopes))]


def is_passed_on(options: ast.expr, scopes: Scopes) -> bool:
    """Whether `**options` are those that the function around them is given, which does no more than spread them."""
    if not isinstance(options, ast.Name) or not scopes.binds_plainly(options) or scopes.rebound(options):
        return False
    function = scopes.function_with(options)
    if not isinstance(function, ast.FunctionDef) or function.args.kwarg is None:
        return False
    return function.args.kwarg.arg == options.id and _is_only_spread(options.id, function)


def _spread(spread: ast.keyword, scopes: Scopes) -> Iterator[ast.keyword]:
    written = _written(spread.value, scopes)
    yield from [spread] if written is None else written


def _written(options: ast.expr, scopes: Scopes) -> Sequence[ast.keyword] | None:
    """The items of a display, or of one to which a function binds a variable once, if it only spreads that in calls."""
    if isinstance(options, ast.Dict | ast.Call):
        return _items(options, scopes)
    if not isinstance(options, ast.Name) or not scopes.binds_plainly(options) or scopes.parameter(options) is not None:
        return None
    function, values = scopes.definition(options), scopes.values(options)
    is_known = function is not None and len(values) == 1 and _is_only_spread(options.id, function)
    return _items(values[0], scopes) if is_known else None


def _items(options: ast.expr, scopes: Scopes) -> Sequence[ast.keyword] | None:
    """The items of `{"name": value}`, or of `dict(name=value)`; `arg` is None for one whose name is not written."""
    match options:
        case ast.Dict(keys=keys, values=values):
            names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
            pairs = zip(names, values, strict=True)
            return [ast.keyword(name if isinstance(name, str) else None, value) for name, value in pairs]
        case ast.Call(func=ast.Name(id="dict") as function, args=[], keywords=items) if scopes.is_unbound(function):
            return items
    return None


def _is_only_spread(name: str, function: ast.AST) -> bool:
    """Whether a function only binds a name, and spreads it."""
    spread = {id(each.value) for each in ast.walk(function) if isinstance(each, ast.keyword) and each.arg is None}
    used = (each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name)
    return all(isinstance(each.ctx, ast.Store) or id(each) in spread for each in used)
