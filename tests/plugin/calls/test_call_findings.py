"""Functions that are operators under another name: a call reports the same findings as the operator."""

from pathlib import Path

import numpy as np
import pytest

from promo_mypy.rules.functions.operator_functions import METHODS
from promo_mypy.rules.operators import OPERATORS
from tests.mypy_runs import Run, override, run_mypy

HEADER = """\
# mypy: enable-error-code="promo-widening, promo-precision"
import numpy as np
import numpy.typing as npt
def calls(
    u8: npt.NDArray[np.uint8], i32: npt.NDArray[np.int32], f32: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]
) -> None:
"""
#: Operands of a call and of the operator beside it.
OPERANDS = (("u8", "300"), ("300", "u8"), ("u8", "-1"), ("u8", "3"), ("i32", "f32"), ("f32", "f32"), ("u8", "i32"))
#: Calls that accept other dtypes, or other numbers, than the operator: NumPy runs them.
QUIET = (
    "np.add(u8, 300, dtype=np.int32)",
    "np.where(mask, u8, 300)",
    "np.select([mask], [u8], 300)",
    "np.equal(u8, 300)",
    "np.divide(u8, 300)",
    "np.add.reduce(u8)",
)


def rows() -> list[tuple[str, str]]:
    """Each call with its operator."""
    found = []
    for name, method in METHODS["numpy"].items():
        symbol = OPERATORS[method].symbol
        for left, right in OPERANDS:
            if name != "matmul" or (left.isidentifier() and right.isidentifier()):
                found.append((f"np.{name}({left}, {right})", f"{left} {symbol} {right}"))
    return found


def said(run: Run, line: int) -> list[tuple[str, str]]:
    """Codes and remedies in a line; the operands are written differently there."""
    return [(error.code or "", error.text.rpartition("under numpy")[2]) for error in run.errors() if error.line == line]


def checked(folder: Path, cache: Path, pairs: list[tuple[str, str]], options: str = "") -> Run:
    lines = [f"    {text}" for pair in pairs for text in pair]
    (folder / "program.py").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    return run_mypy(folder, "program.py", cache=cache, options=override("program", options))


@pytest.mark.parametrize("options", ["", 'portable_to = ["jax", "torch"]', 'forbid = ["float64"]'])
def test_calls_are_reported_as_operators(options: str, tmp_path: Path, plugin_cache: Path) -> None:
    pairs = rows()
    run = checked(tmp_path, plugin_cache, pairs, options)
    first = HEADER.count("\n") + 1
    codes: set[str] = set()
    for number, (call, operator) in enumerate(pairs):
        ours, theirs = said(run, first + 2 * number), said(run, first + 2 * number + 1)
        codes.update(code for code, _ in ours)
        assert len(ours) <= 1, (call, ours)
        if "promo-forbidden" in dict(ours) or "promo-forbidden" in dict(theirs):
            assert [code for code, _ in ours] == [code for code, _ in theirs], call
        elif not {"promo-undefined", "operator", "call-overload"} & {*dict(ours), *dict(theirs)}:
            assert ours == theirs, (call, operator)
    wanted = "promo-portability" if "portable" in options else "promo-forbidden" if options else "promo-widening"
    assert {"promo-overflow", wanted} <= codes


def test_what_is_reported_to_overflow_raises(tmp_path: Path, plugin_cache: Path) -> None:
    pairs = rows()
    run = checked(tmp_path, plugin_cache, pairs)
    first = HEADER.count("\n") + 1
    values = {"np": np, "u8": np.ones(3, np.uint8), "i32": np.ones(3, np.int32), "f32": np.ones(3, np.float32)}
    raised = set()
    for number, (call, _) in enumerate(pairs):
        try:
            eval(call, values)
        except OverflowError:
            raised.add(call)
        except TypeError:
            continue  # no loop: another error code
        assert ("promo-overflow" in dict(said(run, first + 2 * number))) == (call in raised), call
    assert len(raised) > 20


def test_what_runs_is_quiet(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: a call that differs from the operator is not reported as one, and runs."""
    text = HEADER.partition("\n")[2] + "".join(f"    {call}\n" for call in QUIET)
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [error for error in run.errors() if (error.code or "").startswith("promo")] == []
    values = {"np": np, "u8": np.ones(3, np.uint8), "mask": np.ones(3, np.bool_)}
    for call in QUIET:
        eval(call, values)
