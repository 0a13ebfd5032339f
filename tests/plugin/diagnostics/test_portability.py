"""`promo-portability`: an operation is reported exactly where another library, executed, gives another dtype."""

import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.mypy_runs import Run, override, run_mypy
from tests.needed import needs
from tests.plugin.operators.test_operator_routes import HEAD as ROUTES_HEAD
from tests.plugin.operators.test_operator_routes import ROUTES

needs("jax", "jaxtyping", "torch")

HEAD = """\
import jax
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, Float32, Int32, UInt8
from torch import Tensor
from typing import Any
i: npt.NDArray[np.int32]
a: npt.NDArray[np.float32]
d: npt.NDArray[np.float64]
u: npt.NDArray[np.uint8]
long: npt.NDArray[np.longdouble]
either: npt.NDArray[np.int32 | np.int64]
some: npt.NDArray[np.int32 | np.float32]
any_float: npt.NDArray[np.floating]
unknown: npt.NDArray[Any]
ja: Float32[Array, "n"]
ji: Int32[Array, "n"]
weak: "jax.Array[promo_mypy.rules.dtypes.weak_float32]"
ta: Float32[Tensor, "n"]
ti: Int32[Tensor, "n"]
scalar: Float32[Tensor, ""]
half: "Tensor[promo_mypy.rules.dtypes.bfloat16]"
import promo_mypy.rules.dtypes
"""

# expression -> whether it is reported for portable_to = ["numpy", "jax", "torch"]
CASES = {
    "i * a": True,
    "u / 255": True,
    "i / i": True,
    "a + a": False,
    "a + d": False,
    "i + u": False,
    "a * 2": False,
    "a * 2.0": False,
    "i * 2.0": True,
    "abs(i)": False,
    "a < d": False,
    "long + long": True,
    "divmod(a, a)": True,
    "a @ a": False,
    "either / either": True,
    "either + either": False,
    "some * some": False,
    "any_float + a": False,
    "unknown * i": False,
    "i * unknown": False,
    "ja * ji": True,
    "ja + ja": False,
    "weak + ja": False,
    "ja - weak": False,
    "ji * 1.5": True,
    "ti * ta": True,
    "scalar * ti": True,
    "ta + d": False,
    "u - 300": False,
    "t_bool - t_bool": False,
}
HEAD += "t_bool: npt.NDArray[np.bool_]\n"

WORDS = {
    "i * a": "int32 * float32 is float64 under numpy promotion, but float32 under jax and torch; cast the float32"
    " operand with x.astype(np.float64)",
    "ja * ji": "float32 * int32 is float32 under jax-x32 promotion, but float64 under numpy; cast the int32 operand"
    " with x.astype(jnp.float32)",
    "divmod(a, a)": "divmod(float32, float32) is float32 under numpy promotion, but rejected under torch (PyTorch's"
    " arrays do not support divmod()); no cast of the operands helps, so write it another way",
    "long + long": "float128 + float128 is float128 under numpy promotion, but rejected under jax (JAX has no arrays of"
    " dtype float128) and rejected under torch (PyTorch has no arrays of dtype float128); cast the operands with"
    " x.astype(np.float64)",
}
OPTIONS = 'portable_to = ["numpy", "jax", "torch"]'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("portability")
    (folder / "portability_cases.py").write_text(HEAD + "".join(f"({case})\n" for case in CASES))
    settings = 'disable_error_code = ["type-arg"]'
    options = override("portability_cases", OPTIONS)
    return run_mypy(folder, "portability_cases.py", cache=plugin_cache, settings=settings, options=options)


def _texts(run: Run, case: str) -> list[str]:
    line = HEAD.count("\n") + 1 + list(CASES).index(case)
    return [error.text for error in run.errors() if error.line == line and error.code == "promo-portability"]


@pytest.mark.parametrize("case", CASES)
def test_case(case: str, run: Run) -> None:
    assert len(_texts(run, case)) == CASES[case], run.output


@pytest.mark.parametrize("case", WORDS)
def test_messages(case: str, run: Run) -> None:
    assert _texts(run, case) == [WORDS[case]]


def test_what_cannot_run_is_reported_as_undefined(run: Run) -> None:
    lines = {HEAD.count("\n") + 1 + list(CASES).index(case) for case in ("u - 300", "t_bool - t_bool")}
    assert {error.code for error in run.errors() if error.line in lines} == {"promo-overflow", "promo-undefined"}


# -- what libraries do, executed ---------------------------------------------------------------------------------------

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "&": operator.and_,
}
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")
ANNOTATIONS = {name: f"npt.NDArray[np.{name if name != 'bool' else 'bool_'}]" for name in DTYPES}


def _result(library: str, symbol: str, left: str, right: str) -> str | None:
    """The dtype that a library gives for two vectors, or None if it raises."""
    import torch

    make: Callable[[str], Any] = (
        (lambda dtype: np.ones(2, dtype))
        if library == "numpy"
        else (lambda dtype: torch.ones(2, dtype=getattr(torch, dtype)))
    )
    try:
        return str(OPERATORS[symbol](make(left), make(right)).dtype).removeprefix("torch.")
    except (TypeError, RuntimeError):
        return None


def test_numpy_against_torch_is_what_execution_shows(tmp_path: Path, plugin_cache: Path) -> None:
    """Every pair of common dtypes under five operators, both libraries executed."""
    cases = [(symbol, left, right) for symbol in OPERATORS for left in DTYPES for right in DTYPES]
    values = "".join(f"x_{name}: {annotation}\n" for name, annotation in ANNOTATIONS.items())
    head = f"import numpy as np\nimport numpy.typing as npt\nimport torch\n{values}"
    lines = "".join(f"x_{left} {symbol} x_{right}\n" for symbol, left, right in cases)
    (tmp_path / "portability_executed.py").write_text(head + lines)
    options = override("portability_executed", 'portable_to = ["torch"]')
    run = run_mypy(tmp_path, "portability_executed.py", cache=plugin_cache, options=options)
    first = head.count("\n") + 1
    reported = {cases[error.line - first] for error in run.errors() if error.code == "promo-portability"}
    outcomes = {case: (_result("numpy", *case), _result("torch", *case)) for case in cases}
    differ = {case for case, (own, other) in outcomes.items() if own is not None and own != other}
    assert len(differ) > 40
    assert reported == differ


def test_the_cast_that_is_named_makes_it_portable(tmp_path: Path, plugin_cache: Path) -> None:
    """`i * a` after the cast of its message: the same dtype when NumPy, JAX with x64 and PyTorch execute it."""
    import torch

    assert WORDS["i * a"].endswith("cast the float32 operand with x.astype(np.float64)")
    assert (np.ones(2, np.int32) * np.ones(2, np.float32).astype(np.float64)).dtype == np.float64
    assert (torch.ones(2, dtype=torch.int32) * torch.ones(2, dtype=torch.float64)).dtype == torch.float64
    (tmp_path / "portability_cast.py").write_text(HEAD + "i * a.astype(np.float64)\n")
    settings = 'disable_error_code = ["type-arg"]'
    options = override("portability_cast", OPTIONS)
    cast = run_mypy(tmp_path, "portability_cast.py", cache=plugin_cache, settings=settings, options=options)
    assert cast.errors() == [], cast.output


# -- where, how often, and when ----------------------------------------------------------------------------------------

_PLAIN = {name: source for name, source in ROUTES.items() if "a - b" in source or "g - g" in source}


@pytest.fixture(scope="module")
def by_route(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> dict[str, list[str]]:
    """Route -> codes of the errors in its file, with a quotient of int32 arrays instead of the rejected operation."""
    folder = tmp_path_factory.mktemp("portability_routes")
    head = ROUTES_HEAD.replace("NDArray[np.bool_]", "NDArray[np.int32]")
    for number, source in enumerate(_PLAIN.values()):
        body = source.replace("a - b", "a / b").replace("g - g", "g / g").replace("c: Flags", "c: Any")
        (folder / f"portability_route_{number}.py").write_text(f"{head}{body}\n".replace("np.bool_", "np.int32"))
    files = [f"portability_route_{number}.py" for number in range(len(_PLAIN))]
    settings = 'disable_error_code = ["no-untyped-call", "empty-body", "no-any-return"]'
    options = "".join(override(file.removesuffix(".py"), 'portable_to = ["jax"]') for file in files)
    run = run_mypy(folder, *files, cache=plugin_cache, settings=settings, options=options)
    found: dict[str, list[str]] = {route: [] for route in _PLAIN}
    for error in run.errors():
        found[list(_PLAIN)[files.index(error.file)]].append(error.code or error.text)
    return found


@pytest.mark.parametrize("route", _PLAIN)
def test_exactly_one_report_on_every_route(route: str, by_route: dict[str, list[str]]) -> None:
    assert len(_PLAIN) > 20
    assert by_route[route] == ["promo-portability"]


SWITCHED = """\
import numpy as np
import numpy.typing as npt
def f(i: npt.NDArray[np.int32], a: npt.NDArray[np.float32]) -> None:
    i * a
    i * a  # type: ignore[promo-portability]
    i * a  # type: ignore[promo]
"""


@pytest.mark.parametrize(
    ("options", "settings", "codes"),
    [
        ("", "", []),
        ('portable_to = ["jax"]', "", ["promo-portability"]),
        ('portable_to = ["numpy"]', "", []),
        ("portable_to = []", "", []),
        ('portable_to = ["torch"]', "", ["promo-portability"]),
        ('portable_to = ["torch"]', 'disable_error_code = ["promo-portability"]', []),
        # One finding for one expression; the second line ignores only the other code.
        ('portable_to = ["jax"]\nforbid = ["float64"]', "", ["promo-forbidden"] * 2),
    ],
)
def test_options_switch_it_and_check_again(
    options: str, settings: str, codes: list[str], tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "portability_switched.py").write_text(SWITCHED)
    # One cache for all cases: each change of an option must make mypy check the module again.
    changed = override("portability_switched", options) if options else ""
    settings = f"warn_unused_ignores = false\n{settings}"
    run = run_mypy(tmp_path, "portability_switched.py", cache=plugin_cache, settings=settings, options=changed)
    assert [error.code for error in run.errors()] == codes, run.output


def test_an_unknown_system_is_a_one_line_error(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "portability_faulty.py").write_text("x = 1\n")
    run = run_mypy(tmp_path, "portability_faulty.py", cache=plugin_cache, options='portable_to = ["jux"]')
    assert run.status == 2
    (line,) = run.output.strip().splitlines()
    assert 'portable_to: "jux" is not allowed, did you mean "jax"?' in line
