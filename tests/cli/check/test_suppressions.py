"""Findings that somebody has accepted, by comments or by options for files and modules; comments without a finding."""

from pathlib import Path

import pytest

from tests.cli.check.checks import HEADER, check, check_json
from tests.needed import needs

#: A function with a mismatch in its last line.
_WRONG = "def {name}(image: NDArray[np.float64]) -> NDArray[np.float32]:\n{body}\n\n\n"


def program(**bodies: str) -> str:
    """Functions with those bodies."""
    return HEADER + "".join(_WRONG.format(name=name, body=body) for name, body in bodies.items())


#: Function -> its body, and whether the finding in it is reported.
BODIES = {
    "plain": ("    return image", True),
    "accepted": ("    return image  # promo: ignore[promo-mismatch] -- it is", False),
    "of_all_codes": ("    return image  # promo: ignore", False),
    "of_the_parent": ("    return image  # promo: ignore[promo]", False),
    "of_another_code": ("    return image  # promo: ignore[promo-overflow]", True),
    "in_a_string": ("    x = '# promo: ignore[promo-mismatch]'; return image", True),
    "above": ("    # promo: ignore[promo-mismatch]\n    return image", False),
    "over_lines": ("    return (\n        image\n        * 2\n    )  # promo: ignore[promo-mismatch]", False),
    "in_another_line": ("    x = image  # promo: ignore[promo-mismatch]\n    return image", True),
    "bare": ("    return image  # type: ignore", True),
    "named": ("    return image  # type: ignore[promo-mismatch]", False),
    "named_by_mypy": ("    return image  # type: ignore[return-value]", False),
    "an_overflow": (
        "    np.ones(3, np.uint8) + 300  # promo: ignore[promo-overflow,promo-mismatch]\n    return image * np.nan",
        True,
    ),
}
UNUSED = {"of_another_code", "in_another_line", "an_overflow"}


def lines_of(text: str, names: set[str]) -> set[int]:
    """The lines between the heads of some functions and the next."""
    heads = [number for number, line in enumerate(text.splitlines(), start=1) if line.startswith("def ")]
    found = set()
    for head, name in zip(heads, BODIES, strict=True):
        if name in names:
            found |= set(range(head + 1, next((each for each in heads if each > head), head + 9)))
    return found


def test_comments_accept_findings_and_those_that_accept_none_are_reported(tmp_path: Path, check_cache: Path) -> None:
    text = program(**{name: body for name, (body, _) in BODIES.items()})
    (tmp_path / "a.py").write_text(text)
    done = check_json(tmp_path, check_cache, "--report-unused")
    mismatches = [line for line, code in done.codes if code == "promo-mismatch"]
    wrong = {name for name, (_, is_reported) in BODIES.items() if is_reported}
    assert set(mismatches) <= lines_of(text, wrong)
    assert len(mismatches) == len(wrong)
    unused = [each for each in done.findings if each["code"] == "promo-unused-ignore"]
    assert {each["line"] for each in unused} <= lines_of(text, UNUSED)
    assert len(unused) == len(UNUSED)
    assert [each["comment"] for each in unused] == ["", "", "# promo: ignore[promo-overflow]"]
    respected = check_json(tmp_path, check_cache, "--respect-type-ignore")
    assert len(respected.codes) == len(wrong) - 1


def test_unused_comments_are_removed(tmp_path: Path, check_cache: Path) -> None:
    needs("libcst")
    before = program(
        one="    # promo: ignore[promo-overflow] -- why\n    return image.astype(np.float32)  # promo: ignore # noqa",
        two="    return image  # promo: ignore[promo-overflow,promo-mismatch] -- so it is",
        three="    return image * 2  # promo: ignore[promo-overflow]",
    )
    (tmp_path / "a.py").write_bytes(before.replace("\n", "\r\n").encode())
    kept = check(tmp_path, check_cache, "--fix")
    assert "removed" not in kept.errors
    shown = check(tmp_path, check_cache, "--show-fixes", "--report-unused").output
    assert shown.count("\n-") == 4
    done = check(tmp_path, check_cache, "--fix", "--report-unused")
    assert "removed 4 comments in 1 file" in done.errors
    after = program(
        one="    return image.astype(np.float32)  # noqa",
        two="    return image  # promo: ignore[promo-mismatch] -- so it is",
        three="    return (image * 2).astype(np.float32)",
    )
    assert (tmp_path / "a.py").read_bytes().decode() == after.replace("\n", "\r\n")
    assert done.status == 0


def test_comments_for_a_file(tmp_path: Path, check_cache: Path) -> None:
    wrong = program(f="    return image\n    # promo: ignore[promo-mismatch]")
    (tmp_path / "ours.py").write_text(f"# promo: ignore-file[promo-mismatch] -- generated\n{wrong}")
    (tmp_path / "unused.py").write_text("# promo: ignore-file[promo-mismatch, promo-mismach]\n")
    (tmp_path / "mypys.py").write_text(f"#!/usr/bin/env python\n\n# type: ignore\n{wrong}")
    done = check_json(tmp_path, check_cache, "--report-unused")
    found = {(each["path"], each["line"], each["code"]) for each in done.findings}
    assert found == {
        ("mypys.py", 9, "promo-mismatch"), ("mypys.py", 10, "promo-unused-ignore"),
        ("ours.py", 8, "promo-unused-ignore"), ("unused.py", 1, "promo-unused-ignore"),
    }  # fmt: skip
    (told,) = [each for each in done.findings if each["path"] == "unused.py"]
    assert (told["message"], told["remedy"]) == (
        "The comment names promo-mismach", 'that is no code, did you mean "promo-mismatch"?'
    )  # fmt: skip
    respected = check_json(tmp_path, check_cache, "--respect-type-ignore").findings
    assert [each["path"] for each in respected] == []


OPTIONS = """
[tool.promo-mypy.check]
select = ["promo-mismatch", "promo-widening"]
per-file-ignores = {"tests/**" = ["promo-w"], "**/old_*.py" = ["promo"]}

[[tool.promo-mypy.overrides]]
module = "pkg.slow"
ignore = ["promo-mismatch"]

[[tool.promo-mypy.overrides]]
module = "pkg.strict"
select = ["promo-o", "promo-widening"]
"""


def test_options_for_files_and_modules(tmp_path: Path, check_cache: Path) -> None:
    text = program(f="    np.ones(3, np.uint8) + 300\n    image.astype(np.uint8) / 2\n    return image")
    (tmp_path / "pyproject.toml").write_text(OPTIONS)
    for name in ("pkg/__init__.py", "pkg/slow.py", "pkg/strict.py", "pkg/old_one.py", "tests/deep/test_a.py", "a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("" if name.endswith("__init__.py") else text)
    done = check_json(tmp_path, check_cache)
    assert {(each["path"], each["code"]) for each in done.findings} == {
        ("a.py", "promo-mismatch"), ("a.py", "promo-widening"),
        ("pkg/slow.py", "promo-widening"),
        ("pkg/strict.py", "promo-overflow"), ("pkg/strict.py", "promo-widening"),
        ("tests/deep/test_a.py", "promo-mismatch"),
    }  # fmt: skip
    # A flag replaces the option, in all modules; what is ignored in files stays so.
    chosen = check_json(tmp_path, check_cache, "--select", "promo-mismatch,promo-widening", "--ignore", "promo-m")
    assert {(each["path"], each["code"]) for each in chosen.findings} == {
        ("a.py", "promo-widening"), ("pkg/slow.py", "promo-widening"), ("pkg/strict.py", "promo-widening"),
    }  # fmt: skip


FAULTS = {
    "no table": ("per-file-ignores = []", "check.per-file-ignores: expected a table from patterns of files to codes"),
    "no code": (
        'per-file-ignores = {"a.py" = ["promo-widning"]}',
        'check.per-file-ignores."a.py": "promo-widning" is no code, did you mean "promo-widening"?',
    ),
    "no switch": ("report-unused = 1", "check.report-unused: expected true or false, not 1 (int)"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faulty_options_are_one_message(name: str, tmp_path: Path, check_cache: Path) -> None:
    option, told = FAULTS[name]
    (tmp_path / "pyproject.toml").write_text(f"[tool.promo-mypy.check]\n{option}\n")
    (tmp_path / "a.py").write_text("")
    done = check(tmp_path, check_cache)
    assert done.status == 2
    assert told in " ".join(done.errors.split())
