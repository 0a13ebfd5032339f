"""Count the findings of packages by code and verdict, as a table in Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS
from tests.packages.findings.checked import Checked, Found
from tests.packages.findings.rows import VERDICTS, Review

Reviews = Mapping[tuple[str, str, str, str], Review]

#: The codes that are on by default.
DEFAULT: Final = frozenset(row.code for row in DIAGNOSTICS if row.enabled)
_LINES: Final = 100_000


def figures(checked: Sequence[Checked], reviews: Reviews) -> str:
    """How many findings there are: by code, by verdict, and per 100,000 lines."""
    lines = sum(each.lines for each in checked)
    findings = [finding for each in checked for finding in each.findings]
    rows = [
        "| code | default | findings | per 100,000 lines | in packages | true | false | useless | not read |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in DIAGNOSTICS:
        of_code = [finding for finding in findings if finding.code == row.code]
        if of_code:
            rows.append(_row(row.code, "on" if row.enabled else "off", of_code, lines, reviews))
    default = [finding for finding in findings if finding.code in DEFAULT]
    rows.append(_row("all that are on", "on", default, lines, reviews))
    files = sum(each.files for each in checked)
    return "\n".join([f"{len(checked)} packages, {files:,} files, {lines:,} lines.", "", *rows])


def verdicts(findings: Sequence[Found], reviews: Reviews) -> Counter[str]:
    """The findings by verdict; "" for those that nobody has read."""
    return Counter(_verdict(finding, reviews) for finding in findings)


def key_of(finding: Found) -> tuple[str, str, str, str]:
    """What a review has in common with the findings that it is about."""
    return (finding.package, finding.file, finding.source, finding.code)


def _row(code: str, default: str, findings: Sequence[Found], lines: int, reviews: Reviews) -> str:
    found = verdicts(findings, reviews)
    cells = [
        code if code.startswith("all") else f"`{code}`",
        default,
        str(len(findings)),
        f"{len(findings) * _LINES / lines:.1f}",
        str(len({finding.package for finding in findings})),
        *(str(found[verdict]) for verdict in VERDICTS),
        str(found[""]),
    ]
    return f"| {' | '.join(cells)} |"


def _verdict(finding: Found, reviews: Reviews) -> str:
    review = reviews.get(key_of(finding))
    return review.verdict if review is not None else ""
