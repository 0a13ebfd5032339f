"""The definitions of a file: each place that binds a variable, an attribute or an item, with the value that it gets.

One walk collects them, when the first feature asks. `values` answers the plain question; other features go through
`of_variable`, `statements` or `definitions_in`, and pick the ways that they can follow.

`jnp.float32` is Any and `torch.float32` is `dtype` to mypy, so a variable that holds a dtype has lost it; the
expression it was bound to has not. Only the file being checked is looked into: a module from mypy's cache has no
syntax tree, and the answer must not depend on what is cached.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    FakeInfo,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    TypeInfo,
    Var,
)

from promo_mypy.plugin import containers
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.bound_targets import BINDING, Definition, definitions_in
from promo_mypy.plugin.trees.expressions import root
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes, placed_statements
from promo_mypy.rules.records import record


@record
class Site:
    """A node that binds something, or mutates a container.

    Attributes:
        node: a statement, a function for its parameters, or an expression with `:=`.
        definitions: what it binds.
        filled: the container that it mutates: x in `x.append(...)` and `x[0] = ...`.
        function: the innermost function around it; None for an expression.
        classes: all classes around it; none for an expression.
    """

    node: Node
    definitions: Sequence[Definition]
    filled: Expression | None
    function: FuncDef | None
    classes: tuple[ClassDef, ...]

    @property
    def owner(self) -> TypeInfo | None:
        """The innermost class around it; None without a class, and in code that mypy does not reach."""
        info = self.classes[-1].info if self.classes else None
        return None if info is None or isinstance(info, FakeInfo) else info


class FileDefinitions:
    """The definitions of one file, in the order of its text: those of statements before those in expressions."""

    def __init__(
        self,
        statements: Sequence[Site],
        expressions: Sequence[Site],
        classes: Sequence[ClassDef],
        inner: Mapping[FuncDef | ClassDef, tuple[ClassDef, ...]],
        decorated: Sequence[Decorator],
        comprehended: Set[Node],
    ) -> None:
        """The definitions of a file.

        Args:
            statements: those of statements.
            expressions: those in expressions.
            classes: all classes.
            inner: the functions and classes in functions, with all classes around each.
            decorated: the decorated functions.
            comprehended: the expressions with `:=` in comprehensions.
        """
        self.statements = statements
        self.expressions = expressions
        self._classes = classes
        self.inner = inner
        self.decorated = decorated
        self.comprehended = comprehended

    @property
    def classes(self) -> Sequence[ClassDef]:
        """The classes that mypy has analysed: not those in code that it does not reach."""
        return [each for each in self._classes if not isinstance(each.info, FakeInfo)]

    @cached_property
    def by_variable(self) -> Mapping[Var, Sequence[Definition]]:
        """The definitions of all variables."""
        found: defaultdict[Var, list[Definition]] = defaultdict(list)
        for site in (*self.statements, *self.expressions):
            for definition in site.definitions:
                if (variable := definition.variable) is not None:
                    found[variable].append(definition)
        return dict(found)

    @cached_property
    def _by_attribute(self) -> Mapping[str, Sequence[Definition]]:
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        for site in self.statements:
            for definition in site.definitions:
                if isinstance(definition.target, MemberExpr):
                    found[definition.target.name].append(definition)
        return dict(found)

    @cached_property
    def _by_line(self) -> Mapping[int, Sequence[Site]]:
        found: defaultdict[int, list[Site]] = defaultdict(list)
        for site in self.statements:
            found[site.node.line].append(site)
        return dict(found)

    @property
    def variables(self) -> Iterable[Var]:
        """All variables that are bound."""
        return self.by_variable

    def of_variable(self, variable: Var) -> Sequence[Definition]:
        """The definitions of a variable."""
        return self.by_variable.get(variable, ())

    def statements_of(self, variable: Var) -> Sequence[Site]:
        """The statements that bind a variable."""
        return [site for site in self.statements if any(each.variable is variable for each in site.definitions)]

    def statements_at(self, line: int) -> Sequence[Site]:
        """The statements that begin in a line."""
        return self._by_line.get(line, ())

    def of_attributes(self, name: str) -> Sequence[Definition]:
        """The definitions of attributes of this name, of any object."""
        return self._by_attribute.get(name, ())

    def values(self, variable: Var) -> Sequence[Expression] | None:
        """Every expression that a variable is bound to; None if a loop, a parameter or the like binds it too.

        None also if it is bound nowhere, or as an attribute of something: other modules may bind it, too.
        """
        found = self.of_variable(variable)
        if not found or any(isinstance(each.target, MemberExpr) for each in found):
            return None
        values = [each.whole_value for each in found]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else None


def definitions(tree: MypyFile) -> FileDefinitions:
    """The definitions of the file that mypy checks."""
    # The mypy daemon keeps the identity of a file's node when it reads the file again, but not that of its statements.
    return _read(checked_statements(tree), tree)


def drop_cache() -> None:
    """Drop the definitions: mypy has made new variables for the file."""
    _read.cache_clear()


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _read(file: Statements, tree: MypyFile) -> FileDefinitions:
    statements: list[Site] = []
    classes: list[ClassDef] = []
    inner: dict[FuncDef | ClassDef, tuple[ClassDef, ...]] = {}
    decorated: list[Decorator] = []
    for node, function, around in placed_statements(file.statements):
        kind = type(node)
        if kind in _TOUCHING:
            found, filled = definitions_in(node), _filled(node) if kind in _FILLING else None
            if found or filled is not None:
                statements.append(Site(node, found, filled, function, around))
        elif isinstance(node, ClassDef):
            classes.append(node)
        elif isinstance(node, Decorator):
            decorated.append(node)
        if function is not None and isinstance(node, FuncDef | ClassDef):
            inner[node] = around
    expressions: list[Site] = []
    comprehended: set[Node] = set()
    if file_texts.may_have(tree, [":="]):
        within = (node for node in nodes(file.statements) if isinstance(node, AssignmentExpr | LambdaExpr))
        expressions = [Site(node, definitions_in(node), None, None, ()) for node in within]
        loops = (node for node in nodes(file.statements) if isinstance(node, GeneratorExpr | DictionaryComprehension))
        comprehended = {node for each in loops for node in nodes(each) if isinstance(node, AssignmentExpr)}
    return FileDefinitions(statements, expressions, classes, inner, decorated, comprehended)


def _filled(node: Node) -> Expression | None:
    if type(node) is AssignmentStmt and type(node.lvalues[0]) is NameExpr:
        return None  # most of them
    match node:
        case (
            AssignmentStmt(lvalues=[IndexExpr(base=container)])
            | OperatorAssignmentStmt(lvalue=IndexExpr(base=container))
        ):
            return root(container)
        case ExpressionStmt(expr=CallExpr(callee=MemberExpr(expr=container, name=name))) if name in containers.FILLING:
            return root(container)
        case _:
            return None


#: What may fill a container.
_FILLING: Final = frozenset({AssignmentStmt, OperatorAssignmentStmt, ExpressionStmt})
#: What may bind or fill something.
_TOUCHING: Final = frozenset({*BINDING, ExpressionStmt})
