"""Report the methods that override an operator of an array class incompatibly, as stock mypy does.

The plugin gives array classes operators that accept everything (`generic_arrays`), so that any override fits them.
After each override an inserted call asks whether stock mypy rejects it.
"""

from collections.abc import Iterator, Mapping

from mypy import errorcodes
from mypy.nodes import ClassDef, FakeInfo, MypyFile, StrExpr, TypeInfo
from mypy.plugin import FunctionContext

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.inferred.inserted_calls import called_function
from promo_mypy.plugin.mypy_api.checker.nested_checks import repeat
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.file_parts import Function
from promo_mypy.plugin.types.generic_arrays import REPLACED


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each method that overrides an operator which the plugin has replaced."""
    found, function = list(_overriding(tree)), called_function(modules)
    if function is not None:
        for method, owner in found:
            call_after(owner.defs.body, method, method, function)


def _overriding(tree: MypyFile) -> Iterator[tuple[Function, ClassDef]]:
    """The methods that override such an operator, each with its class."""
    for cls in definitions(tree).classes:
        if isinstance(cls.info, FakeInfo):
            continue  # mypy analyses no class that it does not reach
        overridden = {name for name in cls.info.names.keys() & REPLACED if _is_replaced(name, cls.info)}
        for node in cls.defs.body if overridden else ():
            if isinstance(node, Function) and node.name in overridden:
                yield node, cls


def _is_replaced(method: str, info: TypeInfo) -> bool:
    return any(names.STOCK_PREFIX + method in base.names for base in info.mro[1:])


def check(ctx: FunctionContext) -> None:
    """The inserted call: report the method before it, with mypy's notes, if stock mypy rejects it as an override."""
    (name,), line = ctx.args[0], ctx.context.line
    if not is_inserted(ctx.context) or not isinstance(name, StrExpr) or name.value not in REPLACED:
        return
    current, stock = checker(ctx.api), stock_checks(ctx.api)
    method = next((each for each, _ in _overriding(current.tree) if each.line == line), None)
    if stock is not None and method is not None:
        lines = range(line, (method.end_line or line) + 1)
        repeat(current, stock.at(line).found(lines, {errorcodes.OVERRIDE}, with_notes=True))
