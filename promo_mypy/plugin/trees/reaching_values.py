"""Find the assigned values that a variable may hold in a line, by the order of statements and branches."""

from collections.abc import Iterable, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    ClassDef,
    ContinueStmt,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    IfStmt,
    MatchStmt,
    Node,
    OverloadedFuncDef,
    RaiseStmt,
    ReturnStmt,
    Statement,
    TryStmt,
    WhileStmt,
    WithStmt,
)

from promo_mypy.plugin.trees.expressions import is_none

#: The values at one point; None where the program does not come.
_Values = frozenset[Expression] | None
_FUNCTIONS: Final = (FuncDef, Decorator, OverloadedFuncDef)
_NOTHING: Final = frozenset[Expression]()


#: The values that may be there each time that mypy comes to a line: it checks the body of a loop more than once.
Rounds = Sequence[frozenset[Expression]]


def reaching(body: Sequence[Statement], values: Sequence[Expression], line: int) -> Rounds:
    """The values that may be in a variable in a line.

    `body`: the statements of the function or file that binds the variable. `values`: all values that plain assignments
    bind it to. The result is empty if none of them comes there. A function inside may run at any time: mypy takes the
    declared type for it, which is that of the first value, and so it does in the body of a class.
    """
    flow = _Flow(values, line)
    flow.block(body, _NOTHING)
    if flow.is_inside:
        return [frozenset({each}) for each in values if not is_none(each)][:1]
    return [each for each in flow.found if each]


class _Flow:
    """Follows the statements of a body, and collects the values at one line."""

    def __init__(self, values: Sequence[Expression], line: int) -> None:
        self._values = frozenset(values)
        self._line = line
        self.found: list[frozenset[Expression]] = []
        self.is_inside = False
        """Whether the line is in a function of the body, or in a class."""
        #: The values at the statements that leave the innermost loop.
        self._left: list[_Values] = []

    def block(self, statements: Iterable[Statement], state: _Values) -> _Values:
        """The values after some statements, for those before them."""
        for each in statements:
            if each.line <= self._line <= (each.end_line or each.line):
                self.is_inside = self.is_inside or isinstance(each, _FUNCTIONS) or self._is_other_class(each)
                if not _is_around(each, self._line):
                    self.found.append(state or _NOTHING)
            state = self._after(each, state)
        return state

    def _is_other_class(self, statement: Node) -> bool:
        """Whether this is a class that does not bind the variable: mypy takes the declared type in its body."""
        if not isinstance(statement, ClassDef):
            return False
        end = statement.end_line or statement.line
        return not any(statement.line <= each.line <= end for each in self._values)

    def _after(self, statement: Statement, state: _Values) -> _Values:
        match statement:
            case AssignmentStmt(rvalue=value):
                return frozenset({value}) if value in self._values else state
            case IfStmt(body=bodies, else_body=other):
                return _joined([*(self.block(each.body, state) for each in bodies), self._other(other, state)])
            case ForStmt(body=body, else_body=other) | WhileStmt(body=body, else_body=other):
                return self._after_loop(body, other, state)
            case WithStmt(body=body) | ClassDef(defs=body):
                return self.block(body.body, state)
            case TryStmt(body=body, handlers=handlers, else_body=other, finally_body=last):
                tried = self.block(body.body, state)
                failed = _joined([state, tried, self._bound_in(body)])
                ends = [self._other(other, tried), *(self.block(each.body, failed) for each in handlers)]
                return self._other(last, _joined(ends))
            case MatchStmt(bodies=bodies):
                return _joined([state, *(self.block(each.body, state) for each in bodies)])
            case BreakStmt() | ContinueStmt():
                self._left.append(state)
                return None
            case ReturnStmt() | RaiseStmt():
                return None
            case _:
                return state

    def _after_loop(self, body: Block, other: Block | None, state: _Values) -> _Values:
        outer, self._left = self._left, []
        for _ in range(2):  # the values of one round are there in the next one
            state = _joined([state, self.block(body.body, state), *self._left])
        self._left = outer
        return self._other(other, state)

    def _other(self, block: Block | None, state: _Values) -> _Values:
        return state if block is None else self.block(block.body, state)

    def _bound_in(self, block: Block) -> _Values:
        """The values that a block may assign before it fails."""
        quiet = _Flow(list(self._values), 0)
        found: set[Expression] = set()
        for each in block.body:
            found |= quiet.block([each], _NOTHING) or _NOTHING
        return frozenset(found)


def _joined(states: Sequence[_Values]) -> _Values:
    """The values at a join."""
    known = [each for each in states if each is not None]
    return _NOTHING.union(*known) if known else None


def _is_around(statement: Node, line: int) -> bool:
    """Whether a line is in a block of a statement, or in a function, and not in its head."""
    blocks: Sequence[Block | None]
    match statement:
        case IfStmt(body=bodies, else_body=other):
            blocks = [*bodies, other]
        case ForStmt(body=body, else_body=other) | WhileStmt(body=body, else_body=other):
            blocks = [body, other]
        case WithStmt(body=body) | ClassDef(defs=body):
            blocks = [body]
        case TryStmt(body=body, handlers=handlers, else_body=other, finally_body=last):
            blocks = [body, *handlers, other, last]
        case MatchStmt(bodies=bodies):
            blocks = list(bodies)
        case _:
            return False
    whole = [each.body for each in blocks if each is not None and each.body]
    return any(each[0].line <= line <= (each[-1].end_line or each[-1].line) for each in whole)


def deciding(values: Sequence[Expression], line: int) -> Sequence[Expression]:
    """The values that a variable gets first and last above a line: stock mypy infers its type there from one of them.

    Without a value above the line, a loop or function comes back to it, and each value may be the last.
    """
    known = [each for each in values if not is_none(each)]
    above = [each for each in known if each.line < line]
    return [known[0], above[-1]] if above else known
