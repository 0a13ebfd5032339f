"""Turn mypy's errors in one file into findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import Expression, OperatorAssignmentStmt

from promo_mypy.linting.casts import cast_of_value, spelled_cast
from promo_mypy.linting.expected_errors import lines_meant_to_fail
from promo_mypy.linting.labels import labels_of, leaves_of
from promo_mypy.linting.origin_sentences import origin_of
from promo_mypy.linting.values import FileValues, Operation, named
from promo_mypy.linting.widened import Widened
from promo_mypy.plugin.interface.runs import finding_of, mypy_versions
from promo_mypy.plugin.interface.trees import dotted_name
from promo_mypy.program.checked.nodes import place_of
from promo_mypy.program.expressions import Place
from promo_mypy.program.passed.passed_dtypes import PassedDtypes, PassedFinding
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.findings import Call, Cast, Finding
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording import mismatches as wording
from promo_mypy.rules.wording.called import called_from
from promo_mypy.rules.wording.dialects import keeps_values

_MISMATCH: Final = diagnostics.MISMATCH.code
#: What a comment may name to ignore a mismatch, beside mypy's own code.
_IGNORING: Final = frozenset({_MISMATCH, diagnostics.PARENT})
#: The most operands whose origin is shown.
_MOST_ORIGINS: Final = 3


def is_about_dtypes(error: ErrorInfo) -> bool:
    """Whether an error of mypy becomes a finding, if no comment ignores it."""
    return error.severity == "error" and not error.hidden and finding_of(error) is not None


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads the errors of one file.

    Attributes:
        path: the path to show.
        values: its values.
        ignored: line -> the codes that a comment ignores there; empty for all.
        place_elsewhere: a line in words, and the file, for a line of another file.
    """

    path: str
    values: FileValues
    ignored: Mapping[int, Sequence[str]]
    place_elsewhere: Callable[[str, int], tuple[str, str]]

    def findings(self, errors: Iterable[ErrorInfo], passed: Iterable[PassedFinding] = ()) -> Iterator[Finding]:
        """The findings among some errors, each once, and what fails for the dtypes that calls pass.

        What a test expects to fail is left out.
        """
        seen: set[Finding] = set()
        meant = lines_meant_to_fail(self.values.text.tree)
        for finding in (*map(self._finding, errors), *map(self._passed, passed)):
            if finding is not None and finding.span.line not in meant and finding not in seen:
                seen.add(finding)
                yield finding

    def _passed(self, passed: PassedFinding) -> Finding:
        """A finding in a body, with the calls that it is about."""
        values = replace(self.values, types={**self.values.types, **passed.types})
        completed = replace(self, values=values)._completed(passed.finding, place_of(passed.node))
        origin = tuple(map(self._sentence, passed.calls))
        calls = tuple(map(self._call, (each for each in passed.calls if each.module == self.values.module)))
        # A cast would change the result for other calls.
        return replace(completed, origin=origin, calls=calls, cast=None)

    def _call(self, call: PassedDtypes) -> Call:
        text = self.values.text
        return Call(text.span(text.whole(place_of(call.node))), self._sentence(call))

    def _sentence(self, call: PassedDtypes) -> str:
        dtypes = [f"{named(each)} for `{name}`" for name, each in call.dtypes]
        passed = " and ".join([*dtypes, *(f"{number} for `{name}`" for name, number in call.numbers)])
        if call.module == self.values.module:
            return called_from(self.values.text.line_name(call.node.line), passed)
        line, file = self.place_elsewhere(call.path, call.node.line)
        return called_from(line, passed, file)

    def _finding(self, error: ErrorInfo) -> Finding | None:
        place = Place(error.line, error.column, error.end_line, error.end_column)
        told = finding_of(error) if is_about_dtypes(error) else None
        if told is None or (told.code == _MISMATCH and self._is_ignored(error)):
            return None
        return self._completed(told, place)

    def _is_ignored(self, error: ErrorInfo) -> bool:
        return any(not _IGNORING.isdisjoint(self.ignored.get(line, ())) for line in mypy_versions.comment_lines(error))

    def _completed(self, told: Finding, place: Place) -> Finding:
        """A finding of the plugin, or about an error of mypy, with what the text of the file tells."""
        text, node = self.values.text, self.values.operation_at(place)
        span = text.span(text.whole(place))
        completed = replace(
            told,
            path=self.path,
            span=span,
            labels=labels_of(node, self.values) if node is not None else (),
            source=text.line(span.line).strip(),
        )
        if told.code == _MISMATCH:
            return self._mismatch(completed, self.values.at(place), node)
        cast = spelled_cast(told.cast, told.system, node, self.values) if told.cast is not None else None
        return replace(completed, origin=self._origins(node), cast=cast)

    def _mismatch(self, told: Finding, node: Expression | None, operation: Operation | None) -> Finding:
        """A value of another dtype than the declared one, with the cast to that dtype.

        The value of `x += y` has no expression of its own, only `y` can be cast.
        """
        if node is None:
            return replace(told, remedy=wording.CHANGE, cast=None)
        told = replace(told, origin=origin_of(node, self.values))
        if told.cast is None:
            return replace(told, remedy=wording.CHANGE)
        widened = Widened(self.values, get_system(told.system), dt.DTYPES[told.cast.dtype]).operand(operation or node)
        if widened is not None and (cast := self._keeping_cast(told.cast, told.system, widened)) is not None:
            return replace(told, remedy=self._remedy_of_operand(cast, widened, node), cast=cast)
        if isinstance(operation, OperatorAssignmentStmt):
            return replace(told, remedy=wording.CHANGE, cast=None)
        cast = cast_of_value(told.cast, told.system, node, self.values)
        is_kept = cast is not None and self._keeps_values(node, cast)
        return replace(told, remedy=_remedy(cast, node, is_kept=is_kept), cast=cast if is_kept else None)

    def _keeping_cast(self, wanted: Cast, system: str, node: Expression) -> Cast | None:
        """The cast of a value, if it loses digits at most."""
        cast = cast_of_value(wanted, system, node, self.values)
        return cast if cast is not None and self._keeps_values(node, cast) else None

    def _keeps_values(self, node: Expression, cast: Cast) -> bool:
        return all(keeps_values(dt.DTYPES[cast.dtype], source) for source in self.values.dtypes(node))

    def _remedy_of_operand(self, cast: Cast, operand: Expression, node: Expression) -> str:
        where = "" if operand.line == node.line else f" in {self.values.text.line_name(operand.line)}"
        return wording.casting_operand(_written(cast, operand), where)

    def _origins(self, node: Operation | None) -> tuple[str, ...]:
        """Where the operands have their dtypes from, one sentence for each."""
        if node is None:
            return ()
        steps = [
            origin_of(leaf, self.values) for leaf in dict.fromkeys(leaves_of(node, self.values)) if leaf is not node
        ]
        return tuple(dict.fromkeys(each[0] for each in steps if each))[:_MOST_ORIGINS]


def _remedy(cast: Cast | None, node: Expression, *, is_kept: bool) -> str:
    """What to write instead of a value of another dtype."""
    if cast is None:
        return wording.CHANGE
    if "{}" not in cast.template:
        return wording.asking(cast.template)
    written = _written(cast, node)
    return wording.casting(written) if is_kept else wording.losing(written)


def _written(cast: Cast, node: Expression) -> str:
    """A cast around a name, or around something longer; or the dtype that takes the place of another one."""
    written = cast.template.format(dotted_name(node) or "...")
    return f"(...){written.removeprefix('...')}" if written.startswith("...") else written
