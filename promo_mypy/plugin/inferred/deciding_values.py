"""Find the values of a variable from which stock mypy infers its type at a line."""

from collections.abc import Callable, Sequence

from mypy.nodes import ConditionalExpr, Expression

from promo_mypy.plugin.trees.expressions import is_none


def deciding(values: Sequence[Expression], line: int) -> Sequence[Expression]:
    """The values that a variable gets first and last above a line: stock mypy infers its type there from one of them.

    Without a value above the line, a loop or function comes back to it, and each value may be the last.
    """
    known = [each for each in values if not is_none(each)]
    above = [each for each in known if each.line < line]
    return [known[0], above[-1]] if above else known


def any_decides(values: Sequence[Expression], line: int, is_any: Callable[[Expression], bool]) -> bool:
    """Whether one of the values that decide at a line makes a variable Any there. `is_any`: that of a value.

    mypy narrows a union with Any, which it infers for a condition, to the type of the last value.
    """
    found = deciding(values, line)
    match found:
        case [ConditionalExpr(if_expr=one, else_expr=other) as first, last] if last is not first:
            return (is_any(one) and is_any(other)) or is_any(last)
        case _:
            return any(map(is_any, found))
