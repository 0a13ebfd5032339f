"""Say where an unexpected dtype comes from: one sentence for each step from an expression to what made its dtype."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, FunctionLike, Instance, get_proper_type

from promo_mypy.linting.values import FileValues, strong
from promo_mypy.plugin.interface.origins import PASSED_ON, Origins, Step
from promo_mypy.plugin.interface.trees import is_unannotated, operands_of
from promo_mypy.rules import dtypes as dt

#: The most sentences.
_MOST: Final = 5
#: The functions that make an array of the numbers in a list, or in lists of lists.
_OF_ITEMS: Final = frozenset(
    {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "tensor", "as_tensor"}
)


def origin_of(node: Expression, values: FileValues) -> tuple[str, ...]:
    """The steps from an expression back to what made its dtype, one sentence each, the nearest first."""
    dtypes = values.dtypes(node)
    if not dtypes:
        return ()
    origins = Origins(values.tree.bound, values.types.get)
    trail = _Trail(values, origins, strong(dtypes))
    end = origins.origin(node, trail)
    return tuple(trail.sentences(end))[:_MOST] if end is not None else ()


@dataclass(frozen=True, slots=True)
class _Trail:
    """Follows the wanted dtypes in one file."""

    values: FileValues
    origins: Origins
    wanted: frozenset[type[dt.Shaped]]

    def follows(self, step: Step) -> bool:
        """Whether a value certainly has one of the dtypes."""
        if step.definition is not None and step.definition.way not in PASSED_ON:
            return False
        found = strong(self.values.dtypes(step.node))
        return bool(found) and found <= self.wanted

    def stops(self, step: Step) -> bool:
        """At what declares the dtype, or asks for it."""
        if isinstance(step.node, ComparisonExpr):
            return True  # it is bool for operands of any dtype
        if isinstance(step.node, CallExpr):
            return self._declared_in(step.node) is not None or self._asks(step.node)
        variable = self._variable(step.node)
        return variable is not None and not is_unannotated(variable)

    def ends(self, step: Step) -> bool:
        """Whether nothing that an expression is computed from has the dtypes."""
        return self.stops(step) or not any(map(self.follows, self.origins.steps(step)))

    def sentences(self, end: Step) -> Iterator[str]:
        """One for each variable on the way to an end, and one for the end."""
        for step in end.path():
            if step.definition is not None and step.before is not None:
                name, line = step.before.node, self.values.text.line_name(step.definition.target.line)
                yield f"{self._is(name)}: {line} sets it to `{self.values.written(step.node)}`"
        match end.node:
            case CallExpr():
                yield self._of_call(end.node)
            case OpExpr() | UnaryExpr():
                yield self._made_by_operation(end.node)
            case NameExpr() | MemberExpr() if (variable := self._variable(end.node)) is not None:
                yield from self._of_variable(end.node, variable)

    def _of_variable(self, node: NameExpr | MemberExpr, variable: Var) -> Iterator[str]:
        lines = [each.target.line for each in self.origins.bound(variable)]
        if not lines:
            module = variable.fullname.rpartition(".")[0]
            yield f"{self._is(node)} in the module {module}" if module else self._is(node)
        elif not is_unannotated(variable):
            yield f"{self._is(node, 'is declared')} in {self.values.text.line_name(lines[0])}"
        else:
            above = [line for line in lines if line <= node.line]
            if above:
                yield f"{self._is(node)}: {self.values.text.line_name(above[-1])} sets it"

    def _of_call(self, node: CallExpr) -> str:
        declared = self._declared_in(node)
        if declared is not None:
            return f"{self._is(node, 'is declared')} in {self.values.text.line_name(declared)}"
        if self._asks(node):
            return self._is(node, "asks for")
        given = [text for each in self.origins.steps(Step(node)) if (text := self._array_text(each.node))]
        if given:
            return f"{self._is(node)} for {' and '.join(dict.fromkeys(given))}"
        return self._made_by_call(node)

    def _array_text(self, node: Expression) -> str:
        return self.values.dtype_text(node) if self.values.dtypes(node) else ""

    def _declared_in(self, node: CallExpr) -> int | None:
        """The line of this file in which the called function declares its result."""
        callee = get_proper_type(self.values.types.get(node.callee))
        function = callee.definition if isinstance(callee, CallableType) else None
        if isinstance(function, Decorator):
            function = function.func
        if not isinstance(function, FuncDef) or not self.values.text.declares_result(function.name, function.line):
            return None
        return function.line

    def _made_by_call(self, node: CallExpr) -> str:
        first = node.args[0] if node.args and self.values.written(node.callee).rpartition(".")[2] in _OF_ITEMS else None
        scalars = set(_numbers(first)) if isinstance(first, ListExpr | TupleExpr) else set()
        if scalars and "other" not in scalars:
            kind = "floats" if "float" in scalars else "ints"
            return self._is(node, f"of Python {kind} is")
        unless = " unless its `dtype` names another one" if self._takes_dtype(node) else ""
        return f"{self._is(node)}{unless}"

    def _takes_dtype(self, node: CallExpr) -> bool:
        callee = get_proper_type(self.values.types.get(node.callee))
        if isinstance(callee, Instance):  # NumPy's stubs declare `np.zeros` as an object with a method
            method = callee.type.get("__call__")
            callee = get_proper_type(method.type) if method is not None else None
        return isinstance(callee, FunctionLike) and any("dtype" in item.arg_names for item in callee.items)

    def _made_by_operation(self, node: Expression) -> str:
        operands = [self.values.dtype_text(operand) for operand in operands_of(node)]
        symbol = node.op if isinstance(node, OpExpr | UnaryExpr) else ""
        operation = f" {symbol} ".join(operands) if len(operands) > 1 else f"{symbol}{operands[0]}"
        if not all(operands):
            return self._is(node)
        return f"`{self.values.written(node)}` is {operation}, which gives {self.values.dtype_text(node)}"

    def _asks(self, call: CallExpr) -> bool:
        """Whether an argument names one of the dtypes."""
        return any(map(self._names_dtype, call.args))

    def _names_dtype(self, node: Expression) -> bool:
        if self.values.is_array(node):
            return False
        if isinstance(node, MemberExpr) and node.name == "dtype":
            return self.follows(Step(node.expr))
        name = self.values.written(node).rpartition(".")[2].strip("\"'")
        return name in {dtype.name for dtype in self.wanted} or (
            name in ("float", "int", "complex", "bool") and any(dtype.name.startswith(name) for dtype in self.wanted)
        )

    def _variable(self, node: Expression) -> Var | None:
        """The variable that a name stands for, or the attribute, if this file sets it."""
        variable = self.origins.variable(node)
        is_named = isinstance(node, NameExpr | MemberExpr) and node.node is variable
        return variable if variable is not None and (is_named or self.origins.bound(variable)) else None

    def _is(self, node: Expression, verb: str = "is") -> str:
        return f"`{self.values.written(node)}` {verb} {self.values.dtype_text(node)}"


def _numbers(node: Expression) -> Iterator[str]:
    """What a list or tuple holds: "int", "float" or "other", for each item."""
    match node:
        case ListExpr(items=items) | TupleExpr(items=items):
            for item in items:
                yield from _numbers(item)
        case UnaryExpr(expr=inner):
            yield from _numbers(inner)
        case FloatExpr():
            yield "float"
        case IntExpr():
            yield "int"
        case _:
            yield "other"
