"""Turn findings into the diagnostics of an editor."""

from typing import Final

from lsprotocol import types

from promo_mypy.lsp.folder import OpenDocument
from promo_mypy.lsp.positions import Positions
from promo_mypy.rules.findings import Finding
from promo_mypy.rules.wording.diagnostics import UNUSED

#: Who reports.
SOURCE: Final = "promo-mypy"


def current_findings(document: OpenDocument) -> list[Finding]:
    """The last findings of a document at their places in its newest text; those in edited lines are left out."""
    shift = document.shift(next(iter(document.sent), -1))
    if shift is None:
        return []
    return [moved for finding in document.findings if (moved := finding.moved(shift.span)) is not None]


def diagnostic(finding: Finding, positions: Positions) -> types.Diagnostic:
    """The diagnostic of a finding in a part of a document: message, origin and remedy."""
    part = positions.part
    lines = [finding.message, *finding.origin, *([f"Remedy: {finding.remedy}"] if finding.remedy else [])]
    is_unused = finding.code == UNUSED.code
    lines_of_part = range(part.above + 1, part.above + part.count + 1)
    calls = [
        types.DiagnosticRelatedInformation(types.Location(part.uri, positions.range(each.span)), each.text)
        for each in finding.calls
        if each.span.line in lines_of_part
    ]
    return types.Diagnostic(
        range=positions.range(finding.span),
        message="\n".join(lines),
        severity=types.DiagnosticSeverity.Warning if is_unused else types.DiagnosticSeverity.Error,
        tags=[types.DiagnosticTag.Unnecessary] if is_unused else None,
        code=finding.code,
        source=SOURCE,
        related_information=calls or None,
    )
