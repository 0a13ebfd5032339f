"""Programs after public bug reports: dtypes and mistakes are those of their execution.

Each `reveal_type` gets the dtype that the value has when the program runs; `# unknown: reason` stands behind those that
nothing in the program decides, or that the plugin does not know. Each function `wrong_...` fails when it is called, and
mypy reports the line in which it fails, and nothing else; `# not reported: reason` stands behind those it misses.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Message, environment, run_mypy
from tests.needed import needs
from tests.slow_tests import slow_but

PROGRAMS = sorted((Path(__file__).parent / "bug_reports").glob("*.py.txt"))
#: Those that the quick tests run.
QUICK = [each for each in PROGRAMS if each.name.startswith(("numpy_02", "numpy_04"))]
LIBRARIES = ("numpy", "jax", "torch")

#: Runs programs, and prints the dtypes of their values and the line in which each mistake fails.
_RUNNER = """\
import builtins, json, re, sys, traceback, warnings
warnings.simplefilter("ignore")
def reveal_type(value):
    first = value[0] if isinstance(value, (list, tuple)) else value
    if hasattr(first, "dtype"):
        weak = "weak_" if getattr(first, "weak_type", False) else ""
        dtype = re.findall(r"bool|b?float\\w+|u?int\\w+|complex\\w+", str(first.dtype))[0]
        found.setdefault(sys._getframe(1).f_lineno, set()).add(weak + dtype)
    return value
def failing_line(function, path):
    try:
        with warnings.catch_warnings():
            function()
    except Exception as error:
        return [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == path][-1]
    raise AssertionError(f"{function.__name__} does not fail")
builtins.reveal_type, results = reveal_type, {}
for path in sys.argv[1:]:
    space, found = {"__name__": "__main__"}, {}
    exec(compile(open(path).read(), path, "exec"), space)
    failing = [failing_line(each, path) for name, each in list(space.items()) if name.startswith("wrong_")]
    results[path] = {line: sorted(dtypes) for line, dtypes in found.items()}, failing
print(json.dumps(results))
"""

_OURS: Final = re.compile(r"\b(?:Array|Tensor|Parameter)\[(?:[\w.]*\.)?(\w+)()")
_NUMPY: Final = re.compile(
    r"numpy\.(floating|complexfloating|signedinteger|unsignedinteger|bool|float64|complex128|int64)\b(?:\[([^\]]*)\])?"
)
_KINDS: Final = {"floating": "float", "complexfloating": "complex", "signedinteger": "int", "unsignedinteger": "uint"}

Check = Callable[[str], tuple[Message, ...]]
Executed = Callable[[Path], tuple[dict[int, list[str]], list[int]]]


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
def executed() -> Executed:
    """Program -> the dtypes of its values by line, and the lines in which its mistakes fail."""

    @cache
    def run(library: str) -> dict[str, tuple[dict[str, list[str]], list[int]]]:
        programs = [str(each) for each in PROGRAMS if each.name.startswith(library)]
        command = [sys.executable, "-c", _RUNNER, *programs]
        ran = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        found: dict[str, tuple[dict[str, list[str]], list[int]]] = json.loads(ran.stdout.splitlines()[-1])
        return found

    def of_program(program: Path) -> tuple[dict[int, list[str]], list[int]]:
        dtypes, failing = run(library_of(program))[str(program)]
        return {int(line): found for line, found in dtypes.items()}, failing

    return of_program


def library_of(program: Path) -> str:
    """The library of a program."""
    return program.name.partition("_")[0]


@pytest.mark.parametrize("program", slow_but(QUICK, PROGRAMS), ids=lambda path: path.name.partition(".")[0])
def test_dtypes_and_mistakes_are_those_of_the_execution(program: Path, check: Check, executed: Executed) -> None:
    library = library_of(program)
    needs(library, *(["jaxtyping"] if library == "jax" else []))
    text = dict(enumerate(program.read_text(encoding="utf-8").splitlines(), start=1))
    dtypes, failing = executed(program)
    messages = [each for each in check(library) if each.file == program.name.removesuffix(".txt")]
    revealed = {each.line: dtype_of(each.revealed) for each in messages if each.revealed is not None}
    known = {line: found for line, found in dtypes.items() if "# unknown: " not in text[line]}
    assert len(known) > 5
    assert {line: [revealed.get(line)] for line in known} == known
    # What a comment calls unknown may be known some day, but never wrong.
    others = {line: found for line, found in dtypes.items() if line not in known}
    assert all(revealed.get(line) is None or [revealed[line]] == found for line, found in others.items())
    reported = {each.line: each.text for each in messages if each.severity == "error"}
    assert reported == {line: reported.get(line) for line in failing if "# not reported: " not in text[line]}


def test_every_library_has_programs() -> None:
    assert set(map(library_of, PROGRAMS)) == set(LIBRARIES)
    assert len(QUICK) == 2


def dtype_of(revealed: str) -> str | None:
    """The dtype of a revealed array, tensor or scalar; None if it has no single one."""
    names = {name for name, _ in _OURS.findall(revealed)} or {_named(*each) for each in _NUMPY.findall(revealed)}
    (name,) = names if len(names) == 1 else (None,)
    return None if name in (None, "Any") else name.removesuffix("_")


def _named(name: str, bits: str) -> str:
    """A scalar class of NumPy: `floating` with its bits, or `float64`."""
    kind = _KINDS.get(name)
    if kind is None:
        return name
    numbers = [int(each) for each in re.findall(r"_(\d+)Bit", bits)]
    if not numbers:
        return "Any"
    # On the platforms of the tests, what is int32 or int64 is int64.
    return f"{kind}{max(numbers) if '|' in bits else sum(numbers)}"
