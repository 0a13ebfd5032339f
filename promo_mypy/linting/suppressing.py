"""Leave out the findings that comments of a file accept, and find the comments that accept none."""

from collections.abc import Iterable, Sequence

from promo_mypy.rules.findings import Finding, Replacement, Span
from promo_mypy.rules.suppressions import Suppression, suppressions
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, PARENT, UNUSED
from promo_mypy.rules.wording.near_matches import suggestion

_CODES = frozenset(row.code for row in DIAGNOSTICS)
_DEFAULT = frozenset(row.code for row in DIAGNOSTICS if row.enabled)


def without_accepted(found: Iterable[Finding], path: str, text: str, wanted: frozenset[str]) -> list[Finding]:
    """The findings of a file that are wanted and that no comment accepts, and the comments without a finding.

    `wanted`: the codes to report. Those that are on by default were looked for, too.
    """
    comments = suppressions(text)
    used: dict[Suppression, set[str]] = {comment: set() for comment in comments}
    left = []
    for finding in found:
        covering = [each for each in comments if each.covers(finding.code, finding.span.line, finding.span.end_line)]
        for comment in covering:
            used[comment].add(finding.code)
        if not covering and finding.code in wanted:
            left.append(finding)
    if UNUSED.code in wanted:
        lines = text.split("\n")
        unused = ((comment, _unused(comment, codes, wanted | _DEFAULT)) for comment, codes in used.items())
        left += [_finding(path, comment, codes, lines[comment.line - 1]) for comment, codes in unused if codes]
    return left


def _unused(comment: Suppression, used: set[str], sought: frozenset[str]) -> list[str]:
    """The codes of a comment that accept nothing. Whether there are findings of codes that nobody sought is unknown."""
    if PARENT in comment.codes:
        return [] if used else [PARENT]
    return [code for code in comment.codes if code not in used and (code in sought or code not in _CODES)]


def _finding(path: str, comment: Suppression, codes: Sequence[str], line: str) -> Finding:
    span = Span(comment.line, comment.column, comment.line, comment.end_column)
    unknown = [code for code in codes if code not in _CODES | {PARENT}]
    if unknown:
        problem, remedy = f"The comment names {unknown[0]}", f"that is no code{suggestion(unknown[0], sorted(_CODES))}"
        return Finding(path, span, UNUSED.code, problem, remedy=remedy, source=line.strip())
    left = [code for code in comment.codes if code not in codes]
    named = "" if PARENT in codes else f" of {' and '.join(codes)}"
    problem = f"There is no finding{named} for this comment to accept"
    remedy = f"leave only {' and '.join(left)} in it" if left else "remove it"
    replacement = Replacement(span, comment.with_codes(left) if left else "")
    return Finding(path, span, UNUSED.code, problem, remedy=remedy, source=line.strip(), replacement=replacement)
