"""Every step outside mypy's public plugin surface, with its reason and the test that guards it.

mypy's plugin interface promises `api.fail`, `api.get_expression_type` and class look-up. What follows goes further:

- `report`: mypy checks `a + b` as `a.__add__(b)` and then `b.__radd__(a)` with errors captured, and discards the
  result of the side that failed. A diagnostic of ours is no reason to try the other side, so it is reported past the
  watchers that capture errors. (tests/plugin/test_routes.py)
- `stock_operator`: the original overloads of an operator of ndarray, bound to its receiver.
  (tests/plugin/test_stock_fallback.py)
- `module_name`: the module being checked, for per-module options. (tests/plugin/test_options.py)
"""

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, Instance, get_proper_type

from promo_mypy.plugin import names


def checker(api: CheckerPluginInterface) -> TypeChecker:
    """The type checker behind the plugin interface; it has no other implementation."""
    assert isinstance(api, TypeChecker)
    return api


def module_name(api: CheckerPluginInterface) -> str:
    """The full name of the module that is being checked."""
    return checker(api).tree.fullname


def is_enabled(api: CheckerPluginInterface, code: ErrorCode) -> bool:
    """Whether mypy would show an error of that code in the file that is being checked."""
    return checker(api).errors.is_error_code_enabled(code)


def report(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode) -> None:
    """Report past every watcher that would capture or discard the error."""
    errors = checker(api).errors
    watchers = errors._watchers
    errors._watchers = [watcher for watcher in watchers[:1] if watcher is _filter_of(errors)]
    try:
        api.fail(message, context, code=code)
    finally:
        errors._watchers = watchers


def _filter_of(errors: object) -> object:
    return None


def stock_operator(api: CheckerPluginInterface, array: Instance, name: str, context: Context) -> FunctionLike | None:
    """The overloads that NumPy's stubs give that operator, bound to `array`; None if they are not there."""
    found = checker(api).expr_checker.lookup_operator(names.STOCK_PREFIX + name, array, context)
    if found is None:
        return None
    proper = get_proper_type(found)
    return proper if isinstance(proper, FunctionLike) else None
