"""The output in the documentation is today's output of its commands; `python -m tests.cli` renews it."""

import re
from pathlib import Path

import pytest

from tests.cli.shown_output import PAGES, shown, updated
from tests.docs.pages import page
from tests.mypy_runs import ROOT
from tests.slow_tests import slow_but

TEXTS = [page(str(each)) for each in PAGES]


@pytest.mark.parametrize("text", slow_but(TEXTS[-1:], TEXTS), ids=[each.stem for each in PAGES])
def test_the_output_on_a_page_is_up_to_date(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert updated(text, tmp_path) == text, "run python -m tests.cli"
    for picture in (each.picture for each in shown(text) if each.picture):
        written, kept = (tmp_path / picture).read_bytes(), (ROOT / picture).read_bytes()
        assert written == kept, f"{picture} is out of date: run python -m tests.cli"


def test_every_kind_of_output_is_shown() -> None:
    commands = [each for text in TEXTS for each in shown(text)]
    assert [" ".join(each.command.split()[1:3]) for each in commands] == [
        "coverage examples/numpy_signal.py", "infer examples/portable.py",
        "lattice show", "table jax", "explain int32",
    ]  # fmt: skip
    pictures = [each.picture for each in commands if each.picture]
    linked = {f"docs/{link}" for text in TEXTS for link in re.findall(r"!\[.*?\]\((.*?)\)", text)}
    assert len(pictures) == 1
    assert set(pictures) == linked
    assert "python -m tests.cli" in page("CONTRIBUTING.md")


def test_an_old_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page("docs/lattice-pictures.md")
    old = text.replace("| **u8** | u8 |", "| **u8** | u9 |")
    assert old != text
    assert updated(old, tmp_path) == text
