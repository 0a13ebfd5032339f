"""Each diagnostic: where it fires, where it stays silent, that it can be ignored, and one exact message."""

from pathlib import Path

import pytest

from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, ONLY_CHECK
from tests.mypy_runs import Run, run_mypy
from tests.needed import needs

needs("jax")

HEAD = """\
# mypy: enable-error-code="promo-widening,promo-precision,promo-nonassociative"
import jax
import numpy as np
import numpy.typing as npt
from promo_mypy.rules.dtypes import bfloat16, float16, float32, int32
a: npt.NDArray[np.float32]
d: npt.NDArray[np.float64]
h: npt.NDArray[np.float16]
i: npt.NDArray[np.int32]
s: npt.NDArray[np.int8]
u: npt.NDArray[np.uint8]
k: npt.NDArray[np.uint64]
z: npt.NDArray[np.int64]
t: npt.NDArray[np.bool_]
c: npt.NDArray[np.complex64]
ja: "jax.Array[float32]"
ji: "jax.Array[int32]"
jh: "jax.Array[float16]"
jb: "jax.Array[bfloat16]"
any_float: npt.NDArray[np.floating]
two: npt.NDArray[np.float32 | np.int32]
"""

# expression -> the code that it is reported under, or None
CASES = {
    "a + i": "promo-widening",
    "a + s": None,
    "a + d": None,
    "a + 1.5": None,
    "u + s": "promo-widening",
    "i / i": "promo-widening",
    "i * 1j": "promo-widening",
    "c * d": "promo-widening",
    "d * 1j": None,
    "t + 1": None,
    "t / t": None,
    "1 - t": None,
    "t * 0.5": None,
    "jh + jb": "promo-widening",
    "ja + ji": "promo-precision",
    "ja + jb": None,
    "jh * ji": "promo-precision",
    "k + z": "promo-precision",
    "k - 1.5": None,
    "z / 2": None,
    "z / z": None,
    "z * d": None,
    "d + 9007199254740993": "promo-precision",
    "z * 1j": None,
    "a * 16777217": "promo-precision",
    "a * 16777216": None,
    "a * 3": None,
    "h + 2049": "promo-precision",
    "h + 2048": None,
    "h + 70000": "promo-precision",
    "i + 70000": None,
    "a < i": None,
    "u + s + h": "promo-nonassociative",
    "u * 1 * s.astype(np.uint8)": None,
    "h + s + u": "promo-nonassociative",
    "a + a + a": None,
    "u + 300": "promo-overflow",
    "u + (1 << 8)": "promo-overflow",
    "-(2 ** 7) + u": "promo-overflow",
    "u - -1": "promo-overflow",
    "u < 300": None,
    "ja + 300": None,
    "t - t": "promo-undefined",
    "~a": "promo-undefined",
    "t + t": None,
    "any_float & t": "promo-undefined",
    "two & i": None,
    "c % c": "promo-undefined",
    "ja << ja": "promo-undefined",
}

STATEMENTS = {
    "i += a": "promo-inplace",
    "i += 1.5": "promo-inplace",
    "i += 1": None,
    "i /= 2": "promo-inplace",
    "a += d": None,
    "a *= i": None,
    "d += a": None,
    "u += 300": "promo-overflow",
    "u += 1 << 8": "promo-overflow",
}

WORDS = {
    "a + i": "float32 + int32 widens to float64 under numpy promotion: 8 bytes per element instead of 4; cast the other"
    " operand to float32 first if that precision is enough",
    "h + 70000": "float16 + 70000 is float16 under numpy promotion, which cannot hold 70000: its largest finite value"
    " is 65504; cast the integer to a float of the precision that you need first",
    "h + s + u": "The dtype of float16 + int8 + uint8 depends on the grouping under numpy promotion: float16 as"
    " written, float32 otherwise; cast the operands to one dtype first, or group them with parentheses and say why",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("findings")
    body = "".join(f"({expression})\n" for expression in CASES)
    body += "def f() -> None:\n    global a, d, i, u\n" + "".join(f"    {statement}\n" for statement in STATEMENTS)
    (folder / "findings.py").write_text(HEAD + body)
    return run_mypy(folder, "findings.py", cache=plugin_cache, settings='disable_error_code = ["type-arg"]')


def _at(run: Run, line: int) -> list[tuple[str | None, str]]:
    return [(error.code, error.text) for error in run.errors() if error.line == line]


@pytest.mark.parametrize("expression", CASES)
def test_expression(expression: str, run: Run) -> None:
    line = HEAD.count("\n") + 1 + list(CASES).index(expression)
    # A chain may also have a finding about its first part: the last one is about the whole.
    found = [code for code, _ in _at(run, line)]
    wanted = CASES[expression]
    if wanted == "promo-nonassociative":
        assert wanted in found
    else:
        assert found == ([wanted] if wanted else [])


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement(statement: str, run: Run) -> None:
    line = HEAD.count("\n") + 3 + len(CASES) + list(STATEMENTS).index(statement)
    wanted = STATEMENTS[statement]
    assert [code for code, _ in _at(run, line)] == ([wanted] if wanted else [])


@pytest.mark.parametrize("expression", WORDS)
def test_message(expression: str, run: Run) -> None:
    line = HEAD.count("\n") + 1 + list(CASES).index(expression)
    assert WORDS[expression] in [text for _, text in _at(run, line)]


def test_every_operator_diagnostic_has_a_case() -> None:
    covered = {code for code in (*CASES.values(), *STATEMENTS.values()) if code is not None}
    # Without those of annotations (tests/plugin/annotations), of JAX requests, of loops (tests/plugin/transforms), and
    # of options. An internal error is not a finding (test_failures.py), and a mismatch is an error of mypy's own. What
    # wraps and what loses a fraction have files of their own (test_wrapping.py, test_lossy_writes.py).
    elsewhere = {"promo-annotation", "promo-truncation", "promo-carry", "promo-failure", *ONLY_CHECK}
    elsewhere |= {"promo-wrapping", "promo-write"} | {row.code for row in DIAGNOSTICS if row.option}
    assert covered | elsewhere == {diagnostic.code for diagnostic in DIAGNOSTICS}


SWITCHES = """\
import numpy as np
import numpy.typing as npt
t: npt.NDArray[np.bool_]
a: npt.NDArray[np.float32]
i: npt.NDArray[np.int32]
t - t  # type: ignore[promo-undefined]
t - t  # type: ignore[promo]
a + i
"""


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        ("", []),
        ('enable_error_code = ["promo-widening"]', ["promo-widening"]),
        ('enable_error_code = ["promo-precision"]', []),
        ('disable_error_code = ["promo-undefined"]', []),
        ('disable_error_code = ["promo"]\nenable_error_code = ["promo-widening"]', ["promo-widening"]),
    ],
)
def test_codes_are_switched_as_mypys_own(settings: str, codes: list[str], tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "switches.py").write_text(SWITCHES)
    run = run_mypy(tmp_path, "switches.py", cache=plugin_cache, settings="warn_unused_ignores = false\n" + settings)
    assert [error.code for error in run.errors()] == codes, run.output


def test_codes_are_switched_for_all_modules(tmp_path: Path) -> None:
    (tmp_path / "switches.py").write_text(SWITCHES)
    flags = ("--no-warn-unused-ignores", "--disable-error-code", "promo", "--enable-error-code", "promo-widening")
    run = run_mypy(tmp_path, "switches.py", *flags, cache=tmp_path / "cache")
    assert [error.code for error in run.errors()] == ["promo-widening"], run.output
