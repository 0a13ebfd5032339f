"""NumPy scalars with Python numbers, in lists, dicts and calls: only the errors of stock mypy.

Every line of the program runs; without the plugin `z[0]` is Any. Where an annotation declares a dtype, the error is a
true one.
"""

from pathlib import Path
from typing import Final

from tests.mypy_runs import run_mypy

QUIET: Final = (
    "names[z[0]]", "names[z[0]] = 'a'", "names.get(z[0])", "names.get(z[0], 'a')", "names.pop(z[2])",
    "names.setdefault(z[0], 'a')", "names[np.sum(z * z) - 5]", "names[np.sign(total)]", "names[np.dot(z, z) - 5]",
    "halves[h[0]]", "halves[h.max()]", "pairs[z[0], z[1]]", "pairs[z[0], 1]", "pairs.get((z[0], 1))",
    "annotated[z[1]]", "flags[h[0] > 1]", "counts.append(z[0])", "counts.insert(z[0], z[1])",
    "counts.index(z[1])", "counts.count(z[0])", "counts.remove(z[1])", "counts[0] = z[0]", "counts[0] += z[1]",
    "counts[0] /= d[0]", "counts += [z[0]]",
    "counts.extend([z[0]])", "seen.add(z[0])", "seen.discard(z[0])", "seen | {z[0]}", "words.update(a=z[0])",
    "words['a'] += z[0]", "both = (z[0], z[1])", "both = z[0], 1", "ordinal(z[1] + 1)", "math.gcd(z[1], 2)",
    "random.Random(1).randrange(z[2])", "takes(z[0])", "takes(1, h.mean())",
    "counts.append(self.z[0])", "names[self.z[0]]", "names[z[i]]",
    "np.array([1.0, 2.0]) / self.scale", "z.sum() * self.scale", "self.scale - np.array([h[0]])",
    "np.array([1.0, 2.0]) * self.some", "self.some * np.array([1.0, 2.0])", "np.sqrt(np.asarray([1.0])) + self.some",
    "table = np.zeros((2, 2), dtype=complex)\n        table[:, 0] = self.some",
)  # fmt: skip
REFUSED: Final = (
    "scalar(d[0])",  # an annotation names another dtype
    "names[h]", "names['a']", "counts.append('a')", "counts.append(z)", "names.get('a')",  # also without the plugin
    "exact[0] = self.scale", "names[np.argmax(z)]", "pairs['a', 'b']", "self.known / self.scale",
)  # fmt: skip
ALONE: Final = REFUSED[1:]
HEAD: Final = """\
import math
import random
from datetime import date
from numbers import Number
from typing import Any

import numpy as np

ordinal = date.fromordinal
annotated: dict[int, str] = {0: "a", 1: "b"}


def takes(n: int, x: float = 1.0) -> None: ...


def scalar(x: np.float32) -> None: ...


class Holder:
    z = np.arange(3)

    def __init__(self) -> None:
        self.z = np.arange(3)
        self.known: np.ndarray[tuple[int], np.dtype[np.float64]] = np.ones(2)
        self.scale: int | None = 2
        self.some: Number | np.ndarray[Any, Any] = np.ones(2)

"""
VALUES: Final = """\
        self, z, h, d = Holder(), np.arange(3), np.ones(2, np.float32) / 2, np.ones(2)
        names, halves, flags, pairs = {0: "a", 1: "b", 2: "c"}, {0.5: 1}, {True: 1, False: 2}, {(0, 1): 1}
        counts, seen, words, both, i, total = [0, 1, 0], {0}, {"a": 1}, (1, 2), 1, np.sum([0, 1])
        exact = np.array([1, 2], dtype=np.uint8)
"""


def _program(lines: tuple[str, ...]) -> str:
    methods = (f"    def f{number}(self) -> None:\n{VALUES}        {line}\n" for number, line in enumerate(lines))
    return HEAD + "\n".join(methods)


def _line_of(number: int) -> int:
    """The line of the program that has the statement of that number."""
    return HEAD.count("\n") + 1 + number * (VALUES.count("\n") + 3) + VALUES.count("\n") + 1


def _errors(folder: Path, lines: tuple[str, ...], cache: Path, *, plugin: bool) -> dict[str, str]:
    (folder / "program.py").write_text(_program(lines), encoding="utf-8")
    run = run_mypy(folder, "program.py", cache=cache, plugin=plugin)
    assert "INTERNAL ERROR" not in run.output
    places = {_line_of(number): line for number, line in enumerate(lines)}
    assert {message.line for message in run.messages if message.severity != "note"} <= places.keys(), run.output
    assert run.errors() or not run.messages, run.output  # no note is left without its error
    return {places[error.line]: error.text for error in run.errors()}


def test_programs_that_run_are_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    assert _errors(tmp_path, QUIET, stock_cache, plugin=False) == {}
    assert _errors(tmp_path, QUIET, plugin_cache, plugin=True) == {}


def test_it_runs() -> None:
    namespace: dict[str, type] = {}
    exec(compile(_program(QUIET), "program.py", "exec"), namespace)
    for number in range(len(QUIET)):
        getattr(namespace["Holder"](), f"f{number}")()


def test_errors_of_annotations_and_of_stock_mypy_stay(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    assert tuple(_errors(tmp_path, REFUSED, plugin_cache, plugin=True)) == REFUSED
    assert tuple(_errors(tmp_path, ALONE, stock_cache, plugin=False)) == ALONE
