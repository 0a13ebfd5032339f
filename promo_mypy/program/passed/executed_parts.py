"""Find the parts of a function that every call executes, unless it fails before."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from mypy.nodes import (
    Block,
    BreakStmt,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    ContinueStmt,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    Node,
    OpExpr,
    OverloadedFuncDef,
    ReturnStmt,
    Statement,
    SymbolNode,
    TryStmt,
    UnaryExpr,
    WhileStmt,
    WithStmt,
)

from promo_mypy.plugin.interface.trees import dotted_name, expressions_in, parts

#: Functions whose `with` blocks go on after an error in them.
_SUPPRESSING: Final = ("suppress", "raises", "warns", "raisesregex", "warnsregex", "raises_regex")
#: Statements that leave a block although nothing fails, and those of them that leave a loop and what follows it.
_LEAVING: Final = (ReturnStmt, BreakStmt, ContinueStmt)
_OF_LOOPS: Final = (ReturnStmt,)
_DEFINITIONS: Final = (FuncDef, Decorator, OverloadedFuncDef, ClassDef)


class ExecutedParts:
    """The parts of a function that a call executes.

    The body of a `for` counts: a loop over nothing is no use of it. What stands in another branch, after a `return` in
    one, or in a `try` whose errors are caught does not.

    Args:
        values: the values of parameters that the function does not bind anew: None, True, False, or `...` for a value
            that is not None.
    """

    def __init__(self, values: Mapping[SymbolNode | None, object]) -> None:
        self._values = values

    def of(self, function: FuncDef) -> Iterator[Node]:
        """Every statement and expression of these."""
        yield from self._block(function.body)

    def _block(self, block: Block) -> Iterator[Node]:
        for statement in block.body:
            yield statement
            if not isinstance(statement, _DEFINITIONS):
                yield from self._statement(statement)
            if self._may_leave(statement):
                return

    def _statement(self, statement: Statement) -> Iterator[Node]:
        if isinstance(statement, IfStmt):
            yield from self._branches(statement)
            return
        expressions = [statement.subject] if isinstance(statement, MatchStmt) else expressions_in(statement)
        for each in expressions:
            yield from self._expression(each)
        if _is_entered(statement):
            yield from self._block(statement.body)

    def _branches(self, statement: IfStmt) -> Iterator[Node]:
        for condition, block in zip(statement.expr, statement.body, strict=True):
            yield from self._expression(condition)
            truth = self._truth(condition)
            if truth is None:
                return
            if truth:
                yield from self._block(block)
                return
        if statement.else_body is not None:
            yield from self._block(statement.else_body)

    def _expression(self, node: Node) -> Iterator[Node]:
        yield node
        match node:
            case LambdaExpr():
                return
            case OpExpr(op="and" | "or"):
                yield from self._expression(node.left)
            case ConditionalExpr():
                yield from self._expression(node.cond)
            case ComparisonExpr():
                for operand in node.operands[:2]:
                    yield from self._expression(operand)
            case GeneratorExpr():
                yield from self._generator(node)
            case _:
                for part in parts(node):
                    yield from self._expression(part)

    def _generator(self, node: GeneratorExpr) -> Iterator[Node]:
        yield from self._expression(node.sequences[0])
        if not any(node.condlists):
            yield from self._expression(node.left_expr)

    def _truth(self, condition: Expression) -> bool | None:
        """Whether a condition holds, as far as it only asks for parameters, or whether they are None."""
        match condition:
            case UnaryExpr(op="not", expr=inner):
                truth = self._truth(inner)
                return None if truth is None else not truth
            case ComparisonExpr(
                operators=["is" | "is not" as operator], operands=[NameExpr(node=name), NameExpr() as other]
            ):
                if other.fullname == "builtins.None" and name in self._values:
                    return (self._values[name] is None) == (operator == "is")
            case NameExpr(node=name) if name in self._values:
                return None if self._values[name] is ... else bool(self._values[name])
        return None

    def _may_leave(self, statement: Statement) -> bool:
        """Whether what follows a statement may not be executed although nothing fails."""
        if isinstance(statement, IfStmt):
            return any(map(self._leaves_block, self._possible(statement)))
        return _leaves(statement, _OF_LOOPS if isinstance(statement, ForStmt | WhileStmt) else _LEAVING)

    def _possible(self, statement: IfStmt) -> Iterator[Block]:
        """The branches that may be executed."""
        for condition, block in zip(statement.expr, statement.body, strict=True):
            truth = self._truth(condition)
            if truth is not False:
                yield block
            if truth:
                return
        if statement.else_body is not None:
            yield statement.else_body

    def _leaves_block(self, block: Block) -> bool:
        return any(map(self._may_leave, block.body))


def _is_entered(statement: Statement) -> TypeGuard[ForStmt | WithStmt | TryStmt]:
    """Whether the body of a statement is executed, and its errors are not caught."""
    match statement:
        case WithStmt():
            return not any(map(suppresses, statement.expr))
        case TryStmt():
            return not statement.handlers
    return isinstance(statement, ForStmt)


def _leaves(statement: Node, leaving: tuple[type[Node], ...]) -> bool:
    if isinstance(statement, _DEFINITIONS):
        return False
    return isinstance(statement, leaving) or any(
        _leaves(each, leaving) for each in parts(statement) if isinstance(each, Statement)
    )


def suppresses(expression: Expression) -> bool:
    """Whether the body of a `with` may fail and the program goes on."""
    callee = getattr(expression, "callee", expression)
    return (dotted_name(callee) or "").rpartition(".")[2].lower().endswith(_SUPPRESSING)
