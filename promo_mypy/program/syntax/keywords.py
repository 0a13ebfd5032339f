"""Read the keyword arguments of a call, those of `**options` included, as in `options = {"dtype": dtype}`."""

import ast
from collections.abc import Iterator, Sequence

from promo_mypy.program.syntax.scopes import Scopes


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
    written = _display(spread.value, scopes)
    for key, value in zip(written.keys, written.values, strict=True) if written is not None else ():
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        yield ast.keyword(name, value)
    if written is None:
        yield spread


def _display(options: ast.expr, scopes: Scopes) -> ast.Dict | None:
    """The display to which a function binds a variable once, if it only spreads that in calls."""
    if isinstance(options, ast.Dict):
        return options
    if not isinstance(options, ast.Name) or not scopes.binds_plainly(options) or scopes.parameter(options) is not None:
        return None
    function, values = scopes.definition(options), scopes.values(options)
    is_known = function is not None and len(values) == 1 and _is_only_spread(options.id, function)
    return values[0] if is_known and isinstance(values[0], ast.Dict) else None


def _is_only_spread(name: str, function: ast.AST) -> bool:
    """Whether a function only binds a name, and spreads it."""
    spread = {id(each.value) for each in ast.walk(function) if isinstance(each, ast.keyword) and each.arg is None}
    used = (each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name)
    return all(isinstance(each.ctx, ast.Store) or id(each) in spread for each in used)
