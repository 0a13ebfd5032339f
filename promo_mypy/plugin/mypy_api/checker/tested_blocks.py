"""Insert calls into the blocks below a condition that tests dtypes: outside mypy's public plugin surface.

mypy narrows by `isinstance` and comparisons with literals, not by `x.dtype == jnp.float32`. At the beginning of each
block that such a condition leads to, before each branch of `a if condition else b`, and before the operations in what
stands behind `condition and` or `condition or`, an inserted call, for which mypy calls a hook, narrows the array (see
`operators.variables.tested_dtypes`). It has the array, a text with what the condition says, and the expressions that
name dtypes. It is never executed. (tests/plugin/operators/test_tested_dtypes.py)
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy.nodes import (
    ARG_POS,
    GDEF,
    AssertStmt,
    AssignmentExpr,
    Block,
    CallExpr,
    CastExpr,
    ComparisonExpr,
    ConditionalExpr,
    Context,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    IndexExpr,
    IntExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    OverloadedFuncDef,
    RefExpr,
    RevealExpr,
    Statement,
    StrExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
    Var,
    WhileStmt,
)
from mypy.patterns import AsPattern, OrPattern, Pattern, ValuePattern
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, FunctionLike, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.reports.recorded_changes import record_target
from promo_mypy.plugin.trees.dtype_conditions import WORDS, DtypeClaim, array_of, claims
from promo_mypy.plugin.trees.file_texts import may_have
from promo_mypy.plugin.trees.syntax_trees import nodes, statements

#: The column of these calls.
_INSERTED: Final = -6
_HOLDS, _FAILS = "is", "is not"
_NUMPY: Final = " of numpy"
_CONNECTED: Final = ("and", "or")


def insert(tree: MypyFile, function: FuncDef) -> None:
    """Insert the calls into a file, unless they are there. `function`: what they call."""
    if not may_have(tree, WORDS):
        return
    found = list(statements(tree.defs))
    for statement in found:
        match statement:
            case IfStmt(expr=[condition], body=[block]):
                _insert_first(block, claims(condition, tree), function)
                others = list(claims(condition, tree, holds=False))
                if others and statement.else_body is None:
                    statement.else_body = Block([])
                    statement.else_body.set_line(statement)
                if statement.else_body is not None:
                    _insert_first(statement.else_body, others, function)
            case WhileStmt(expr=condition, body=block):
                _insert_first(block, claims(condition, tree), function)
            case MatchStmt():
                _insert_into_cases(statement, tree, function)
    found_inside = list(nodes(tree.defs))
    for choice in (node for node in found_inside if isinstance(node, ConditionalExpr)):
        choice.if_expr = _narrowed(choice.if_expr, claims(choice.cond, tree), function)
        choice.else_expr = _narrowed(choice.else_expr, claims(choice.cond, tree, holds=False), function)
    blocks = [tree.defs, *(statement.body for statement in found if isinstance(statement, Block))]
    for body in blocks:
        _insert_after_assertions(body, tree, function)
    # Last: all other conditions are read as they are written.
    seen: set[Expression] = set()
    for node in found_inside:
        if isinstance(node, OpExpr) and node.op in _CONNECTED and node not in seen:
            _narrow_operations(node, (), tree, function, seen)


def _insert_after_assertions(body: list[Statement], tree: MypyFile, function: FuncDef) -> None:
    for place, statement in reversed(list(enumerate(body))):
        if isinstance(statement, AssertStmt) and not (place + 1 < len(body) and _is_ours(body[place + 1])):
            body[place + 1 : place + 1] = [_call(each, function) for each in claims(statement.expr, tree)]


def _narrow_operations(
    value: Expression, said: Sequence[DtypeClaim], tree: MypyFile, function: FuncDef, seen: set[Expression]
) -> Expression:
    """An operand of `and` and `or` after the calls. `seen`: the expressions of both, which are added to it.

    Only calls and operations in it are changed: mypy narrows by variables, attributes and comparisons of them.
    """

    def inside(operand: Expression, *more: DtypeClaim) -> Expression:
        return _narrow_operations(operand, (*said, *more), tree, function, seen)

    match value:
        case OpExpr(op="and" | "or"):
            seen.add(value)
            of_left = claims(value.left, tree, holds=value.op == "and")
            value.right = inside(value.right, *of_left)
            value.left = inside(value.left)
        case UnaryExpr(op="not"):
            value.expr = inside(value.expr)
        case ComparisonExpr(operands=operands):
            value.operands = list(map(inside, operands))
        case AssignmentExpr():
            value.value = inside(value.value)
        case OpExpr() | UnaryExpr():
            return _narrowed(value, said, function)
        case CallExpr() if not _may_test_type(value):
            return _narrowed(value, said, function)
        case CallExpr():
            value.args = list(map(inside, value.args))
    return value


def _may_test_type(call: CallExpr) -> bool:
    """Whether mypy may narrow by a call: `isinstance`, `bool`, or a function that returns `TypeIs`."""
    callee = call.callee
    if isinstance(call.analyzed, RevealExpr) or (isinstance(callee, MemberExpr) and callee.node is None):
        return False  # a method of an object
    if not isinstance(callee, RefExpr) or callee.fullname.startswith("builtins."):
        return True
    node = callee.node
    declared = node.type if isinstance(node, FuncDef | OverloadedFuncDef | Decorator | Var) else None
    typ = get_proper_type(declared)
    forms = typ.items if isinstance(typ, FunctionLike) else ()
    return not forms or any(form.type_guard is not None or form.type_is is not None for form in forms)


def _narrowed(value: Expression, said: Iterable[DtypeClaim], function: FuncDef) -> Expression:
    """The branch of `a if x.dtype == b else c` after the calls: mypy gives `(call, a)[1]` the type of `a`."""
    read = {node.node for node in nodes(value) if isinstance(node, NameExpr)}
    # mypy accepts a call that returns None in a cast.
    anything = AnyType(TypeOfAny.special_form)
    before = [CastExpr(_call(each, function).expr, anything) for each in said if _root(each.array) in read]
    if not before or (isinstance(value, IndexExpr) and isinstance(value.base, TupleExpr) and _has_call(value.base)):
        return value
    items = TupleExpr([*before, value])
    made = IndexExpr(items, IntExpr(len(before)))
    for node in (items, made.index, made):
        node.set_line(value)
    for each in before:
        each.set_line(value.line, _INSERTED)
    return made


def _root(array: Expression) -> SymbolNode | None:
    """The variable of an array or attribute."""
    while isinstance(array, MemberExpr):
        array = array.expr
    return array.node if isinstance(array, NameExpr) else None


def _has_call(items: TupleExpr) -> bool:
    return bool(items.items) and items.items[0].column == _INSERTED


def _insert_into_cases(statement: MatchStmt, tree: MypyFile, function: FuncDef) -> None:
    """`match x.dtype`: each case names dtypes, and those of the cases above it without a condition are excluded."""
    array = array_of(statement.subject, tree)
    excluded: list[DtypeClaim] = []
    for pattern, guard, block in zip(statement.patterns, statement.guards, statement.bodies, strict=True):
        named = _named(pattern)
        if array is None or named is None:
            return
        said = [DtypeClaim(array, holds=True, names=named)] if named else []
        _insert_first(block, [*excluded, *said], function)
        if named and guard is None:
            excluded.append(DtypeClaim(array, holds=False, names=named))


def _named(pattern: Pattern) -> tuple[Expression, ...] | None:
    """The dtypes that a pattern names; none for a pattern that fits everything, None for others."""
    match pattern:
        case ValuePattern(expr=value):
            return (value,)
        case OrPattern(patterns=others):
            parts = [_named(each) for each in others]
            return tuple(each for part in parts if part for each in part) if all(parts) else None
        case AsPattern(pattern=None):
            return ()
        case _:
            return None


def _insert_first(block: Block, said: Sequence[DtypeClaim] | Iterator[DtypeClaim], function: FuncDef) -> None:
    if not (block.body and _is_ours(block.body[0])):
        block.body[:0] = [_call(each, function) for each in said]


def _is_ours(statement: Statement) -> bool:
    return isinstance(statement, ExpressionStmt) and statement.column == _INSERTED


def _call(said: DtypeClaim, function: FuncDef) -> ExpressionStmt:
    callee, text = NameExpr(function.name), StrExpr(_text(said))
    callee.node, callee.kind, callee.fullname = function, GDEF, function.fullname
    given: list[Expression] = [_copied(said.array), text, *said.names]
    made = ExpressionStmt(CallExpr(callee, given, [ARG_POS] * len(given), [None] * len(given)))
    for node in (callee, made.expr, made):
        node.set_line(said.array.line, _INSERTED)
    text.set_line(said.array)
    return made


def _copied(array: Expression) -> Expression:
    """The same variable or attribute once more: mypy keeps one type for each node, and the first keeps its own."""
    made: NameExpr | MemberExpr
    if isinstance(array, MemberExpr):
        made = MemberExpr(_copied(array.expr), array.name)
    else:
        assert isinstance(array, NameExpr)
        made = NameExpr(array.name)
        made.node, made.kind, made.fullname = array.node, array.kind, array.fullname
    made.set_line(array.line, _INSERTED)
    return made


def _text(said: DtypeClaim) -> str:
    return f"{_HOLDS if said.holds else _FAILS}:{said.kinds}{_NUMPY if said.of_numpy else ''}"


def is_inserted(call: Context) -> bool:
    """Whether this is one of the inserted calls."""
    return call.column == _INSERTED


def claim_of(given: Sequence[Expression]) -> DtypeClaim:
    """What the arguments of an inserted call say."""
    array, text, *names = given
    assert isinstance(text, StrExpr)
    how, _, kinds = text.value.partition(":")
    return DtypeClaim(array, how == _HOLDS, kinds.removesuffix(_NUMPY), tuple(names), kinds.endswith(_NUMPY))


def narrow_by_test(api: CheckerPluginInterface, array: Expression, typ: Type) -> None:
    """Narrow a variable or attribute to the end of the block, as mypy narrows by `isinstance`."""
    current = checker(api)
    record_target(current, array)
    current.binder.put(array, typ, from_assignment=False)
