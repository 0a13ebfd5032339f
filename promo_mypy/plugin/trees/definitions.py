"""The definitions of a file: each place that binds a variable, an attribute or an item, with the value that it gets.

One walk collects them, when the first feature asks. `values` answers the plain question; other features go through
`of`, `statements` or `definitions_in`, and pick the ways that they can follow.

`jnp.float32` is Any and `torch.float32` is `dtype` to mypy, so a variable that holds a dtype has lost it; the
expression it was bound to has not. Only the file being checked is looked into: a module from mypy's cache has no
syntax tree, and the answer must not depend on what is cached.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property, lru_cache
from typing import Any, Final

from mypy.nodes import (
    Argument,
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    TryStmt,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.patterns import AsPattern, MappingPattern, StarredPattern

from promo_mypy.plugin import names
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import Statements, nodes, placed_statements
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
    """`match value: case [x]`: any part of the value."""
    EXCEPTION = auto()
    """`except E as x`; there is no value."""
    ARGUMENT = auto()
    """`def f(x): ...`; there is no value."""


class Part(Enum):
    """A position in an unpacked tuple that has no number."""

    STARRED = auto()
    """xs in `x, *xs = value`."""
    BESIDE_STARRED = auto()
    """x in `x, *xs = value`."""


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


@record
class Site:
    """A node that binds something, or puts something into a container.

    Attributes:
        node: a statement, a function for its parameters, or an expression with `:=`.
        definitions: what it binds.
        filled: the container that it puts something into: x in `x.append(...)` and `x[0] = ...`.
        function: the innermost function around it; None for an expression.
        classes: all classes around it; none for an expression.
    """

    node: Node
    definitions: Sequence[Definition]
    filled: Expression | None
    function: FuncDef | None
    classes: tuple[ClassDef, ...]


class FileDefinitions:
    """The definitions of one file, in the order of its text: those of statements before those in expressions."""

    def __init__(self, statements: Sequence[Site], expressions: Sequence[Site], classes: Sequence[ClassDef]) -> None:
        self.statements = statements
        self.expressions = expressions
        self.classes = classes

    @cached_property
    def _by_variable(self) -> Mapping[Var, Sequence[Definition]]:
        found: defaultdict[Var, list[Definition]] = defaultdict(list)
        for site in (*self.statements, *self.expressions):
            for definition in site.definitions:
                if definition.variable is not None:
                    found[definition.variable].append(definition)
        return dict(found)

    @property
    def variables(self) -> Iterable[Var]:
        """All variables that are bound."""
        return self._by_variable

    def of(self, variable: Var) -> Sequence[Definition]:
        """The definitions of a variable."""
        return self._by_variable.get(variable, ())

    def values(self, variable: Var) -> Sequence[Expression] | None:
        """Every expression that a variable is bound to; None if a loop, a parameter or the like binds it too.

        None also if it is bound nowhere, or as an attribute of something: other modules may bind it, too.
        """
        found = self.of(variable)
        if not found or any(isinstance(each.target, MemberExpr) for each in found):
            return None
        values = [each.whole_value for each in found]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else None


def definitions(tree: MypyFile) -> FileDefinitions:
    """The definitions of the file that mypy checks."""
    # The mypy daemon keeps the identity of a file's node when it reads the file again, but not that of its statements.
    return _read(Statements(tree.defs), tree)


def forget() -> None:
    """Read the file again when it is asked about next: mypy has made new variables for it."""
    _read.cache_clear()


def definitions_in(node: Node) -> Sequence[Definition]:
    """What one statement or expression binds itself, without the ones in it."""
    read = _DEFINITIONS.get(type(node))
    return read(node) if read is not None else ()


def targets(statement: Node) -> Sequence[Node]:
    """What one statement binds: with what is unpacked, item by item."""
    return [definition.target for definition in definitions_in(statement)]


def root(container: Expression) -> Expression:
    """What is indexed: x in `x[0][1]`."""
    while isinstance(container, IndexExpr):
        container = container.base
    return container


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _read(file: Statements, tree: MypyFile) -> FileDefinitions:
    statements: list[Site] = []
    classes: list[ClassDef] = []
    for node, function, around in placed_statements(file.statements):
        kind = type(node)
        if kind in _TOUCHING:
            found, filled = definitions_in(node), _filled(node)
            if found or filled is not None:
                statements.append(Site(node, found, filled, function, around))
        elif isinstance(node, ClassDef):
            classes.append(node)
    expressions: list[Site] = []
    if file_texts.may_have(tree, [":="]):
        within = (node for node in nodes(file.statements) if isinstance(node, AssignmentExpr | LambdaExpr))
        expressions = [Site(node, definitions_in(node), None, None, ()) for node in within]
    return FileDefinitions(statements, expressions, classes)


def _filled(node: Node) -> Expression | None:
    match node:
        case (
            AssignmentStmt(lvalues=[IndexExpr(base=container)])
            | OperatorAssignmentStmt(lvalue=IndexExpr(base=container))
        ):
            return root(container)
        case ExpressionStmt(expr=CallExpr(callee=MemberExpr(expr=container, name=name))) if name in names.FILLING:
            return root(container)
        case _:
            return None


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
    found: list[Expression | None] = []
    for pattern in nodes(node.patterns):
        if isinstance(pattern, AsPattern):
            found.append(pattern.name)
        elif isinstance(pattern, StarredPattern):
            found.append(pattern.capture)
        elif isinstance(pattern, MappingPattern):
            found.append(pattern.rest)
    return [Definition(name, node.subject, Way.SUBJECT) for name in found if name is not None]


def _parameters(node: FuncDef | LambdaExpr) -> Sequence[Definition]:
    return [Definition(argument, None, Way.ARGUMENT) for argument in node.arguments]


#: Kind of node -> what it binds. Nine of ten nodes bind nothing.
_DEFINITIONS: Final[Mapping[type[Node], Callable[[Any], Sequence[Definition]]]] = {
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


#: What may bind or fill something.
_TOUCHING: Final = frozenset({*_DEFINITIONS, ExpressionStmt})


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
