"""Check the body of a function again for the arguments of a call, and hear what would be reported in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mypy.nodes import Context, Expression, FuncDef, MypyFile, Statement
from mypy.types import Type

from promo_mypy.plugin.calls.followed.open_types import tells_more
from promo_mypy.plugin.hooks import PromoPlugin
from promo_mypy.plugin.inferred.false_positives import hidden_errors
from promo_mypy.plugin.mypy_api.checker.body_checking import findings_in_body
from promo_mypy.plugin.mypy_api.checker.failure_reports import report_defect
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, expression_type
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.constant_values import constant_of
from promo_mypy.rules.records import record

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

__all__ = ["Bodies", "KeptTrees", "bodies_of"]


class KeptTrees:
    """The syntax trees of files whose functions are checked again after mypy has finished with the files.

    mypy empties what it finds in the tree of a finished file. It finds nothing in a kept one, which is whole again
    while a body in it is checked.
    """

    def __init__(self) -> None:
        self._statements: dict[MypyFile, list[Statement]] = {}

    def keep(self, tree: MypyFile) -> None:
        """Keep the tree of a file that mypy is about to empty."""
        self._statements[tree] = tree.defs
        tree.defs = []

    @contextmanager
    def whole(self, tree: MypyFile) -> Iterator[None]:
        """Within this context, the tree has its statements."""
        before = tree.defs
        tree.defs = self._statements.get(tree, before)
        try:
            yield
        finally:
            tree.defs = before


@record
class CheckedBody:
    """A body as checked for some arguments: the findings in it with their expressions, and the types in it."""

    findings: Sequence[tuple["Finding", Context]]
    type_of: Callable[[Expression], Type | None]


def bodies_of(plugin: PromoPlugin, module: str, kept: KeptTrees | None = None) -> "Bodies | None":
    """What checks bodies again, for a file that mypy has just checked; None if it has no arrays."""
    session = plugin.session
    current = session.watch.checker_of(module) if session is not None else None
    return Bodies(session, current, kept or KeptTrees()) if session is not None and current is not None else None


class Bodies:
    """Checks bodies again, for a file that mypy has just checked, while its types exist."""

    def __init__(self, session: Session, current: TypeChecker, kept: KeptTrees) -> None:
        self._session = session
        self._current = current
        self._kept = kept

    @property
    def platform(self) -> str:
        """The platform that mypy checks for."""
        return self._session.platform

    def type_of(self, expression: Expression) -> Type | None:
        """The type of an expression of the file; None in unreachable code."""
        return expression_type(self._current, expression)

    def constant(self, expression: Expression, tree: MypyFile) -> float | None:
        """The int or float that an expression of a file certainly has; None for any other."""
        with self._kept.whole(tree):
            return constant_of(expression, tree)

    def builtin(self, name: str) -> Type:
        """The type of instances of a builtin class."""
        return self._current.named_type(f"builtins.{name}")

    def tells_more(self, declared: Type, given: Type) -> bool:
        """Whether an argument has a dtype that the type of its parameter leaves open, or that type is Any."""
        return tells_more(declared, given, self._session.platform)

    def checked(self, function: FuncDef, types: Sequence[Type | None], tree: MypyFile) -> CheckedBody:
        """The body of a function of a file for arguments of these types; None stands for the declared one.

        An internal error becomes a finding, and the body has no types.
        """
        found: list[tuple[Finding, Context]] = []
        current = self._current
        try:
            with self._session.watch.aside(), self._kept.whole(tree):
                type_of = findings_in_body(
                    current, function, tree, types, lambda *each: found.append(each), hidden_errors.go_on_hidden
                )
        except Exception as defect:  # no hook of mypy guards this call
            report_defect(current, defect, function)
            return CheckedBody((), _no_type)
        return CheckedBody(found, type_of)


def _no_type(_expression: Expression) -> None:
    return None
