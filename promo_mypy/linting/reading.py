"""Turn mypy's errors in one file into findings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import Expression

from promo_mypy.inference.expressions import Place
from promo_mypy.linting.casts import cast_of_mismatch, library_of, loses_digits_at_most, spelled_cast
from promo_mypy.linting.labels import labels_of, leaves_of
from promo_mypy.linting.origins import Origins
from promo_mypy.linting.values import FileValues, Operation
from promo_mypy.plugin import mypy_versions
from promo_mypy.plugin.mypy_api.told import finding_of
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.types.mismatches import Mismatch, mismatch_in
from promo_mypy.rules.findings import Cast, Finding
from promo_mypy.rules.wording import diagnostics

_OURS: Final = frozenset(row.code for row in diagnostics.DIAGNOSTICS)
_MISMATCH: Final = diagnostics.MISMATCH.code
#: What a comment may name to ignore a mismatch, beside mypy's own code.
_IGNORING: Final = frozenset({_MISMATCH, diagnostics.PARENT})
#: The most operands whose origin is shown.
_MOST_ORIGINS: Final = 3


def is_about_dtypes(error: ErrorInfo) -> bool:
    """Whether an error of mypy becomes a finding, if no comment ignores it."""
    if error.severity != "error" or error.hidden or error.code is None:
        return False
    return error.code.code in _OURS or mismatch_in(error.message) is not None


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads the errors of one file.

    Attributes:
        path: the path to show.
        values: its values.
        ignored: line -> the codes that a comment ignores there; empty for all.
        jax_x64: whether JAX has 64-bit dtypes in this file.
    """

    path: str
    values: FileValues
    ignored: Mapping[int, Sequence[str]]
    jax_x64: bool

    def findings(self, errors: Iterable[ErrorInfo]) -> Iterator[Finding]:
        """The findings among some errors, each once."""
        seen: set[Finding] = set()
        for error in errors:
            finding = self._finding(error)
            if finding is not None and finding not in seen:
                seen.add(finding)
                yield finding

    def _finding(self, error: ErrorInfo) -> Finding | None:
        if error.severity != "error" or error.hidden or error.code is None:
            return None
        place = Place(error.line, error.column, error.end_line, error.end_column)
        told = finding_of(error)
        if told is not None:
            return self._completed(told, place)
        mismatch = mismatch_in(error.message)
        if mismatch is None or self._is_ignored(error):
            return None
        return self._mismatch(mismatch, place, self.values.at(place))

    def _is_ignored(self, error: ErrorInfo) -> bool:
        return any(not _IGNORING.isdisjoint(self.ignored.get(line, ())) for line in mypy_versions.comment_lines(error))

    def _completed(self, told: Finding, place: Place) -> Finding:
        """A finding of the plugin with what the text of the file tells."""
        text, node = self.values.text, self.values.operation_at(place)
        span = text.span(text.whole(place))
        return replace(
            told,
            path=self.path,
            span=span,
            labels=labels_of(node, self.values) if node is not None else (),
            origin=self._origins(node),
            source=text.line(span.line).strip(),
            cast=spelled_cast(told.cast, told.system, text) if told.cast is not None else None,
        )

    def _mismatch(self, mismatch: Mismatch, place: Place, node: Expression | None) -> Finding:
        names = self.values.text.imports
        library = library_of(mismatch.inferred.array, names)
        cast = (
            cast_of_mismatch(mismatch, node, self.values, library, jax_x64=self.jax_x64) if node is not None else None
        )
        remedy = self._remedy(mismatch, cast, node)
        if cast is not None and not loses_digits_at_most(mismatch.declared.dtypes, mismatch.inferred.dtypes):
            cast = None
        text = diagnostics.MISMATCH.text.format(
            subject=mismatch.subject[0].upper() + mismatch.subject[1:],
            verb="contains" if mismatch.inside else "is",
            inferred=mismatch.inferred,
            declared=mismatch.declared,
            remedy=remedy,
        )
        problem = text.removesuffix(f"; {remedy}")
        origin = Origins(self.values).of(node) if node is not None else ()
        return self._made(_MISMATCH, problem, remedy, place, origin, cast)

    def _remedy(self, mismatch: Mismatch, cast: Cast | None, node: Expression | None) -> str:
        if cast is None or node is None:
            return "cast it, or change the annotation"
        if "{}" not in cast.template:
            return f"ask for {cast.template}, or change the annotation"
        written = cast.template.format(dotted_name(node) or "...")
        written = f"(...){written.removeprefix('...')}" if written.startswith("...") else written
        if loses_digits_at_most(mismatch.declared.dtypes, mismatch.inferred.dtypes):
            return f"cast it with {written}, or change the annotation"
        return f"change the annotation, or cast it with {written} if losing values is meant"

    def _made(
        self,
        code: str,
        message: str,
        remedy: str,
        place: Place,
        origin: tuple[str, ...],
        cast: Cast | None,
    ) -> Finding:
        text, node = self.values.text, self.values.operation_at(place)
        labels = labels_of(node, self.values) if node is not None else ()
        span = text.span(text.whole(place))
        return Finding(self.path, span, code, message, labels, origin, remedy, text.line(span.line).strip(), cast)

    def _origins(self, node: Operation | None) -> tuple[str, ...]:
        """Where the operands have their dtypes from, one sentence for each."""
        if node is None:
            return ()
        steps = [
            Origins(self.values).of(leaf) for leaf in dict.fromkeys(leaves_of(node, self.values)) if leaf is not node
        ]
        return tuple(dict.fromkeys(each[0] for each in steps if each))[:_MOST_ORIGINS]
