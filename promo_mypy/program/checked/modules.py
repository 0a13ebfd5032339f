"""Match mypy's nodes and types of a module to the expressions in Python's tree of it."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SuperExpr,
    UnaryExpr,
    Var,
    YieldExpr,
    YieldFromExpr,
)
from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.config import Options
from promo_mypy.plugin.interface.trees import is_declared
from promo_mypy.program.checked.arrays import Arrays, arrays_of, united
from promo_mypy.program.checked.passes import Passes
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.program.expressions import How, Place
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.program.syntax.written import Source, Written, bare_place_of
from promo_mypy.rules import around
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import Span
from promo_mypy.rules.records import rule

#: Libraries whose classes may stand around an array.
HOLDERS: Final = around.LIBRARY_NAMES - {"jax"}
#: Class of a Python node -> classes of the mypy nodes that it may correspond to.
_NODES: Final[Mapping[type[ast.expr], tuple[type[Expression], ...]]] = {
    ast.Name: (NameExpr,),
    ast.Attribute: (MemberExpr, SuperExpr),
    ast.Call: (CallExpr,),
    ast.Subscript: (IndexExpr,),
    ast.BinOp: (OpExpr,),
    ast.BoolOp: (OpExpr,),
    ast.UnaryOp: (UnaryExpr,),
    ast.Compare: (ComparisonExpr,),
    ast.IfExp: (ConditionalExpr,),
    ast.NamedExpr: (AssignmentExpr,),
    ast.Await: (AwaitExpr,),
    ast.Yield: (YieldExpr,),
    ast.YieldFrom: (YieldFromExpr,),
}


@rule
class Known:
    """An expression with its type from mypy.

    Attributes:
        syntax: its Python node.
        place: its place.
        nodes: its mypy nodes; several in a function that is checked for several types.
        types: their types.
        arrays: the arrays that its value may be; None if it is not an array.
        in_turns: whether mypy checks it once for each context.
        how: how its dtype is known, if it is known.
        if_empty: the dtypes that a call has only if a sequence among its arguments is empty.
        may_follow: whether mypy leaves a dtype open that may follow from others: that of an array, of a value of type
            Any, or of one of a class around an array, such as a parameter of flax.
        is_bounded: whether only a bound is known: a set of dtypes, or of libraries, that holds for each value of an
            unknown operand. Then parameters may decide what is computed from it.
    """

    syntax: ast.expr
    place: Place
    nodes: tuple[Expression, ...]
    types: tuple[Type, ...]
    arrays: Arrays | None
    in_turns: bool
    may_follow: bool
    how: How = How.INFERRED
    if_empty: frozenset[str] = frozenset()
    is_bounded: bool = False

    def with_arrays(self, arrays: Arrays) -> "Known":
        """The expression with arrays that follow from those of other expressions."""
        dtypes = arrays.dtypes or frozenset()
        is_bounded = len(dtypes) > 1 or not arrays.libraries
        may_follow = arrays.dtypes is None
        return replace(self, arrays=arrays, may_follow=may_follow, how=How.FOLLOWED, is_bounded=is_bounded)

    @property
    def dtypes(self) -> frozenset[type[dt.Shaped]]:
        """Every dtype that the array may have; empty if unknown."""
        return self.arrays.dtypes or frozenset() if self.arrays is not None else frozenset()


@dataclass(frozen=True, slots=True)
class Module:
    """A checked module.

    Attributes:
        path: its file, as mypy names it.
        checks_untyped: whether mypy checks functions without annotations in it.
        expressions: expressions that may be arrays and have a type, by place.
        exact_functions: the lines of the functions whose array parameters all have exact dtypes.
        refused: the places of operations that the library rejects.
    """

    name: str
    path: str
    options: Options
    checks_untyped: bool
    tree: ast.Module
    scopes: Scopes
    expressions: tuple[Known, ...]
    platform: str
    facts: TreeFacts
    exact_functions: frozenset[int] = frozenset()
    refused: frozenset[Place] = frozenset()

    def is_unchecked(self, node: ast.AST) -> bool:
        """Whether a node is in a function without annotations whose body mypy does not check."""
        return not self.checks_untyped and self.scopes.is_unannotated(node)


@dataclass(frozen=True, slots=True)
class Reader:
    """Looks up the expressions of one module in mypy's results.

    Attributes:
        passes: the types before the last pass; None if they were not recorded.
        answered: the places whose dtype comes from the user's profile.
        if_empty: module and place of a call -> the dtypes that it has only if a sequence in it is empty.
        arrays: the arrays of types, by their identities.
    """

    module_name: str
    facts: TreeFacts
    types: Mapping[Expression, Type]
    passes: Passes | None
    platform: str
    answered: frozenset[Place]
    if_empty: Mapping[tuple[str, Span], frozenset[str]]
    arrays: dict[int, Arrays | None] = field(default_factory=dict)

    def read(self, expression: Written) -> Known | None:
        """The type of an expression; None for unreachable code."""
        nodes = self._nodes(expression)
        types = [self.types[node] for node in nodes if node in self.types]
        if not types:
            return None
        arrays = united(map(self._arrays, types))
        if arrays is not None and expression.in_turns:
            arrays = self._in_all_turns(nodes, arrays)
        place = expression.place
        how = self._how(nodes, place)
        if_empty = self.if_empty.get((self.module_name, place), frozenset())
        may_follow = arrays.dtypes is None if arrays is not None else all(map(_is_open, types))
        in_turns = expression.in_turns
        known = tuple(nodes), tuple(types), arrays, in_turns, may_follow and not in_turns, how, if_empty
        return Known(expression.syntax, place, *known)

    def _arrays(self, typ: Type) -> Arrays | None:
        key = id(typ)  # mypy keeps the types of its table
        if key not in self.arrays:
            self.arrays[key] = arrays_of(typ, self.platform)
        return self.arrays[key]

    def _how(self, nodes: Iterable[Expression], place: Place) -> How:
        if place in self.answered:
            return How.OBSERVED
        return How.DECLARED if all(map(_is_declared, nodes)) else How.INFERRED

    def _nodes(self, expression: Written) -> list[Expression]:
        places, syntax = [expression.place], expression.syntax
        if isinstance(syntax, ast.BinOp) and (bare := bare_place_of(syntax)) != expression.place:
            places.append(bare)
        kinds = _NODES[type(syntax)]
        return [node for place in places for kind in kinds for node in self.facts.nodes.get((kind, place), ())]

    def _in_all_turns(self, nodes: Iterable[Expression], last: Arrays) -> Arrays:
        found = last
        for node in nodes:
            earlier = self.passes.earlier(self.module_name, node) if self.passes is not None else None
            if earlier is None:
                return Arrays(last.libraries, None)
            found = united([found, *(arrays_of(typ, self.platform) for typ in earlier)]) or found
        return found

    def module(self, path: str, source: Source, options: Options, *, checks_untyped: bool) -> Module:
        """The module, which the running Python can parse, with the types that mypy has inferred for its expressions."""
        tree = source.tree
        assert tree is not None
        known = map(self.read, source.expressions)
        expressions = tuple(each for each in known if each is not None)
        found = tree, source.scopes, expressions, self.platform, self.facts
        return Module(self.module_name, path, options, checks_untyped, *found)


def _is_open(typ: Type) -> bool:
    """Whether the type of a value is Any, or a class around an array."""
    proper = get_proper_type(typ)
    is_held = isinstance(proper, Instance) and proper.type.fullname.partition(".")[0] in HOLDERS
    return isinstance(proper, AnyType) or is_held


def _is_declared(node: Expression) -> bool:
    """Whether an annotation gives a variable or attribute its type."""
    return isinstance(node, RefExpr) and isinstance(node.node, Var) and is_declared(node.node)
