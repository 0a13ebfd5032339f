"""Random edits: mypy says the same in every mode. `python -m tests.incremental` makes more of them."""

import sys
from pathlib import Path

import pytest

from tests.incremental.modes import Cold, Daemon, Mode, Report, State, Warm, Workers, Workspace
from tests.incremental.walks import Figures, Step, steps, walk


@pytest.mark.slow
def test_no_edit_makes_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = Figures()
    walk("quick", 6, tmp_path, figures, (Warm, Daemon))
    walk("workers", 0, tmp_path, figures, (Workers,))
    with capsys.disabled():
        sys.stdout.write(f"\nIncremental: {figures}\n")
    assert not figures.differences, "\n".join(map(str, figures.differences))
    assert figures.edits == 6
    assert figures.messages > 20 * figures.edits


class _Stale(Mode):
    """A warm run that does not see that a file has changed."""

    name = "stale"
    remembers = True

    def check(self, state: State) -> Report:
        """Check the first state again and again."""
        self._first = getattr(self, "_first", state)
        return super().check(self._first)

    def run(self) -> str:
        """Run with the cache of the last run."""
        return Cold.run(self)  # type: ignore[arg-type]  # it uses nothing else of `Cold`


@pytest.mark.slow
def test_a_mode_that_misses_an_edit_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Figures()
    first, second = (State({"walk/main.py": f"reveal_type({value})\n"}) for value in ("1", "b''"))
    path = [Step("new", first), Step("a type", second)]
    monkeypatch.setattr("tests.incremental.walks.steps", lambda *_: path)
    monkeypatch.setattr("tests.incremental.walks._Stock.differs", lambda *_: False)
    walk("stale", 1, tmp_path, figures, (_Stale,))
    assert [(found.number, found.mode, len(found.lost)) for found in figures.differences] == [(1, "stale", 1)]
    assert "walk stale, edit 1 (a type), stale:" in str(figures.differences[0])


def test_the_same_seed_makes_the_same_edits() -> None:
    assert steps("a", 40) == steps("a", 40)
    assert steps("a", 40) != steps("b", 40)


def test_every_kind_of_edit_is_made() -> None:
    made = " ".join(step.edit for seed in "abcdefgh" for step in steps(seed, 60))
    kinds = "alias annotation operand operator reexport route decorator base field option setting lattice mutation"
    changes = "added moved deleted back broken repaired comment"
    assert [kind for kind in (kinds + " " + changes).split() if kind not in made] == []


def test_the_files_of_a_state_are_on_disk(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, plugin=True)
    workspace.write(tmp_path, State({"walk/a.py": "a = 1\n", "walk/b.py": "b = 1\n"}))
    before = (tmp_path / "walk/a.py").stat().st_mtime
    workspace.write(tmp_path, State({"walk/a.py": "a = 2\n"}))
    assert sorted(path.name for path in (tmp_path / "walk").iterdir()) == ["a.py"]
    assert (tmp_path / "walk/a.py").stat().st_mtime - before == 2
