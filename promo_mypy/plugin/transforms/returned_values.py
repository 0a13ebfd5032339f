"""Find the expressions that a function returns, and the operators from which they got their dtype."""

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import Final

from mypy.nodes import (
    Decorator,
    DictExpr,
    Expression,
    FuncItem,
    LambdaExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.arguments.pytrees import Path
from promo_mypy.plugin.diagnostics.findings import value_text
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type, tree
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Way, definitions_in
from promo_mypy.plugin.trees.own_returns import own_returns
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types.array_types import read

#: The operators of which JAX computes a new array. `x ** 1` is x.
_COMPUTING: Final = frozenset({"+", "-", "*", "/", "//", "%", "@", "&", "|", "^", "<<", ">>"})

TypeOf = Callable[[Expression], Type | None]

#: Variable -> the operators and operands that it is bound to; None for a value of another kind.
Sources = dict[Var, list[tuple[str, Expression, Expression] | None]]


def promotion_behind(function: Expression, path: Path, session: Session, api: CheckerPluginInterface) -> str | None:
    """The operator that a returned leaf comes from, in dtypes: "bfloat16 + float32"; None if there is no such operator.

    A returned name is traced to the only statement that binds it.
    """
    definition = definition_of(function, api)
    if definition is None:
        return None
    sources = _sources(definition)
    returned = [statement.expr for statement in own_returns(definition) if statement.expr is not None]
    for expression in returned:
        for leaf in _items_at(expression, path):
            text = _operator(leaf, sources, session, partial(expression_type, checker(api)))
            if text is not None:
                return text
    return None


def is_computed(function: Expression, path: Path, api: CheckerPluginInterface) -> bool:
    """Whether each returned leaf is the result of an operator, so that it is no value that the function was given."""
    definition = definition_of(function, api)
    if definition is None:
        return False
    sources, parameters = _sources(definition), {argument.variable for argument in definition.arguments}
    returned = [statement.expr for statement in own_returns(definition) if statement.expr is not None]
    leaves = [list(_items_at(expression, path)) for expression in returned]
    return bool(leaves) and all(
        len(found) == 1 and all(op in _COMPUTING for op in _operators_of(found[0], sources, parameters))
        for found in leaves
    )


def _operators_of(leaf: Expression, sources: Sources, parameters: Container[Var]) -> Sequence[str | None]:
    """The operators that a leaf may come from; None for another expression."""
    if isinstance(leaf, OpExpr):
        return (leaf.op,)
    if not isinstance(leaf, NameExpr) or not isinstance(leaf.node, Var) or leaf.node in parameters:
        return (None,)
    return [operation and operation[0] for operation in sources.get(leaf.node, [None])]


def operator_behind(leaf: Expression, definition: FuncItem, session: Session, type_of: TypeOf) -> str | None:
    """The operator, as in `promotion_behind`, for a leaf of a result. `type_of`: the types from a check of the body."""
    return _operator(leaf, _sources(definition), session, type_of)


def definition_of(function: Expression, api: CheckerPluginInterface) -> FuncItem | None:
    """The function that a lambda is, or that a name stands for; None for a function of another file."""
    if isinstance(function, LambdaExpr):
        return function
    node = function.node if isinstance(function, RefExpr) else None
    if isinstance(node, Decorator):
        node = node.func
    return node if has_body(node, tree(api)) else None


def _items_at(expression: Expression, path: Path) -> Iterator[Expression]:
    """The expressions at that path of a tuple or dict display: those of all keys for `[...]`."""
    if not path:
        yield expression
    elif isinstance(expression, TupleExpr):
        for index, item in enumerate(expression.items):
            if path[0] == f"[{index}]":
                yield from _items_at(item, path[1:])
    elif isinstance(expression, DictExpr):
        for key, value in expression.items:
            if path[0] == "[...]" or (isinstance(key, StrExpr) and path[0] == f"[{key.value!r}]"):
                yield from _items_at(value, path[1:])


def _operator(leaf: Expression, sources: Sources, session: Session, type_of: TypeOf) -> str | None:
    if isinstance(leaf, NameExpr) and isinstance(leaf.node, Var):
        bound = sources.get(leaf.node, [])
        return _text(*bound[0], session, type_of) if len(bound) == 1 and bound[0] is not None else None
    return _text(leaf.op, leaf.left, leaf.right, session, type_of) if isinstance(leaf, OpExpr) else None


def _text(op: str, left: Expression, right: Expression, session: Session, type_of: TypeOf) -> str | None:
    texts: list[str] = []
    for operand in (left, right):
        typ = type_of(operand)
        values = read(typ, session.platform) if typ is not None else None
        if values is None or len(values) != 1:
            return None
        texts.append(value_text(values[0]))
    return f" {op} ".join(texts)


def _sources(definition: FuncItem) -> Sources:
    """What the function binds its variables to: operators, or None for anything else."""
    found: Sources = {}
    for node in nodes(definition.body):
        for each in definitions_in(node):
            if each.variable is not None and each.way in (Way.VALUE, Way.OPERAND):
                found.setdefault(each.variable, []).append(_operation(node, each.whole_value))
    return found


def _operation(node: Node, value: Expression | None) -> tuple[str, Expression, Expression] | None:
    if isinstance(node, OperatorAssignmentStmt):
        return node.op, node.lvalue, node.rvalue
    return (value.op, value.left, value.right) if isinstance(value, OpExpr) else None
