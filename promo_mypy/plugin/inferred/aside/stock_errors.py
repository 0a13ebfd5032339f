"""The errors that stock mypy makes in a part of a file, and the types that it infers there."""

from collections.abc import Callable, Container, Mapping, Sequence

from mypy import errorcodes
from mypy.errorcodes import ErrorCode
from mypy.nodes import AssignmentStmt, CallExpr, Expression, NameExpr, Node, Var
from mypy.types import AnyType, Type, get_proper_type

from promo_mypy.plugin.error_codes import OWN_CODES
from promo_mypy.plugin.inferred.aside.stock_plugin import StockPlugin
from promo_mypy.plugin.inferred.aside.stock_trees import stock_trees
from promo_mypy.plugin.mypy_api.checker.nested_checks import check_part, checker_with, errors_of_line
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, is_enabled, take_types
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.file_parts import Part, part_at
from promo_mypy.plugin.trees.syntax_trees import checked_statements
from promo_mypy.plugin.types.array_ranks import has_known_rank
from promo_mypy.plugin.types.dtype_mentions import mentions_dtype
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype
from promo_mypy.rules.records import record


@record
class StockCheck:
    """A check of a part as stock mypy makes it.

    Attributes:
        part: what was checked.
        nodes: those in it.
        errors: what mypy reports, notes included.
        unknown: the lines that read a variable of another part without a type: mypy infers it later.
        type_of: the type of an expression.
        variables: the types of the variables and attributes that the part binds.
        platform: that of mypy's options.
    """

    part: Part
    nodes: Sequence[Node]
    errors: Sequence[ErrorInfo]
    unknown: Sequence[int]
    type_of: Callable[[Expression], Type | None]
    variables: Mapping[Var, Type | None]
    platform: str

    def mentions_dtype(self, typ: Type) -> bool:
        """Whether a type names a dtype."""
        return mentions_dtype(typ, self.platform, lambda _: None)

    def found(
        self, lines: Container[int], codes: Container[ErrorCode | None], *, with_notes: bool = False
    ) -> Sequence[ErrorInfo]:
        """The errors of some codes in some lines, perhaps with their notes."""
        kinds = ("error", "note") if with_notes else ("error",)
        return [each for each in self.errors if each.severity in kinds and each.line in lines and each.code in codes]

    def same(self, current: TypeChecker, error: ErrorInfo) -> ErrorInfo | None:
        """Stock mypy's error in the place of an error: of its code, or another one of its line that is not shown yet.

        The plugin's types may give an error another code: a union has no attribute, instead of a class. But it knows
        values that are Any to stock mypy, so that none of them is returned. And what follows from an operation that
        the plugin rejects is no error of its own. Of a value and what it is for, mypy reports one or the other, which
        may stand in another line.
        """
        of_line = self._of_lines(range(error.line, error.line + 1), error)
        exact = [each for each in of_line if (each.column, each.code) == (error.column, error.code)]
        if any(each.message == error.message for each in of_line):
            return error
        shown = errors_of_line(current, error.line)
        if error.code is errorcodes.NO_ANY_RETURN and any(each.code in OWN_CODES for each in shown):
            return next(iter(exact), None)
        messages = {each.message for each in shown}
        fresh = [each for each in (*exact, *of_line) if each.message not in messages]
        return next(iter(fresh or exact or self._elsewhere(error)), None)

    def _elsewhere(self, error: ErrorInfo) -> Sequence[ErrorInfo]:
        """The errors about the same value in another line: that of the value of an assignment, or of the call.

        One of them may be shown already. mypy drops an error that is repeated.
        """
        for each in self.nodes:
            match each:
                case AssignmentStmt(line=line, end_line=end) if line == error.line:
                    lines = range(line + 1, (end or line) + 1)
                case CallExpr(line=line, args=args) if line < error.line and any(_is_at(one, error) for one in args):
                    lines = range(line, line + 1)
                case _:
                    continue
            return self._of_lines(lines, error)
        return ()

    def _of_lines(self, lines: range, error: ErrorInfo) -> Sequence[ErrorInfo]:
        apart = () if error.code is errorcodes.NO_ANY_RETURN else (errorcodes.NO_ANY_RETURN,)
        found = (each for each in self.errors if each.severity == "error" and each.line in lines)
        return [each for each in found if each.code not in apart]


def check_as_stock(current: TypeChecker, part: Part) -> StockCheck:
    """Check a part of the file of a checker without the plugin."""
    stock = StockPlugin(current)
    nested = checker_with(current, stock)
    with stock_trees(current, part, stock):
        found = check_part(nested, part)
        variables = {each: each.type for each in stock.inferred}
    every = list(part.nodes())
    own = {_place(each) for each in every if isinstance(each, NameExpr) and each.node in stock.inferred}
    unknown = [each.line for each in found if each.code is errorcodes.HAS_TYPE and _place(each) not in own]
    enabled = [each for each in found if each.code is None or is_enabled(current, each.code)]
    return StockCheck(part, every, enabled, unknown, take_types(nested), variables, current.options.platform)


def _is_at(value: Expression, error: ErrorInfo) -> bool:
    return (value.line, value.column) == (error.line, error.column)


def _place(found: NameExpr | ErrorInfo) -> tuple[int, int, int | None, int | None]:
    """Where a name or an error begins and ends: an attribute of a variable begins where its name does."""
    return found.line, found.column, found.end_line, found.end_column


class StockChecks:
    """Answers questions about stock mypy in one file, by a check of the part that mypy checks now.

    The check is made at the first question about the part.
    """

    def __init__(self, current: TypeChecker) -> None:
        self._current = current
        self._asked: tuple[object, ...] = ()
        self._check: StockCheck | None = None
        self._known = 0, 0
        """The pass, and the line in it, up to which mypy knew the variables when the check was made."""

    def at(self, line: int) -> StockCheck:
        """The check of the part that a line is in."""
        current = self._current
        part, now = part_at(current.tree, line), (current.pass_num, line)
        # mypy makes a new scope before its daemon checks a function again.
        asked = (current.scope, part.node, checked_statements(current.tree).copies)
        is_same = len(asked) == len(self._asked) and all(map(_is, asked, self._asked))
        if self._check is None or not is_same or self._may_know_more(self._check, now):
            self._asked, self._check, self._known = asked, check_as_stock(current, part), now
        return self._check

    def _may_know_more(self, check: StockCheck, now: tuple[int, int]) -> bool:
        """Whether mypy may have inferred a variable of another part since the check."""
        if now[0] != self._known[0]:
            return bool(check.unknown)
        return any(self._known[1] < line <= now[1] for line in check.unknown)

    def type_of(self, value: Expression) -> Type | None:
        """What stock mypy infers for an expression; None if it does not reach it."""
        return self.at(value.line).type_of(value)

    def is_any(self, value: Expression) -> bool:
        """Whether stock mypy infers Any for an expression."""
        return isinstance(get_proper_type(self.type_of(value)), AnyType)

    def has_unknown_dtype(self, value: Expression) -> bool:
        """Whether stock mypy infers Any for an expression, or an array or container of arrays of unknown dtype."""
        typ = self.type_of(value)
        return typ is not None and has_unknown_dtype(typ, self._current.options.platform)

    def has_dtype(self, array: Expression) -> bool:
        """Whether stock mypy infers a dtype for an expression."""
        typ = self.type_of(array)
        return typ is not None and self.at(array.line).mentions_dtype(typ)

    def has_unknown_rank(self, array: Expression) -> bool:
        """Whether stock mypy infers no shape for an expression."""
        typ = self.type_of(array)
        return typ is not None and not has_known_rank(typ)

    def of_variable(self, variable: Var) -> Type | None:
        """What stock mypy infers for a variable or attribute where it is bound first; None if it does not infer it."""
        return self.at(variable.line).variables.get(variable)


def _is(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int) and one == other)
