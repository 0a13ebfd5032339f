"""Report differences of unsigned integers: below zero they wrap around, so 1 - 2 is 255 in uint8."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy.nodes import CallExpr, ComparisonExpr, Context, Expression, MemberExpr, NameExpr, Node
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.diagnostics.findings import Answers, made, operands_at, operands_text
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.dialects import holds
from promo_mypy.rules.wording.value_remedies import signed_remedy

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

_DIFFERENCES: Final = frozenset({"sub", "isub", "neg"})
_LEAST: Final = frozenset({"min", "amin", "nanmin", "minimum", "fmin"})
_GREATEST: Final = frozenset({"max", "amax", "nanmax", "maximum", "fmax"})
_ORDERING: Final = frozenset({"<", "<=", ">", ">="})


def finding(operator: Operator, answers: Answers, context: Context, api: CheckerPluginInterface) -> "Finding | None":
    """The finding for an operation that may wrap; None for others, and where the code orders the operands."""
    diagnostic = diagnostics.WRAPPING
    if operator.operation not in _DIFFERENCES or not type_checker.is_enabled(api, CODES[diagnostic]):
        return None
    if not all(_may_wrap(values, found.dtypes or frozenset()) for found, values in answers):
        return None
    parts = operands_at(context)
    if _is_ordered(parts) or _is_compared(parts, api):
        return None
    found, values = answers[0]
    dtype = next(iter(found.dtypes or ()))
    return made(
        diagnostic,
        remedy(found.system, dtype, _written(operator, values)),
        parts,
        operands=operands_text(operator, values),
        system=found.system.name,
        result=dtype.name,
    )


def remedy(system: PromotionSystem, dtype: type[dt.Shaped], written: str) -> Remedy:
    """The difference of an unsigned dtype in the smallest signed one that holds it; see `signed_remedy`."""
    signed = [
        each
        for each in system.dtypes
        if each.kind == "i" and holds(each, dtype) and system.resolve("sub", Operand(each), Operand(dtype)) is each
    ]
    return signed_remedy(system.dialect, min(signed, key=lambda each: each.bits, default=None), written)


def _written(operator: Operator, values: Sequence[Value]) -> str:
    if operator.operation == "neg":
        return "-{x}"
    if operator.kind == "inplace":
        return "x = {x} - y"
    return "{x} - y" if values[0].form is not Form.PYTHON else "x - {y}"


def _may_wrap(values: Sequence[Value], results: frozenset[type[dt.Shaped]]) -> bool:
    if not results or not all(issubclass(dtype, dt.UnsignedInteger) for dtype in results):
        return False
    first, last = values[0].literal, values[-1].literal
    # From the largest number every other one can be taken away, and zero from every number.
    largest = max(dtype.maximum for dtype in results)
    return not (first is not None and first >= largest) and not (len(values) == 2 and last == 0)


def _is_ordered(operands: Sequence[Expression]) -> bool:
    """Whether the second operand is the least number of the first, or the first is the greatest of the second."""
    if len(operands) != 2:
        return False
    left, right = operands
    return (
        _is_extreme(right, _LEAST, left)
        or _is_extreme(left, _GREATEST, right)
        or (_function(left) in _GREATEST and _function(right) in _LEAST)
    )


def _is_extreme(call: Expression, functions: frozenset[str], of: Expression) -> bool:
    name = dotted_name(of)
    if name is None or _function(call) not in functions:
        return False
    assert isinstance(call, CallExpr)
    among = [*call.args, *([call.callee.expr] if isinstance(call.callee, MemberExpr) else [])]
    return any(dotted_name(each) == name for each in among)


def _function(call: Expression) -> str | None:
    match call:
        case CallExpr(callee=MemberExpr(name=name) | NameExpr(name=name)):
            return name
        case _:
            return None


def _is_compared(operands: Sequence[Expression], api: CheckerPluginInterface) -> bool:
    """Whether the function orders the operands, or one of them beside a number: it knows which one is larger."""
    names = {name for each in operands if (name := dotted_name(each)) is not None}
    place: Node = type_checker.current_function(api) or type_checker.tree(api)
    return bool(names) and any(
        names <= {dotted_name(each) for each in node.operands}
        for node in nodes(place)
        if isinstance(node, ComparisonExpr) and not _ORDERING.isdisjoint(node.operators)
    )
