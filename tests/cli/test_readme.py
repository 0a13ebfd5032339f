"""What the README shows is what its commands give today; `python -m tests.cli` renews it."""

from pathlib import Path

import pytest

from tests.cli.readme import README, SECTION, shown, update
from tests.mypy_runs import ROOT


def test_what_the_readme_shows_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    assert update(tmp_path) == text, "run python -m tests.cli"
    pictures = [each.picture for each in shown(text) if each.picture]
    for picture in pictures:
        written, kept = (tmp_path / picture).read_bytes(), (ROOT / picture).read_bytes()
        assert written == kept, f"{picture} is out of date: run python -m tests.cli"
    assert len(pictures) == 1


def test_every_kind_of_output_is_shown() -> None:
    text = README.read_text(encoding="utf-8")
    assert [" ".join(each.command.split()[1:3]) for each in shown(text)] == [
        "coverage examples/numpy_signal.py", "infer examples/portable.py",
        "lattice show", "table jax", "explain int32",
    ]  # fmt: skip
    sections = "".join(SECTION.findall(text))
    assert all(f"]({each.picture})" in sections for each in shown(text) if each.picture)
    assert "python -m tests.cli" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_an_old_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old = tmp_path / "README.md"
    old.write_text(README.read_text(encoding="utf-8").replace("| **u8** | u8 |", "| **u8** | u9 |"), encoding="utf-8")
    monkeypatch.setattr("tests.cli.readme.README", old)
    assert update(tmp_path) == README.read_text(encoding="utf-8") != old.read_text(encoding="utf-8")
