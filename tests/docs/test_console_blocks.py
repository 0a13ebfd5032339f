"""Every block of commands in the documentation is executed by some test: those of the reference pages by this one."""

import shutil
from pathlib import Path

import pytest

from tests.cli import shown_output
from tests.docs.pages import DOCUMENTATION, blocks, page
from tests.docs.walkthrough import WALKTHROUGHS, Place, run_line
from tests.mypy_runs import ROOT

#: Page -> the test that executes its commands.
ELSEWHERE = {
    **{file.relative_to(ROOT): "tests/docs/test_walkthroughs.py" for file in WALKTHROUGHS},
    **dict.fromkeys(shown_output.PAGES, "tests/cli/test_shown_output.py"),
    Path("docs/record-and-annotate.md"): "tests/docs/test_record_and_annotate.py",
    Path("docs/found-in-packages.md"): "tests/packages/findings/__main__.py",  # it downloads forty packages
    Path("docs/editors.md"): "tests/editors/test_machine_readable.py",
    Path("docs/installation.md"): "tests/packaging/test_installation.py",
    Path("docs/validation.md"): "tests/runtime/validation/test_documentation.py",
}
#: Page -> its commands with their exit status, in order, in the folder that `prepared` makes.
HERE = {
    Path("docs/check.md"): {
        "promo-mypy check src": 1,
        "promo-mypy check --baseline baseline.json --write-baseline": 0,
        "promo-mypy check --baseline baseline.json": 0,
    },
    Path("docs/faq.md"): {"promo-mypy explain int32 float32 --system numpy": 0},
    Path("docs/index.md"): {"promo-mypy check examples/check": 1},
    Path("docs/own-lattice.md"): {"promo-mypy lattice check pyproject.toml": 0},
}
#: `tests.packaging.quick_start` installs the checkout as the pages say.
INSTALL = "python -m pip install ."


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A folder with what the commands name: a program with a mistake, and the lattices of the page."""
    for folder in ("examples/check", "src"):
        shutil.copytree(ROOT / "examples" / "check", tmp_path / folder)
    (tmp_path / "lattices").mkdir()
    shutil.copy(ROOT / "examples" / "own_lattice" / "exact.toml", tmp_path / "lattices")
    return tmp_path


def commands(file: Path) -> list[str]:
    """The commands in the blocks of a page."""
    return [line for block in blocks(page(str(file)), "bash") for line in block.splitlines()]


def test_every_page_with_commands_is_executed() -> None:
    with_commands = {file.relative_to(ROOT) for file in DOCUMENTATION if commands(file.relative_to(ROOT))}
    assert with_commands == {*ELSEWHERE, *HERE}
    assert all((ROOT / test).exists() for test in ELSEWHERE.values())


@pytest.mark.slow
@pytest.mark.parametrize("file", HERE, ids=lambda file: file.stem)
def test_the_commands_of_a_page_run(file: Path, prepared: Path, tmp_path: Path, check_cache: Path) -> None:
    written = [line for line in commands(file) if line != INSTALL]
    assert written == [*HERE[file]]
    for toml in blocks(page(str(file)), "toml"):
        if "[tool.promo-mypy.systems]" in toml:
            (prepared / "pyproject.toml").write_text(toml, encoding="utf-8")
    place = Place(prepared, tmp_path / "mypy", check_cache)
    done = {line: run_line(line, place) for line in written}
    assert {line: each.returncode for line, each in done.items()} == HERE[file], done


@pytest.mark.slow
def test_the_first_page_shows_what_its_command_prints(prepared: Path, tmp_path: Path, check_cache: Path) -> None:
    text = page("docs/index.md")
    shown, *_ = blocks(text, "text")
    line = commands(Path("docs/index.md"))[-1]
    assert run_line(line, Place(prepared, tmp_path / "mypy", check_cache)).stdout == shown
