"""Say where an unexpected dtype comes from: trace it through names and operations to the expression that made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, FunctionLike, Instance, get_proper_type

from promo_mypy.linting.values import FileValues
from promo_mypy.plugin.interface.trees import Definition, Way, is_unannotated, operands_of
from promo_mypy.rules import dtypes as dt

#: The most steps of a message.
_LONGEST: Final = 5
#: The functions that make an array of the numbers in a list, or in lists of lists.
_OF_ITEMS: Final = frozenset(
    {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "tensor", "as_tensor"}
)
#: The ways of binding in which a name gets the dtype of the value.
_PASSED_ON: Final = (Way.VALUE, Way.ELEMENT)


@dataclass(frozen=True, slots=True)
class Origins:
    """Traces values of one file back."""

    values: FileValues

    def of(self, node: Expression) -> tuple[str, ...]:
        """The steps from an expression back to what made its dtype, one sentence each, the nearest first."""
        dtypes = self.values.dtypes(node)
        return tuple(self._steps(node, _strong(dtypes), ())) if dtypes else ()

    def _steps(
        self, node: Expression, wanted: frozenset[type[dt.Shaped]], seen: tuple[Definition, ...]
    ) -> Iterator[str]:
        """The steps from an expression; `seen` are the definitions on the way to it, which are not named again."""
        if len(seen) == _LONGEST:
            return
        match node:
            case NameExpr() | MemberExpr() if (variable := self._variable(node)) is not None:
                yield from self._of_variable(node, variable, wanted, seen)
            case CallExpr():
                yield from self._of_call(node, wanted, seen)
            case OpExpr() | UnaryExpr():
                carriers = self._carriers(operands_of(node), wanted)
                if carriers:
                    yield from self._steps(carriers[0], wanted, seen)
                else:
                    yield self._made_by_operation(node)
            case ConditionalExpr():
                for branch in self._carriers((node.if_expr, node.else_expr), wanted)[:1]:
                    yield from self._steps(branch, wanted, seen)
            case IndexExpr(base=inner) | MemberExpr(expr=inner) | AssignmentExpr(value=inner):
                if self._carriers([inner], wanted):
                    yield from self._steps(inner, wanted, seen)
            case _:
                return

    def _of_variable(
        self, node: RefExpr, variable: Var, wanted: frozenset[type[dt.Shaped]], seen: tuple[Definition, ...]
    ) -> Iterator[str]:
        name, dtype = self._written(node), self.values.dtype_text(node)
        found = self.values.tree.definitions.of_variable(variable)
        if not found:
            module = variable.fullname.rpartition(".")[0]
            yield f"`{name}` is {dtype} in the module {module}" if module else f"`{name}` is {dtype}"
            return
        if not is_unannotated(variable):
            yield f"`{name}` is declared {dtype} in {self.values.text.line_name(found[0].target.line)}"
            return
        unseen = [each for each in found if each not in seen]
        if not unseen:
            return
        chosen = self._definition(unseen, node.line, wanted)
        if chosen is None or chosen.value is None:
            above = [each.target.line for each in found if each.target.line <= node.line]
            if above:
                yield f"`{name}` is {dtype}: {self.values.text.line_name(above[-1])} sets it"
            return
        value = self._written(chosen.value)
        yield f"`{name}` is {dtype}: {self.values.text.line_name(chosen.target.line)} sets it to `{value}`"
        yield from self._steps(chosen.value, wanted, (*seen, chosen))

    def _definition(
        self, found: Sequence[Definition], line: int, wanted: frozenset[type[dt.Shaped]]
    ) -> Definition | None:
        """The nearest definition above a line whose value has the dtype; else any that has it."""
        fitting = [
            each
            for each in found
            if each.value is not None and each.way in _PASSED_ON and self._carriers([each.value], wanted)
        ]
        above = [each for each in fitting if each.target.line < line]
        return next(iter([*above[::-1], *fitting]), None)

    def _of_call(
        self, node: CallExpr, wanted: frozenset[type[dt.Shaped]], seen: tuple[Definition, ...]
    ) -> Iterator[str]:
        arguments = [item for argument in node.args for item in _items(argument)]
        parts = [*([node.callee.expr] if isinstance(node.callee, MemberExpr) else []), *arguments]
        text, dtype = self._written(node), self.values.dtype_text(node)
        declared = self._declared_in(node)
        if declared is not None:
            yield f"`{text}` is declared {dtype} in {self.values.text.line_name(declared)}"
            return
        if any(self._names_dtype(part, wanted) for part in node.args):
            yield f"`{text}` asks for {dtype}"
            return
        carriers = self._carriers(parts, wanted)
        arrays = [part for part in parts if self.values.dtypes(part)]
        if carriers:
            yield from self._steps(carriers[0], wanted, seen)
        elif arrays:
            given = " and ".join(dict.fromkeys(self.values.dtype_text(part) for part in arrays))
            yield f"`{text}` is {dtype} for {given}"
        else:
            yield self._made_by_call(node, text, dtype)

    def _declared_in(self, node: CallExpr) -> int | None:
        """The line of this file in which the called function declares its result."""
        callee = get_proper_type(self.values.types.get(node.callee))
        function = callee.definition if isinstance(callee, CallableType) else None
        if isinstance(function, Decorator):
            function = function.func
        if not isinstance(function, FuncDef) or not self.values.text.declares_result(function.name, function.line):
            return None
        return function.line

    def _made_by_call(self, node: CallExpr, text: str, dtype: str) -> str:
        first = node.args[0] if node.args and self._written(node.callee).rpartition(".")[2] in _OF_ITEMS else None
        scalars = set(_numbers(first)) if isinstance(first, ListExpr | TupleExpr) else set()
        if scalars and "other" not in scalars:
            kind = "floats" if "float" in scalars else "ints"
            return f"`{text}` of Python {kind} is {dtype}"
        if self._takes_dtype(node):
            return f"`{text}` is {dtype} unless its `dtype` names another one"
        return f"`{text}` is {dtype}"

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
        result = self.values.dtype_text(node)
        if not all(operands):
            return f"`{self._written(node)}` is {result}"
        return f"`{self._written(node)}` is {operation}, which gives {result}"

    def _carriers(self, nodes: Sequence[Expression], wanted: frozenset[type[dt.Shaped]]) -> list[Expression]:
        """The expressions whose value certainly has one of the dtypes."""
        return [node for node in nodes if (found := _strong(self.values.dtypes(node))) and found <= wanted]

    def _names_dtype(self, node: Expression, wanted: frozenset[type[dt.Shaped]]) -> bool:
        if self.values.is_array(node):
            return False
        if isinstance(node, MemberExpr) and node.name == "dtype":
            return bool(self._carriers([node.expr], wanted))
        name = self._written(node).rpartition(".")[2].strip("\"'")
        return name in {dtype.name for dtype in wanted} or (
            name in ("float", "int", "complex", "bool") and any(dtype.name.startswith(name) for dtype in wanted)
        )

    def _variable(self, node: NameExpr | MemberExpr) -> Var | None:
        """The variable that a name stands for, or the attribute, if this file sets it."""
        if isinstance(node.node, Var) or isinstance(node, NameExpr):
            return node.node if isinstance(node.node, Var) else None
        owner = get_proper_type(self.values.types.get(node.expr))
        found = owner.type.get(node.name) if isinstance(owner, Instance) else None
        attribute = found.node if found is not None else None
        return attribute if isinstance(attribute, Var) and self.values.tree.definitions.of_variable(attribute) else None

    def _written(self, node: Expression) -> str:
        return self.values.text.written(self.values.place(node))


def _strong(dtypes: frozenset[type[dt.Shaped]]) -> frozenset[type[dt.Shaped]]:
    return frozenset(dtype.strong for dtype in dtypes)


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


def _items(node: Expression) -> Iterator[Expression]:
    """The items of a list or tuple, those of nested ones too; any other expression by itself."""
    if isinstance(node, ListExpr | TupleExpr):
        for item in node.items:
            yield from _items(item)
    else:
        yield node
