"""Find the source of a forbidden dtype that no other check reports.

Annotations and expressions of the module are reported in their own place. Only an operator can report an imported name,
or a call of a function that the plugin does not know.
"""

from collections.abc import Callable, Set

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    Expression,
    FuncBase,
    IndexExpr,
    MemberExpr,
    RefExpr,
    SymbolNode,
    Var,
)
from mypy.types import FunctionLike, get_proper_type

from promo_mypy.plugin.diagnostics.dtype_origin import PASSED_ON, Origins, Step
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.rules.records import record

#: A source: a variable from another module, or the call of an unknown function.
Source = Expression | Var


@record
class UnreportedSources:
    """The sources of one file.

    Attributes:
        origins: walks back in the file.
        module: the name of its module.
        is_forbidden: whether an expression certainly has a forbidden dtype.
        reported: what was reported already.
    """

    origins: Origins
    module: str
    is_forbidden: Callable[[Expression], bool]
    reported: Set[object]

    def source(self, expression: Expression) -> Source | None:
        """The source of a value; None if the dtype comes from a place that is reported."""
        end = self.origins.origin(expression, self)
        return (self._elsewhere(end.node) or end.node) if end is not None else None

    def follows(self, step: Step) -> bool:
        """A value whatever its type is, such as a container; of what computes a value, the operands with the dtype."""
        if step.definition is not None:
            return step.definition.way in PASSED_ON
        computing = step.before.node if step.before is not None else None
        return isinstance(computing, IndexExpr | AssignmentExpr) or self.is_forbidden(step.node)

    def stops(self, step: Step) -> bool:
        """At what is reported, and at an annotation: that is reported, too."""
        if step.node in self.reported:
            return True
        variable = self._variable(step.node)
        return variable is not None and (not self._is_here(variable) or not is_unannotated(variable))

    def ends(self, step: Step) -> bool:
        """At a variable of another module, and at a call that makes the dtype by itself."""
        node = step.node
        if node in self.reported:
            return False
        if isinstance(node, CallExpr):
            makes = node.analyzed is None and not any(map(self.is_forbidden, _given(node)))
            return makes and not self._is_reported_call(node)
        variable = self._elsewhere(node)
        return variable is not None and variable not in self.reported

    def _elsewhere(self, node: Expression) -> Var | None:
        """The variable of another module that an expression stands for."""
        variable = self._variable(node)
        return variable if variable is not None and not self._is_here(variable) else None

    def _variable(self, node: Expression) -> Var | None:
        """The variable that an expression stands for. A part of an array, as in `x.T`, has none."""
        is_part = isinstance(node, MemberExpr) and self.is_forbidden(node.expr)
        return None if is_part else self.origins.variable(node)

    def _is_reported_call(self, call: CallExpr) -> bool:
        """Whether the function is annotated in this module, or an argument was reported as the name of the dtype."""
        if any(argument in self.reported for argument in call.args):
            return True
        if isinstance(call.callee, RefExpr) and call.callee.node is not None:
            return self._is_here(call.callee.node)
        callee = get_proper_type(self.origins.type_of(call.callee))
        items = callee.items if isinstance(callee, FunctionLike) else []
        return any(item.definition is not None and self._is_here(item.definition) for item in items)

    def _is_here(self, node: SymbolNode) -> bool:
        """Whether that belongs to the module; local variables have no qualified name."""
        if isinstance(node, Var | FuncBase) and node.info:
            return node.info.module_name == self.module
        return "." not in node.fullname or node.fullname.startswith(f"{self.module}.")


def _given(call: CallExpr) -> list[Expression]:
    """The expressions that may give a call its dtype: the array whose method it calls, and the arguments."""
    return [*([call.callee.expr] if isinstance(call.callee, MemberExpr) else []), *call.args]
