"""Operators and functions on pairs of dtypes: a cast that `--fix` inserts runs, and the finding is gone."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.rules.findings import Finding
from tests.cli.check.mended_calls import SUBJECTS, Subject
from tests.needed import imported, needs

imported("libcst")


def written(subject: Subject, cases: list[tuple[tuple[str, ...], str]]) -> str:
    """The program of all functions: the place of a function is its number."""
    lines = [subject.imports, "from typing import Annotated"]
    for number, (dtypes, body) in enumerate(cases):
        names = [subject.annotation.format("bool_" if dtype == "bool" and "torch" not in subject.needs else dtype)
                 for dtype in dtypes]  # fmt: skip
        parameters = ", ".join(f"{name}: {annotation}" for name, annotation in zip("xy", names, strict=False))
        lines.append(f"def f{number}({parameters}) -> None:\n    {body}\n")
    return "\n".join(lines)


def number_at(text: str, line: int) -> int:
    """The number of the function that a line is in."""
    return int(re.findall(r"^def f(\d+)", "\n".join(text.splitlines()[:line]), re.MULTILINE)[-1])


def by_function(found: tuple[Finding, ...], text: str) -> Mapping[tuple[int, str], Finding]:
    return {(number_at(text, each.span.line), each.code): each for each in found}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SUBJECTS)
def test_each_cast_runs_and_the_finding_is_gone(
    name: str, tmp_path: Path, check_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from promo_mypy.fixing.mended_files import mended, write

    subject = SUBJECTS[name]
    needs(*subject.needs)
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(f"[tool.promo-mypy]\n{subject.options}")
    file, cases = Path("program.py"), list(subject.lines())
    file.write_text(written(subject, cases))
    request = LintRequest((file,), cache=check_cache, selection=Selection(("all",)), pyproject=Path("pyproject.toml"))
    before = lint(request).findings
    casts = {key for key, each in by_function(before, file.read_text()).items() if each.cast is not None}
    assert len(casts) >= subject.casts
    write(mended(before))
    text = file.read_text()
    left = by_function(lint(request).findings, text)
    assert casts & left.keys() == set()
    modules = {alias: import_module(module) for module, alias in re.findall(r"import (\S+) as (\S+)", subject.imports)}
    modules |= {module: import_module(module) for module in subject.needs}
    namespace: dict[str, Any] = dict(modules)
    exec(compile(text, str(file), "exec"), namespace)
    too_large = {number for number, code in left if code == "promo-overflow"}  # of numbers, which no cast mends
    for number in {number for number, _ in casts} - too_large:
        namespace[f"f{number}"](*(subject.array(modules, dtype) for dtype in cases[number][0]))
