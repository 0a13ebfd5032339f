"""Report chains of one associative operator (`a + b + c`) whose dtype depends on the grouping."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import Context, Expression, OpExpr
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.diagnostics.findings import array_dtypes, dtypes_text, made, value_text
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.promotion import Answer, answer
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value, read
from promo_mypy.rules.operators import ASSOCIATIVE, Operator
from promo_mypy.rules.wording import diagnostics

# The groupings of n operands are computed in O(n^3) steps. Longer chains are sums over data.
LONGEST: Final = 8

Outcomes = frozenset[Value | None]  # None: rejected


def report(operator: Operator, found: Answer, context: Context, session: Session, api: CheckerPluginInterface) -> bool:
    """Report a chain whose dtype another grouping would change, once: at the smallest chain that shows it.

    Return whether there was a report.
    """
    code = CODES[diagnostics.NONASSOCIATIVE]
    if operator.operation not in ASSOCIATIVE or not isinstance(context, OpExpr):
        return False
    leaves = _leaves(context, context.op)
    if not 3 <= len(leaves) <= LONGEST or not type_checker.is_enabled(api, code) or not found.dtypes:
        return False
    values = [_value(leaf, session, api) for leaf in leaves]
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return False
    table = _groupings(operator.operation, known, session, api)
    if table is None or any(_differ(table[part]) for part in _written_parts(context, context.op)):
        return False
    others = {value.dtypes if value is not None else None for value in table[0, len(known)]} - {found.dtypes}
    if not others:
        return False
    there = sorted("rejected" if dtypes is None else dtypes_text(array_dtypes(dtypes)) for dtypes in others)
    finding = made(
        diagnostics.NONASSOCIATIVE,
        "cast the operands to one dtype first, or group them with parentheses and say why",
        operands=f" {operator.symbol} ".join(value_text(value) for value in known),
        system=found.system.name,
        here=dtypes_text(found.dtypes),
        there=" or ".join(there),
    )
    type_checker.report(api, finding, context)
    return True


def _leaves(expression: Expression, op: str) -> list[Expression]:
    if isinstance(expression, OpExpr) and expression.op == op:
        return [*_leaves(expression.left, op), *_leaves(expression.right, op)]
    return [expression]


def _written_parts(expression: OpExpr, op: str) -> list[tuple[int, int]]:
    """The spans of three or more leaves that the code groups inside the whole chain."""
    spans: list[tuple[int, int]] = []

    def visit(node: Expression, start: int) -> int:
        if not (isinstance(node, OpExpr) and node.op == op):
            return start + 1
        end = visit(node.right, visit(node.left, start))
        if node is not expression and end - start >= 3:
            spans.append((start, end))
        return end

    visit(expression, 0)
    return spans


def _value(expression: Expression, session: Session, api: CheckerPluginInterface) -> Value | None:
    typ = type_checker.expression_type(type_checker.checker(api), expression)
    values = read(typ, session.platform) if typ is not None else None
    return values[0] if values is not None and len(values) == 1 else None


def _groupings(
    operation: str, leaves: Sequence[Value], session: Session, api: CheckerPluginInterface
) -> dict[tuple[int, int], Outcomes] | None:
    """Span of leaves -> every value that some grouping of it gives; None if one of them is unknown to the rules."""
    table: dict[tuple[int, int], Outcomes] = {
        (position, position + 1): frozenset({leaf}) for position, leaf in enumerate(leaves)
    }
    for length in range(2, len(leaves) + 1):
        for start in range(len(leaves) - length + 1):
            end = start + length
            outcomes: set[Value | None] = set()
            for middle in range(start + 1, end):
                for left in table[start, middle]:
                    for right in table[middle, end]:
                        if left is None or right is None:
                            outcomes.add(None)
                            continue
                        found = answer(operation, (left, right), session, api)
                        if found is None or found.dtypes is None:
                            return None
                        outcomes.add(_as_value(found, left, right))
            table[start, end] = frozenset(outcomes)
    return table


def _as_value(found: Answer, left: Value, right: Value) -> Value | None:
    if not found.dtypes:
        return None
    base = left if left.library is found.library and left.is_array else right
    return replace(base, dtypes=found.dtypes, rank=found.rank, literal=None)


def _differ(outcomes: Outcomes) -> bool:
    return len({value.dtypes if value is not None else None for value in outcomes}) > 1
