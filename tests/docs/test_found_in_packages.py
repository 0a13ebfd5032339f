"""The page `docs/found-in-packages.md`: its kinds are found as it says, and its figures are those of the list."""

import re
from pathlib import Path

from tests.cli.check.checks import check_json
from tests.docs.pages import page
from tests.needed import needs
from tests.packages.findings.figures import DEFAULT
from tests.packages.findings.rows import VERDICTS, packages, reviews

PAGE = page("docs/found-in-packages.md")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_kinds_are_found_as_the_comments_say(tmp_path: Path, check_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    assert len(PROGRAMS) == PAGE.count("\n### ") == 10
    wanted = set()
    for number, program in enumerate(PROGRAMS):
        (tmp_path / f"kind_{number}.py").write_text(program, encoding="utf-8")
        for line, text in enumerate(program.splitlines(), start=1):
            wanted |= {(f"kind_{number}.py", line, code) for code in re.findall(r"  # (promo-\w+)$", text)}
    done = check_json(tmp_path, check_cache, "--select", "all")
    assert {(each["path"], each["line"], each["code"]) for each in done.findings} == wanted


def test_most_findings_are_true() -> None:
    (table,) = re.findall(r"<!-- first -->\n(.*?)<!-- /first -->", PAGE, re.DOTALL)
    total = next(line for line in table.splitlines() if line.startswith("| all that are on |"))
    findings, _, _, *verdicts, unread = (float(cell) for cell in total.strip("| ").split(" | ")[2:])
    assert unread == 0
    assert sum(verdicts) == findings
    assert verdicts[VERDICTS.index("true")] >= 0.9 * findings


def test_the_table_and_the_list_fit_each_other() -> None:
    rows = packages()
    assert [sum(row.group == group for row in rows) for group in ("first", "second", "fresh")] == [40, 10, 10]
    assert len({row.package.name for row in rows}) == len(rows)
    assert len({row.field for row in rows if row.group == "first"}) >= 11
    assert {review.package for review in reviews().values()} <= {row.package.name for row in rows}
    assert {review.code for review in reviews().values()} <= DEFAULT
