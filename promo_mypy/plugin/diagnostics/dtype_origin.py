"""Walk from an expression back to what decides its dtype.

A computed value has its dtype from its operand: `x[0]`, `x.T`, `np.sqrt(x)`, `x * 2`. A variable has it from what it is
bound to. Two answers are read from this walk: the source of a forbidden dtype (`forbidden`), and the sentences about an
unexpected one. Each has a `Trail`, which says what it follows, and where it ends.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    ConditionalExpr,
    Expression,
    GeneratorExpr,
    IndexExpr,
    MemberExpr,
    NameExpr,
    SetComprehension,
    StarExpr,
    SymbolNode,
    Var,
    YieldFromExpr,
)
from mypy.types import Type

from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.expressions import items_of_display, operands_of
from promo_mypy.rules.records import record

#: What is bound in these ways has its dtype from the value: that of an element or item is that of the whole.
PASSED_ON = (Way.VALUE, Way.ELEMENT)


@record
class Step:
    """A step of a walk.

    Attributes:
        node: the expression that it comes to.
        definition: what binds the variable of the step before to that expression; None if it is a part of that step.
        before: the step before; None for the first one.
    """

    node: Expression
    definition: Definition | None = None
    before: "Step | None" = None

    def path(self) -> "list[Step]":
        """The steps from the first one to this one."""
        found = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]


class Trail(Protocol):
    """What a walk follows."""

    def follows(self, step: Step) -> bool:
        """Whether the dtype of the step before may come from there."""

    def stops(self, step: Step) -> bool:
        """Whether the walk goes no further from there."""

    def ends(self, step: Step) -> bool:
        """Whether that is an end, if nothing that it is computed from leads to one."""


@record
class Origins:
    """Walks back in one file.

    Attributes:
        bound: the definitions of a variable in it.
        type_of: mypy's type of an expression in it.
    """

    bound: Callable[[Var], Sequence[Definition]]
    type_of: Callable[[Expression], Type | None]

    def origin(self, expression: Expression, trail: Trail) -> Step | None:
        """The end that is found first, in the order of `steps`; the innermost one before those around it.

        An expression that is computed from itself, as in a loop, is no end.
        """
        seen: set[Expression] = set()
        inside: set[Expression] = set()
        waiting: list[tuple[Step, Sequence[Step] | None]] = [(Step(expression), None)]
        while waiting:
            step, inner = waiting.pop()
            if inner is not None:
                inside.remove(step.node)
                if inside.isdisjoint(each.node for each in inner) and trail.ends(step):
                    return step
            elif step.node not in seen:
                seen.add(step.node)
                inside.add(step.node)
                inner = () if trail.stops(step) else [each for each in self.steps(step) if trail.follows(each)]
                waiting += [(step, inner), *((each, None) for each in reversed(inner))]
        return None

    def steps(self, step: Step) -> Iterator[Step]:
        """The expressions that an expression may have its dtype from: what its variable is bound to, and its parts."""
        node = step.node
        variable = self.variable(node)
        if variable is not None:
            for definition in _nearest_first(self.bound(variable), node.line):
                if definition.value is not None:
                    yield Step(definition.value, definition, step)
        for part in _parts(node):
            yield Step(part, None, step)

    def variable(self, node: Expression) -> Var | None:
        """The variable or attribute that a name stands for."""
        found: SymbolNode | None = None
        if isinstance(node, NameExpr | MemberExpr):
            found = node.node
        if isinstance(node, MemberExpr) and found is None:
            found = attribute_of(self.type_of(node.expr), node.name)
        return found if isinstance(found, Var) else None


def _nearest_first(found: Sequence[Definition], line: int) -> list[Definition]:
    """The definitions above a line, the nearest first, before the others."""
    above = [each for each in found if each.target.line < line]
    return [*above[::-1], *(each for each in found if each.target.line >= line)]


def _parts(node: Expression) -> Iterator[Expression]:
    """The parts of an expression that may decide its dtype, in reading order. Displays count as their items."""
    match node:
        case CallExpr(callee=callee, args=arguments):
            if isinstance(callee, MemberExpr):
                yield callee.expr
            for argument in arguments:
                yield from items_of_display(argument)
            yield callee
        case ConditionalExpr(if_expr=first, else_expr=second):
            yield from (first, second)
        case IndexExpr(base=inner) | GeneratorExpr(left_expr=inner) | AssignmentExpr(value=inner):
            yield inner
        case MemberExpr(expr=inner) | StarExpr(expr=inner) | AwaitExpr(expr=inner) | YieldFromExpr(expr=inner):
            yield inner
        case SetComprehension(generator=inner):
            yield inner
        case _:
            yield from operands_of(node)
            yield from (each for each in items_of_display(node) if each is not node)
