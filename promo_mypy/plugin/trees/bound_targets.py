"""Find what one statement or expression binds: names, attributes, items and parameters, each with its value."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final

from mypy.nodes import (
    Argument,
    AssignmentExpr,
    AssignmentStmt,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    TryStmt,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.patterns import (
    AsPattern,
    ClassPattern,
    MappingPattern,
    OrPattern,
    Pattern,
    SequencePattern,
    StarredPattern,
)

from promo_mypy.rules.records import record


class Way(Enum):
    """How a target gets something from the value beside it."""

    VALUE = auto()
    """`x = value` and `(x := value)`."""
    OPERAND = auto()
    """`x += value`."""
    ELEMENT = auto()
    """`for x in value`."""
    CONTEXT = auto()
    """`with value as x`."""
    SUBJECT = auto()
    """`match value: case [x]`."""
    EXCEPTION = auto()
    """`except E as x`; there is no value."""
    ARGUMENT = auto()
    """`def f(x): ...`; there is no value."""


class Part(Enum):
    """A position in an unpacked tuple, or in the subject of a `match` statement, that has no number."""

    STARRED = auto()
    """xs in `x, *xs = value`."""
    BESIDE_STARRED = auto()
    """x in `x, *xs = value`, and in `case {"key": x}`."""
    ATTRIBUTE = auto()
    """x in `case Class(x)`."""


@record
class Definition:
    """One target that is bound.

    Attributes:
        target: a name, an attribute, an item or a parameter.
        value: the expression that it gets something from. Of a tuple display it is the item: b in `x, y = a, b`.
        way: how it gets something from there.
        path: the positions by which that is unpacked: `(1, 0)` for y in `x, (y, z) = value`.
    """

    target: Node
    value: Expression | None
    way: Way
    path: tuple[int | Part, ...] = ()

    @property
    def variable(self) -> Var | None:
        """The variable or attribute that is bound; None for items, and for attributes of unknown objects."""
        if isinstance(self.target, Argument):
            return self.target.variable
        node = self.target.node if isinstance(self.target, NameExpr | MemberExpr) else None
        return node if isinstance(node, Var) else None

    @property
    def whole_value(self) -> Expression | None:
        """The value, if the target is bound to exactly that."""
        return self.value if self.way is Way.VALUE and not self.path else None


def definitions_in(node: Node) -> Sequence[Definition]:
    """The definitions of one statement or expression, without those of statements and expressions inside it."""
    read = BINDING.get(type(node))
    return read(node) if read is not None else ()


def targets(statement: Node) -> Sequence[Node]:
    """The targets of one statement. A tuple of targets is taken apart."""
    return [definition.target for definition in definitions_in(statement)]


def _assigned(node: AssignmentStmt) -> Sequence[Definition]:
    if len(node.lvalues) == 1 and isinstance(node.lvalues[0], NameExpr):
        return (Definition(node.lvalues[0], node.rvalue, Way.VALUE),)  # most of them
    return [each for target in node.lvalues for each in _unpacked(target, node.rvalue, Way.VALUE)]


def _entered(node: WithStmt) -> Sequence[Definition]:
    pairs = zip(node.target, node.expr, strict=True)
    return [each for target, value in pairs if target is not None for each in _unpacked(target, value, Way.CONTEXT)]


def _iterated(node: GeneratorExpr | DictionaryComprehension) -> Sequence[Definition]:
    pairs = zip(node.indices, node.sequences, strict=True)
    return [each for target, value in pairs for each in _unpacked(target, value, Way.ELEMENT)]


def _captured(node: MatchStmt) -> Sequence[Definition]:
    found = (each for pattern in node.patterns for each in _captures(pattern, ()))
    return [Definition(name, node.subject, Way.SUBJECT, path) for name, path in found]


def _captures(pattern: Pattern, path: tuple[int | Part, ...]) -> Iterator[tuple[NameExpr, tuple[int | Part, ...]]]:
    """The names that a pattern binds, each with the positions of its part of the subject."""
    match pattern:
        case AsPattern(name=NameExpr() as name) | StarredPattern(capture=NameExpr() as name):
            yield name, path
        case MappingPattern(rest=NameExpr() as rest):
            yield rest, (*path, Part.STARRED)
    for inner, place in _patterns_in(pattern):
        yield from _captures(inner, (*path, *place))


def _patterns_in(pattern: Pattern) -> Iterator[tuple[Pattern, tuple[int | Part, ...]]]:
    """The patterns in a pattern, each with its position, if that is not the same."""
    match pattern:
        case AsPattern(pattern=Pattern() as inner):
            yield inner, ()
        case OrPattern(patterns=others):
            yield from ((each, ()) for each in others)
        case SequencePattern(patterns=items):
            has_star = any(isinstance(each, StarredPattern) for each in items)
            for index, each in enumerate(items):
                place = Part.BESIDE_STARRED if has_star else index
                yield each, (Part.STARRED if isinstance(each, StarredPattern) else place,)
        case MappingPattern(values=values):
            yield from ((each, (Part.BESIDE_STARRED,)) for each in values)
        case ClassPattern(positionals=positionals, keyword_values=named):
            yield from ((each, (Part.ATTRIBUTE,)) for each in (*positionals, *named))


def _parameters(node: FuncDef | LambdaExpr) -> Sequence[Definition]:
    return [Definition(argument, None, Way.ARGUMENT) for argument in node.arguments]


#: Kind of node -> what it binds. Nine of ten nodes bind nothing.
BINDING: Final[Mapping[type[Node], Callable[[Any], Sequence[Definition]]]] = {
    AssignmentStmt: _assigned,
    AssignmentExpr: lambda node: (Definition(node.target, node.value, Way.VALUE),),
    OperatorAssignmentStmt: lambda node: (Definition(node.lvalue, node.rvalue, Way.OPERAND),),
    ForStmt: lambda node: list(_unpacked(node.index, node.expr, Way.ELEMENT)),
    WithStmt: _entered,
    MatchStmt: _captured,
    TryStmt: lambda node: [Definition(name, None, Way.EXCEPTION) for name in node.vars if name is not None],
    GeneratorExpr: _iterated,
    DictionaryComprehension: _iterated,
    FuncDef: _parameters,
    LambdaExpr: _parameters,
}


def _unpacked(
    target: Expression, value: Expression, way: Way, path: tuple[int | Part, ...] = ()
) -> Iterator[Definition]:
    """The targets in a target: x, y and z in `x, (y, z) = value`, each with its part of the value."""
    if not isinstance(target, TupleExpr | ListExpr):
        yield Definition(target, value, way, path)
        return
    has_star = _has_star(target.items)
    displayed = _displayed(value) if way is Way.VALUE and not path and not has_star else ()
    if len(displayed) == len(target.items):
        for item, part in zip(target.items, displayed, strict=True):
            yield from _unpacked(item, part, way)
        return
    for index, item in enumerate(target.items):
        if isinstance(item, StarExpr):
            yield from _unpacked(item.expr, value, way, (*path, Part.STARRED))
        else:
            yield from _unpacked(item, value, way, (*path, Part.BESIDE_STARRED if has_star else index))


def _displayed(value: Expression) -> Sequence[Expression]:
    """The items of a tuple or list that is written out; none where their number is not."""
    items = value.items if isinstance(value, TupleExpr | ListExpr) else ()
    return () if _has_star(items) else items


def _has_star(items: Sequence[Expression]) -> bool:
    return any(isinstance(item, StarExpr) for item in items)
