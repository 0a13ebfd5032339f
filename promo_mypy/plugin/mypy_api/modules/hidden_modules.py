"""Show mypy the modules that a library loads by `__getattr__`, as `array_api_strict` does with `linalg`.

To mypy `xp.linalg` is some module, and `xp.linalg.det` is Any. The plugin binds `xp.linalg.det` to the function in the
syntax tree of a file that mypy is about to check. mypy binds names anew before it checks the file again.
(tests/plugin/calls/test_registry_calls.py)
"""

from typing import Final

from mypy.nodes import GDEF, MemberExpr, MypyFile, RefExpr

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import nodes

_MENTIONS: Final = tuple(f".{name.rpartition('.')[2]}." for name in names.HIDDEN_MODULES)


def bind_members(tree: MypyFile, symbols: Symbols) -> None:
    """Bind the members of hidden modules that a file mentions."""
    if symbols.info(names.STRICT_ARRAY) is None or not file_texts.may_have(tree, _MENTIONS):
        return
    for node in nodes(tree.defs):
        if not isinstance(node, MemberExpr) or not isinstance(node.expr, MemberExpr):
            continue
        package = node.expr.expr
        hidden = names.HIDDEN_MODULES.get(
            f"{package.fullname}.{node.expr.name}" if isinstance(package, RefExpr) else ""
        )
        found = symbols.node(f"{hidden}.{node.name}") if hidden is not None else None
        if found is not None:
            node.node, node.kind, node.fullname = found, GDEF, found.fullname
