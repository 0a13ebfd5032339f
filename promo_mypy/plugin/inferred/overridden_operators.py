"""Report the methods that override an operator of an array class incompatibly, as stock mypy does.

The plugin gives array classes operators that accept everything (`generic_arrays`), so that any override fits them.
After each override an inserted call asks whether stock mypy rejects it.
"""

from collections.abc import Iterator, Mapping

from mypy import errorcodes
from mypy.nodes import ClassDef, FakeInfo, MypyFile, StrExpr
from mypy.plugin import FunctionContext

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.inferred.inserted_calls import called_function
from promo_mypy.plugin.mypy_api.checker.nested_checks import repeat
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.trees.file_parts import Function
from promo_mypy.plugin.trees.file_texts import may_have
from promo_mypy.plugin.trees.syntax_trees import placed_statements
from promo_mypy.plugin.types.generic_arrays import REPLACED


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each method that overrides an operator which the plugin has replaced."""
    function = called_function(modules)
    if function is not None and may_have(tree, REPLACED):
        for method, owner in list(_overriding(tree)):
            call_after(owner.defs.body, method, method, function)


def _overriding(tree: MypyFile) -> Iterator[tuple[Function, ClassDef]]:
    """The methods that override such an operator, each with its class."""
    for node, _, classes in placed_statements(tree.defs):
        if isinstance(node, Function) and node.name in REPLACED and classes and node in classes[-1].defs.body:
            info = classes[-1].info  # mypy analyses no class that it does not reach
            bases = () if isinstance(info, FakeInfo) else info.mro[1:]
            if any(names.STOCK_PREFIX + node.name in base.names for base in bases):
                yield node, classes[-1]


def check(ctx: FunctionContext) -> None:
    """The inserted call: report the method before it, with mypy's notes, if stock mypy rejects it as an override."""
    (name,), line = ctx.args[0], ctx.context.line
    if not is_inserted(ctx.context) or not isinstance(name, StrExpr) or name.value not in REPLACED:
        return
    current, stock = checker(ctx.api), stock_checks(ctx.api)
    method = next((each for each, _ in _overriding(current.tree) if each.line == line), None)
    if stock is not None and method is not None:
        errors = (each for each in stock.at(line).errors if line <= each.line <= (method.end_line or line))
        repeat(current, [each for each in errors if each.code is errorcodes.OVERRIDE])
