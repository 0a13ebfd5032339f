"""Trace an expression of a forbidden dtype back to the place that the dtype comes from.

A computed value has its dtype from its operand: `x[0]`, `x.T`, `np.sqrt(x)`, `x * 2`. Traced back that way, a value
ends at an annotation or an expression of the module, which is reported in its own place, or at a source that only an
operator can report: an imported name, or a call of a function that the plugin does not know.
"""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncBase,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    SymbolNode,
    UnaryExpr,
    Var,
)
from mypy.types import FunctionLike, Type, get_proper_type

from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_unannotated
from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.rules.records import record

#: A source: a variable from another module, or the call of an unknown function.
Source = Expression | Var

# A value computed from a value computed from ...: longer chains are cycles.
_LONGEST: Final = 32
# What is bound in these ways has its dtype from the value: that of an element or item is that of the whole.
_PASSED_ON: Final = (Way.VALUE, Way.ELEMENT)


@record
class Sources:
    """Traces values back in one file.

    Attributes:
        tree: the file.
        type_of: mypy's type of an expression in it.
        carries: whether an expression certainly has a forbidden dtype.
        is_reported: whether an expression was reported already.
    """

    tree: MypyFile
    type_of: Callable[[Expression], Type | None]
    carries: Callable[[Expression], bool]
    is_reported: Callable[[Source], bool]

    def origin_of(self, expression: Expression) -> Source | None:
        """The source of a value that no other check reports; None if the dtype comes from a reported place."""
        return self._follow(expression, _LONGEST)

    def _follow(self, expression: Expression, steps: int) -> Source | None:
        if steps == 0 or self.is_reported(expression):
            return None
        match expression:
            case NameExpr():
                return self._of_variable(expression.node, steps)
            case MemberExpr() if not self.carries(expression.expr):
                return self._of_variable(
                    expression.node or attribute_of(self.type_of(expression.expr), expression.name), steps
                )
            case CallExpr(analyzed=None):
                parts = [part for part in self._inside(expression) if self.carries(part)]
                if not parts and not self._is_reported_call(expression):
                    return expression
                return self._first(parts, steps)
            case OpExpr() | UnaryExpr():
                return self._first([part for part in operands_of(expression) if self.carries(part)], steps)
            case ConditionalExpr():
                branches = (expression.if_expr, expression.else_expr)
                return self._first([part for part in branches if self.carries(part)], steps)
            case IndexExpr():
                return self._follow(expression.base, steps - 1)
            case MemberExpr():
                return self._follow(expression.expr, steps - 1)
            case AssignmentExpr():
                return self._follow(expression.value, steps - 1)
            case _:
                return None

    def _first(self, expressions: Sequence[Expression], steps: int) -> Source | None:
        found = (self._follow(expression, steps - 1) for expression in expressions)
        return next((source for source in found if source is not None), None)

    @staticmethod
    def _inside(call: CallExpr) -> list[Expression]:
        """The expressions that may give a call its dtype: the array whose method it calls, and the arguments."""
        return [*([call.callee.expr] if isinstance(call.callee, MemberExpr) else []), *call.args]

    def _is_reported_call(self, call: CallExpr) -> bool:
        """Whether the function is annotated in this module, or an argument was reported as the name of the dtype."""
        if self.is_reported(call) or any(map(self.is_reported, call.args)):
            return True
        if isinstance(call.callee, RefExpr) and call.callee.node is not None:
            return self._is_here(call.callee.node)
        callee = get_proper_type(self.type_of(call.callee))
        items = callee.items if isinstance(callee, FunctionLike) else []
        return any(item.definition is not None and self._is_here(item.definition) for item in items)

    def _of_variable(self, node: SymbolNode | None, steps: int) -> Source | None:
        if not isinstance(node, Var):
            return None
        if not self._is_here(node):
            return None if self.is_reported(node) else node
        if not is_unannotated(node):
            return None  # its annotation is reported
        values = [each.value for each in definitions(self.tree).of_variable(node) if each.way in _PASSED_ON]
        return self._first([value for value in values if value is not None], steps)

    def _is_here(self, node: SymbolNode) -> bool:
        """Whether that belongs to the module; local variables have no qualified name."""
        if isinstance(node, Var | FuncBase) and node.info:
            return node.info.module_name == self.tree.fullname
        return "." not in node.fullname or node.fullname.startswith(f"{self.tree.fullname}.")
