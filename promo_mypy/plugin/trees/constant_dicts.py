"""Find the value of a key in a dict that is written out and never changes: `d["w"]` after `d = {"w": x, "b": y}`."""

from mypy.nodes import DictExpr, Expression, IndexExpr, IntExpr, MypyFile, NameExpr, StrExpr, Var

from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.read_variables import read_variables


def value_at(index: IndexExpr, tree: MypyFile) -> Expression | None:
    """The expression that an item of such a dict is; None for other items."""
    variable = index.base.node if isinstance(index.base, NameExpr) else None
    key = _key(index.index)
    if not isinstance(variable, Var) or key is None:
        return None
    values = definitions(tree).values(variable)
    display = values[0] if values is not None and len(values) == 1 else None
    if not isinstance(display, DictExpr) or variable not in read_variables(tree).variables:
        return None
    keys = [None if each is None else _key(each) for each, _ in display.items]
    found = [value for each, (_, value) in zip(keys, display.items, strict=True) if each == key]
    return found[0] if None not in keys and len(found) == 1 else None


def _key(expression: Expression) -> str | int | None:
    return expression.value if isinstance(expression, StrExpr | IntExpr) else None
