"""Offer what an editor can do about a finding: insert the cast, ignore the finding, accept it in the baseline."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.workspace import PositionCodec

from promo_mypy.fixing.comment_fixes import with_comments
from promo_mypy.lsp.cells import Part
from promo_mypy.lsp.diagnostics import diagnostic
from promo_mypy.lsp.folder import OpenDocument
from promo_mypy.lsp.ignore_comments import ignoring
from promo_mypy.lsp.positions import moved_up, range_of
from promo_mypy.rules.findings import Cast, Finding, Replacement, Span
from promo_mypy.rules.wording.diagnostics import UNUSED

#: The command that accepts a finding in the baseline.
ACCEPT: Final = "promo-mypy.acceptInBaseline"
#: A longer cast is not shown in the title of its action.
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions for the findings of a document.

    Attributes:
        document: the document.
        part: the part of it that the editor asks about.
        baseline: the file with the findings that are accepted, if there is one.
        codec: the positions of the editor.
    """

    document: OpenDocument
    part: Part
    baseline: Path | None
    codec: PositionCodec

    def of(self, finding: Finding) -> Iterator[types.CodeAction]:
        """The actions for one finding."""
        shown = diagnostic(finding, self.document, self.part, self.codec)
        cast = self._cast(finding) if self._is_written(finding.cast) else None
        if cast is not None:
            title = f"Insert the cast {cast.new_text}" if _is_short(cast.new_text) else "Insert the cast"
            yield self._action(title, shown, cast, is_preferred=True)
        if finding.replacement is not None and self._is_written(finding.replacement):
            title = "Shorten the comment" if finding.replacement.text else "Remove the comment"
            yield self._action(title, shown, self._comment(finding.replacement), is_preferred=True)
        if finding.code == UNUSED.code:
            return
        found = ignoring("\n".join(self.document.lines), finding.span.line, finding.code)
        if found is not None and self._is_written(finding):
            span = Span(found.line, found.column, found.line, found.end_column)
            edit = types.TextEdit(range_of(span, self.document.lines, self.codec), found.text)
            yield self._action(f"Ignore {finding.code} in this line", shown, edit)
        if self.baseline is not None:
            title = f"Accept in {self.baseline.name}"
            arguments = [self.part.uri, finding.span.line, finding.code, finding.message]
            command = types.Command(title, ACCEPT, arguments=arguments)
            yield types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[shown], command=command)

    def _cast(self, finding: Finding) -> types.TextEdit | None:
        if finding.cast is None:
            return None
        try:
            from promo_mypy.fixing.fixes import cast_text
        except ImportError:  # libcst comes with the extra `lsp`, and may be missing in an environment of one's own
            return None
        span = finding.cast.span
        text = cast_text(self._text(span), finding.cast.template)
        return types.TextEdit(range_of(span, self.document.lines, self.codec), text) if text is not None else None

    def _comment(self, replacement: Replacement) -> types.TextEdit:
        """The edit of a line, which goes if only the comment is in it."""
        before, number = "\n".join(self.document.lines), replacement.span.line
        after = with_comments(before, before, [replacement]).split("\n")
        is_gone = len(after) < len(self.document.lines)
        line = Span(number, 1, number + is_gone, 1 if is_gone else len(self.document.lines[number - 1]) + 1)
        return types.TextEdit(range_of(line, self.document.lines, self.codec), "" if is_gone else after[number - 1])

    def _is_written(self, what: Finding | Cast | Replacement | None) -> bool:
        """Whether the lines of something are in the editor as they are here."""
        if what is None:
            return False
        lines = range(what.span.line - self.part.above, what.span.end_line - self.part.above + 1)
        return self.part.rewritten.isdisjoint(lines)

    def _text(self, span: Span) -> str:
        lines = self.document.lines[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def _action(
        self, title: str, shown: types.Diagnostic, edit: types.TextEdit, *, is_preferred: bool = False
    ) -> types.CodeAction:
        here = types.TextEdit(moved_up(edit.range, self.part.above), edit.new_text)
        return types.CodeAction(
            title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=is_preferred,
            edit=types.WorkspaceEdit(changes={self.part.uri: [here]}),
        )


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST and "\n" not in text
