"""Execute programs, and compare what mypy reveals and reports with the dtypes and failures of their execution.

Each `reveal_type` gets the dtype that the value has when the program runs; `# unknown: reason` stands behind those that
nothing in the program decides, or that the plugin does not know. Each function `wrong_...` fails when it is called, and
mypy reports the line in which it fails, and nothing else; `# not reported: reason` stands behind those it misses.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.mypy_runs import Message, environment

#: The dtypes of the values of a program by line, and the lines in which its mistakes fail.
Executed = tuple[dict[int, list[str]], list[int]]

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


def execute(programs: Sequence[Path]) -> Mapping[Path, Executed]:
    """Run programs of one library in one process."""
    command = [sys.executable, "-c", _RUNNER, *map(str, programs)]
    ran = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, tuple[dict[str, list[str]], list[int]]] = json.loads(ran.stdout.splitlines()[-1])
    return {
        Path(each): ({int(n): names for n, names in dtypes.items()}, lines) for each, (dtypes, lines) in found.items()
    }


def compare(program: Path, executed: Executed, messages: Sequence[Message]) -> None:
    """Assert that mypy's messages about a program are those of its execution."""
    text = dict(enumerate(program.read_text(encoding="utf-8").splitlines(), start=1))
    dtypes, failing = executed
    revealed = {each.line: dtype_of(each.revealed) for each in messages if each.revealed is not None}
    known = {line: found for line, found in dtypes.items() if "# unknown: " not in text[line]}
    assert len(known) > 5
    assert {line: [revealed.get(line)] for line in known} == known
    # What a comment calls unknown may be known some day, but never wrong.
    others = {line: found for line, found in dtypes.items() if line not in known}
    assert all(revealed.get(line) is None or [revealed[line]] == found for line, found in others.items())
    reported = {each.line: each.text for each in messages if each.severity == "error"}
    assert reported == {line: reported.get(line) for line in failing if "# not reported: " not in text[line]}


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
