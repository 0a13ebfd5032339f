"""Offer what an editor can do about a finding: insert the cast, ignore the finding, accept it in the baseline."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lsprotocol import types

from promo_mypy.fixing.comment_fixes import with_comments
from promo_mypy.lsp.diagnostics import diagnostic
from promo_mypy.lsp.ignore_comments import ignoring
from promo_mypy.lsp.positions import Positions
from promo_mypy.rules.findings import Cast, Finding, Replacement, Span
from promo_mypy.rules.wording.diagnostics import UNUSED

#: The command that accepts a finding in the baseline.
ACCEPT: Final = "promo-mypy.acceptInBaseline"
#: A longer cast is not shown in the title of its action.
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions for the findings of a document, which a baseline may accept."""

    positions: Positions
    baseline: Path | None

    def of(self, finding: Finding) -> Iterator[types.CodeAction]:
        """The actions for one finding."""
        shown = diagnostic(finding, self.positions)
        cast = self._cast(finding.cast) if finding.cast is not None and self._is_written(finding.cast) else None
        if cast is not None:
            title = f"Insert the cast {cast.text}" if _is_short(cast.text) else "Insert the cast"
            yield self._action(title, shown, cast, is_preferred=True)
        if finding.replacement is not None and self._is_written(finding.replacement):
            title = "Shorten the comment" if finding.replacement.text else "Remove the comment"
            yield self._action(title, shown, self._comment(finding.replacement), is_preferred=True)
        if finding.code == UNUSED.code:
            return
        found = ignoring("\n".join(self.positions.lines), finding.span.line, finding.code)
        if found is not None and self._is_written(finding):
            yield self._action(f"Ignore {finding.code} in this line", shown, found)
        if self.baseline is not None:
            title = f"Accept in {self.baseline.name}"
            arguments = [self.positions.part.uri, finding.span.line, finding.code, finding.message]
            command = types.Command(title, ACCEPT, arguments=arguments)
            yield types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[shown], command=command)

    def _cast(self, cast: Cast) -> Replacement | None:
        try:
            from promo_mypy.fixing.fixes import cast_text
        except ImportError:  # libcst comes with the extra `lsp`, and may be missing in an environment of one's own
            return None
        text = cast_text(self.positions.text(cast.span), cast.template)
        return Replacement(cast.span, text) if text is not None else None

    def _comment(self, replacement: Replacement) -> Replacement:
        """The edit of a line, which goes if only the comment is in it."""
        lines, number = self.positions.lines, replacement.span.line
        before = "\n".join(lines)
        after = with_comments(before, before, [replacement]).split("\n")
        if len(after) < len(lines):
            return Replacement(Span(number, 1, number + 1, 1), "")
        return Replacement(Span(number, 1, number, len(lines[number - 1]) + 1), after[number - 1])

    def _is_written(self, what: Finding | Cast | Replacement) -> bool:
        """Whether the lines of something are in the editor as they are here."""
        part = self.positions.part
        return part.rewritten.isdisjoint(range(what.span.line - part.above, what.span.end_line - part.above + 1))

    def _action(
        self, title: str, shown: types.Diagnostic, edit: Replacement, *, is_preferred: bool = False
    ) -> types.CodeAction:
        change = types.TextEdit(self.positions.range(edit.span), edit.text)
        return types.CodeAction(
            title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=is_preferred,
            edit=types.WorkspaceEdit(changes={self.positions.part.uri: [change]}),
        )


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST and "\n" not in text
