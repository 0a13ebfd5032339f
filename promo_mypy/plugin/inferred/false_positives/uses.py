"""Find the values that an error of mypy may be about, by its place, and the nodes that use them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Context,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    ReturnStmt,
    SetComprehension,
    SetExpr,
    StarExpr,
    TupleExpr,
    YieldExpr,
)

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in

_DISPLAYS: Final = (
    ListExpr, SetExpr, DictExpr, ListComprehension, SetComprehension, DictionaryComprehension, GeneratorExpr,
)  # fmt: skip
#: In an error about a value, mypy may name the place of these.
_NAMED_AS_WHOLE: Final = (DictExpr, ReturnStmt, YieldExpr, AssignmentStmt)

Place = tuple[int, int, int | None, int | None]
#: A statement or expression, and a value in it.
Use = tuple[Node, Expression]


def place_of(found: ErrorInfo | Context) -> Place:
    """The place of an error or an expression."""
    return found.line, found.column, found.end_line, found.end_column


def uses(current: TypeChecker, error: ErrorInfo) -> Mapping[Place, Sequence[Use]]:
    """The uses in the function around an error, at the place of the value and at the place of the node that uses it."""
    return _uses(Region.around(current.tree, error.line))


@lru_cache(maxsize=1)  # mypy reports the errors of one function after the other
def _uses(region: Region) -> Mapping[Place, Sequence[Use]]:
    found: defaultdict[Place, list[Use]] = defaultdict(list)
    for node in nodes_in(region):
        if isinstance(node, DictExpr):
            for key, value in node.items:
                if key is not None:
                    found[key.line, key.column, value.end_line, value.end_column].append((node, value))
        if isinstance(node, OperatorAssignmentStmt):
            found[place_of(node)].append((node, node.rvalue))
        for value in _values(node):
            for place in (_written(value), target_of(node)):
                found[place_of(place)].append((node, value))
    return found


def values_at(current: TypeChecker, error: ErrorInfo) -> Sequence[tuple[Expression, bool]]:
    """The values that an error about a value may be about, each with whether it is an item of what is declared.

    The items of a tuple may be for several targets. The result of `x += y` is no expression.
    """
    place = place_of(error)
    found = [use for use in uses(current, error).get(place, ()) if not isinstance(use[0], OperatorAssignmentStmt)]
    exact = [(node, value) for node, value in found if place_of(_written(value)) == place]
    pairs = exact or [use for use in found if isinstance(use[0], _NAMED_AS_WHOLE)]
    items = [(value, True) for node, value in pairs if isinstance(node, (*_DISPLAYS, TupleExpr))]
    for_targets = [(value, False) for node, value in pairs if not isinstance(node, _DISPLAYS)]
    starred = [(value.expr, False) for _, value in pairs if isinstance(value, StarExpr)]
    return [*for_targets, *starred, *(item for item in items if not isinstance(item[0], StarExpr))]


def _written(value: Expression) -> Expression:
    """A value as mypy places it: `xs` of `*xs`."""
    return value.expr if isinstance(value, StarExpr) else value


def target_of(use: Node) -> Context:
    """The first target of an assignment; any other node itself."""
    match use:
        case AssignmentStmt(lvalues=[target, *_]) | OperatorAssignmentStmt(lvalue=target):
            return target
        case _:
            return use


def _values(node: Node) -> Iterator[Expression]:
    match node:
        case CallExpr(args=values) | ListExpr(items=values) | SetExpr(items=values) | TupleExpr(items=values):
            yield from values
        case DictExpr(items=pairs):
            yield from (value for pair in pairs for value in pair if value is not None)
        case IndexExpr(index=index):
            yield index
        case OpExpr(left=left, right=right):
            yield left
            yield right
        case ComparisonExpr(operands=operands):
            yield from operands
        case MemberExpr(expr=owner):
            yield owner
        case ListComprehension(generator=generator) | SetComprehension(generator=generator):
            yield generator.left_expr
        case GeneratorExpr(left_expr=item):
            yield item
        case ReturnStmt(expr=Expression() as value) | YieldExpr(expr=Expression() as value):
            yield value
        case AssignmentStmt(rvalue=value):
            yield value
        case OperatorAssignmentStmt(rvalue=value):
            yield value
