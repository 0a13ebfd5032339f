"""Programs after public bug reports: dtypes and mistakes are those of their execution."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.mypy_runs import Message, run_mypy
from tests.needed import needs
from tests.plugin.executed_programs import Executed, compare, execute
from tests.slow_tests import slow_but

PROGRAMS = sorted((Path(__file__).parent / "bug_reports").glob("*.py.txt"))
#: Those that the quick tests run.
QUICK = [each for each in PROGRAMS if each.name.startswith(("numpy_02", "numpy_04"))]
LIBRARIES = ("numpy", "jax", "torch")

Check = Callable[[str], tuple[Message, ...]]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Check:
    """Library -> what mypy says about its programs."""

    @cache
    def run(library: str) -> tuple[Message, ...]:
        folder = tmp_path_factory.mktemp(library)
        for program in PROGRAMS:
            if program.name.startswith(library):
                (folder / program.name.removesuffix(".txt")).write_text(program.read_text(encoding="utf-8"))
        done = run_mypy(folder, ".", cache=plugin_cache)
        assert done.status in (0, 1), done.output
        return done.messages

    return run


@pytest.fixture(scope="module")
def executed() -> Callable[[Path], Executed]:
    """Program -> what its execution gives."""
    run = cache(lambda library: execute([each for each in PROGRAMS if each.name.startswith(library)]))
    return lambda program: run(library_of(program))[program]


def library_of(program: Path) -> str:
    """The library of a program."""
    return program.name.partition("_")[0]


@pytest.mark.parametrize("program", slow_but(QUICK, PROGRAMS), ids=lambda path: path.name.partition(".")[0])
def test_dtypes_and_mistakes_are_those_of_the_execution(
    program: Path, check: Check, executed: Callable[[Path], Executed]
) -> None:
    library = library_of(program)
    needs(library, *(["jaxtyping"] if library == "jax" else []))
    messages = [each for each in check(library) if each.file == program.name.removesuffix(".txt")]
    compare(program, executed(program), messages)


def test_every_library_has_programs() -> None:
    assert set(map(library_of, PROGRAMS)) == set(LIBRARIES)
    assert len(QUICK) == 2
