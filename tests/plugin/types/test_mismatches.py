"""What mypy's own errors about dtypes are about: the value, the dtype that it has, and the declared one."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection

_PROGRAM: Final = Path(__file__).with_name("mismatches.py.txt")
_SAID: Final = re.compile(r"#: (.*)$")


def test_a_value_of_another_dtype_is_named_in_every_place(tmp_path: Path, check_cache: Path) -> None:
    text = _PROGRAM.read_text(encoding="utf-8")
    file = tmp_path / "program.py"
    file.write_text(text, encoding="utf-8")
    report = lint(LintRequest((file,), cache=check_cache, selection=Selection(("promo-mismatch",))))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for each in report.findings:
        found[each.span.line].append(each.message)
    said = {number: match[1] for number, line in enumerate(text.splitlines(), start=1) if (match := _SAID.search(line))}
    assert {line: " / ".join(sorted(messages)) for line, messages in found.items()} == said
