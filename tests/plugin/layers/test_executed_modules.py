"""Calls of a user's modules, and the parameters of modules: their dtypes are those of the execution."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.plugin.executed_programs import compare, execute

needs("torch", "jax", "jaxtyping")

PROGRAMS = sorted((Path(__file__).parent / "executed").glob("*.py.txt"))


def test_modules_have_the_dtypes_of_their_execution(tmp_path: Path, plugin_cache: Path) -> None:
    names = [program.name.removesuffix(".txt") for program in PROGRAMS]
    for program, name in zip(PROGRAMS, names, strict=True):
        (tmp_path / name).write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    done = run_mypy(tmp_path, ".", cache=plugin_cache)
    assert done.status in (0, 1), done.output
    executed = execute(PROGRAMS)
    for program, name in zip(PROGRAMS, names, strict=True):
        compare(program, executed[program], [each for each in done.messages if each.file == name])
