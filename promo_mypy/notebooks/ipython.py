"""Turn the text of a cell into Python: IPython's magics and shell lines go, and every line keeps its number."""

import ast
import io
import re
import tokenize
import warnings
from dataclasses import dataclass
from typing import Final

#: Magics of a whole cell whose text is Python that runs in the notebook.
_PYTHON_MAGICS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "scalene", "snakeviz"})
#: What IPython reads as a command of its own at the beginning of a statement, or asks for help with.
_COMMAND: Final = re.compile(r"(?P<indent>\s*)(?:[%!?]|[\w.*\[\]'\"]+\?{1,2}\s*$)")
#: `%time total = f(x)`: a magic before Python.
_BEFORE_PYTHON: Final = re.compile(r"(?P<indent>\s*)(?P<magic>%(?:time|timeit|prun|memit)\s+)(?P<statement>\S.*)")
#: `files = !ls` and `best = %timeit -o f()`.
_ASSIGNED: Final = re.compile(r"(?P<targets>\s*[\w.\[\]'\", ()*]+=\s*)(?:![^=]|%\w)")
#: Commands that IPython takes without `%`, if no name hides them.
_BARE_COMMAND: Final = re.compile(
    r"(?P<indent>\s*)(?:pip3?|conda|mamba|uv|cd|ls|cat|mkdir|rm|cp|mv|wget|git)\s+[\w./~-]"
)
#: Every name may be assigned this, whose type is Any.
_ANYTHING: Final = "eval('')"


@dataclass(frozen=True, slots=True)
class PythonCell:
    """A cell as Python.

    Attributes:
        text: the text; it has as many lines as the cell.
        rewritten: the lines that differ from those of the cell, counted from 1.
        fault: why the cell cannot be read, in one line; its text is then empty lines.
    """

    text: str
    rewritten: frozenset[int] = frozenset()
    fault: str = ""


def as_python(source: str) -> PythonCell:
    """The Python in the text of a cell."""
    if not _fault(source):
        return PythonCell(source)
    before = source.split("\n")
    first = next((number for number, line in enumerate(before) if line.strip()), 0)
    after = list(before)
    magic = re.match(r"%%(\w*)", before[first].lstrip())
    if magic is not None:
        if magic[1] not in _PYTHON_MAGICS:
            return _blank(before)
        after[first] = ""
    after = _without_commands(after)
    fault = _fault("\n".join(after))
    if fault:
        return _blank(before, fault)
    changed = {number for number, pair in enumerate(zip(before, after, strict=True), start=1) if pair[0] != pair[1]}
    return PythonCell("\n".join(after), frozenset(changed))


def _without_commands(lines: list[str]) -> list[str]:
    found: list[str] = []
    is_command = False
    """Whether a command goes on in this line."""
    for line in lines:
        if is_command:
            found.append("")
        elif (replaced := _replaced(line)) is not None and not _is_open("\n".join(found)):
            found.append(replaced)
            is_command = True
        else:
            found.append(line)
            continue
        is_command = line.rstrip().endswith("\\")
    return found


def _replaced(line: str) -> str | None:
    """What stands for a line of IPython's own; None for Python."""
    if (timed := _BEFORE_PYTHON.match(line)) is not None:
        head = "if 1:".ljust(len(timed["magic"]))
        if not _fault(f"{head}{timed['statement']}"):
            return f"{timed['indent']}{head}{timed['statement']}"
    if (assigned := _ASSIGNED.match(line)) is not None:
        return f"{assigned['targets']}{_ANYTHING}"
    if (command := _COMMAND.match(line) or _BARE_COMMAND.match(line)) is not None:
        return f"{command['indent']}pass"
    return None


def _is_open(text: str) -> bool:
    """Whether a text ends within a string, brackets, or a statement that goes on."""
    if text.endswith("\\"):
        return True
    try:
        for _ in tokenize.generate_tokens(io.StringIO(f"{text}\n").readline):
            pass
    except tokenize.TokenError as error:
        return "EOF" in str(error) or "triple-quoted" in str(error)
    except SyntaxError:  # of its indentation
        return False
    return False


def _fault(text: str) -> str:
    """Why a text is no Python; empty for Python. `await` outside functions is fine, as in a notebook."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError) as error:
        return f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) else str(error)
    return ""


def _blank(lines: list[str], fault: str = "") -> PythonCell:
    return PythonCell("\n" * (len(lines) - 1), frozenset(range(1, len(lines) + 1)), fault)
