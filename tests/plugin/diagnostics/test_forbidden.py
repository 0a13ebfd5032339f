"""`promo-forbidden`: one report for each source of a forbidden dtype, none for results made of it."""

from pathlib import Path

import pytest

from tests.mypy_runs import Run, override, run_mypy
from tests.needed import needs
from tests.plugin.operators.test_operator_routes import HEAD as ROUTES_HEAD
from tests.plugin.operators.test_operator_routes import ROUTES

needs("jax", "jaxtyping", "torch")

ELSEWHERE = """\
import numpy as np
import numpy.typing as npt
Wide = npt.NDArray[np.float64]
Narrow = npt.NDArray[np.float32]
scale: Wide = np.ones(3)
rates: Wide = np.ones(3)
tables: dict[str, Wide] = {}
def load() -> Wide:
    return scale
def many() -> list[Wide]:
    return [scale]
class Model:
    weights: Wide
    def bias(self) -> Wide:
        return scale
model = Model()
"""

HEAD = """\
import forbidden_elsewhere as lib
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import torch
from forbidden_elsewhere import Model, Narrow, Wide, load, many, model, rates, scale, tables
from jaxtyping import Array, ArrayLike, BFloat16, Float, Float32, Float64, Int32
from promo_mypy.rules.dtypes import float64
from torch import Tensor
from typing import Annotated, Any, cast
a: npt.NDArray[np.float32]
i: npt.NDArray[np.int32]
u: npt.NDArray[np.uint8]
c: npt.NDArray[np.complex64]
any_float: npt.NDArray[np.floating]
unknown: npt.NDArray[Any]
t: Float32[Tensor, "n"]
"""

# A few lines -> for each of them the reports about float64, in order: (line from 0, origin).
SOURCES: dict[str, list[tuple[int, str]]] = {
    # made by a function
    "np.zeros(3)": [(0, "it comes from numpy.zeros()")],
    "np.zeros(3) * a": [(0, "it comes from numpy.zeros()")],
    "np.mean(i)": [(0, "it comes from numpy.mean()")],
    "y0 = np.linspace(0, 1)\ny0 * 2": [(0, "it comes from numpy.linspace()")],
    "np.zeros(3, dtype=np.float64)": [(0, "the code asks for it")],
    "np.zeros(3, np.float32)\nnp.sqrt(a)\njnp.zeros(3)": [],
    "np.sin(scale)\nnp.cos(scale)": [(0, "it comes from the argument `scale`")],
    # made by promotion
    "i * a": [(0, "it comes from int32 * float32 under numpy promotion")],
    "u / 255": [(0, "it comes from uint8 / 255 under numpy promotion")],
    "-(i / i)": [(0, "it comes from int32 / int32 under numpy promotion")],
    "y1 = i * a\nz1 = y1 * 2\n(z1[0] + y1.T) / y1.copy()": [(0, "it comes from int32 * float32 under numpy promotion")],
    "(i * a) * (a * i)": [
        (0, "it comes from int32 * float32 under numpy promotion"),
        (0, "it comes from float32 * int32 under numpy promotion"),
    ],
    "a * c": [],
    "a + a * 2.0": [],
    # requested
    "a.astype(np.float64)": [(0, "the code asks for it")],
    "a.astype('double')": [(0, "the code asks for it")],
    "a.astype(float)": [(0, "the code asks for it")],
    "y2 = a.astype(np.float64)\n(y2 + 1) * y2": [(0, "the code asks for it")],
    "wide = np.float64\na.astype(wide) + 1": [(0, "the annotation names it")],
    "wide: Any = np.float64\na.astype(wide) + 1\na.astype(dtype=wide)": [
        (1, "the code asks for it"),
        (2, "the code asks for it"),
    ],
    "t.double()": [(0, "the code asks for it")],
    "t.to(torch.float64) * 2": [(0, "the code asks for it")],
    "a.astype(np.float32)": [],
    "a.astype(np.float32 if u.size else np.float64)": [],
    # annotated
    "def f1(x: npt.NDArray[np.float64]) -> None: x + 1": [(0, "the annotation names it")],
    "def f2(x: npt.NDArray[np.double]) -> None: x + 1": [(0, "the annotation names it")],
    "def f3(x: npt.NDArray[np.float32 | np.float64]) -> None: x + 1": [(0, "the annotation names it")],
    'def f4(x: Float64[Array, "n"]) -> None: x + 1': [(0, "the annotation names it")],
    'def f5(x: Float64[npt.NDArray[np.float64], "n"]) -> None: x + 1': [(0, "the annotation names it")],
    'def f6(x: "jax.Array[float64]") -> None: x + 1': [(0, "the annotation names it")],
    "def f7(x: Annotated[Tensor, torch.float64]) -> None: x + 1": [(0, "the annotation names it")],
    "def f8(x: np.float64) -> None: x + 1": [(0, "the annotation names it")],
    "def f9() -> npt.NDArray[np.float64]: ...\nf9() * f9()": [(0, "the annotation names it")],
    "def f10(x: Wide) -> None: x + 1": [(0, "the annotation names it")],
    "class C1:\n    x: lib.Wide\n    def f(self) -> None: self.x + 1": [(1, "the annotation names it")],
    'Rates = Float64[Array, "n"]\ndef f11(x: Rates) -> None: x + 1': [(0, "the annotation names it")],
    "Here = npt.NDArray[np.float64]\ndef f12(x: Here, y: list[Here]) -> Here: return x + 1": [
        (0, "the annotation names it")
    ],
    "cast(npt.NDArray[np.float64], unknown) + 1": [(0, "the annotation names it")],
    'def f13(x: Float[Array, "n"], y: Narrow) -> None: (x + 1, y * 2)': [],
    # passed as an argument
    "a * scale\nscale * a\n2 * scale": [(0, "it comes from the right operand `scale`")],
    "-rates": [(0, "it comes from the operand `rates`")],
    "lib.rates + a": [(0, "it comes from the left operand `lib.rates`")],
    "load() * a\na * load()": [
        (0, "it comes from the left operand"),
        (1, "it comes from the right operand"),
    ],
    "y3 = load()\nz3 = y3\na * z3\nz3 * y3\ny3[1:] + 1": [(2, "it comes from the right operand `z3`")],
    "load() * np.linspace(0, 1)": [
        (0, "it comes from the left operand"),
        (0, "it comes from numpy.linspace()"),
    ],
    "model.weights * a\n1 + model.weights": [(0, "it comes from the left operand `model.weights`")],
    "model.bias() * a": [(0, "it comes from the left operand")],
    "tables['x'] * a\ntables['y'] * a": [(0, "it comes from the left operand")],
    "for row in many():\n    row * 2.0\n    row + row": [(1, "it comes from the left operand `row`")],
    "for _, row1 in enumerate(many()):\n    row1 * a": [(1, "it comes from the left operand `row1`")],
    "class C2:\n    def __init__(self) -> None:\n        self.x = load()\n    def f(self) -> None:\n"
    "        self.x * 2\n        self.x + a": [(4, "it comes from the left operand `self.x`")],
    "class C3:\n    def __init__(self) -> None:\n        self.x = i * a\n    def f(self) -> None: self.x * 2": [
        (2, "it comes from int32 * float32 under numpy promotion")
    ],
    "y4 = np.flip(load())\ny4 * 2": [(0, "it comes from an argument")],
    "y5 = np.flip(i * a)\ny5 * 2": [(0, "it comes from int32 * float32 under numpy promotion")],
    "def f14() -> None:\n    local = load()\n    local *= 2": [(2, "it comes from the left operand `local`")],
    "scale.astype(np.float32) * a": [],
    # uncertain
    "unknown * i\nany_float + 1": [],
}

WORDS = {
    "i * a": "float64 is forbidden here: it comes from int32 * float32 under numpy promotion; cast the int32 operand"
    " with x.astype(np.float32)",
    "i / i": "float64 is forbidden here: it comes from int32 / int32 under numpy promotion; cast the operands with"
    " x.astype(np.float32)",
    "a * scale": "float64 is forbidden here: it comes from the right operand `scale`; cast it first with"
    " scale.astype(np.float32)",
    "a.astype(np.float64)": "float64 is forbidden here: the code asks for it; write np.float32",
    "t.double()": "float64 is forbidden here: the code asks for it; write torch.float32",
    "def f8": "float64 is forbidden here: the annotation names it; annotate a dtype that is allowed",
}
FORBID = 'forbid = ["float64", "complex128"]'


def _checked(folder: Path, cache: Path, sources: list[str], name: str, head: str = HEAD, options: str = FORBID) -> Run:
    """Each source in a module of its own, so that one cannot be the source of another."""
    (folder / "forbidden_elsewhere.py").write_text(ELSEWHERE)
    files = [f"{name}_{number}.py" for number in range(len(sources))]
    for file, source in zip(files, sources, strict=True):
        (folder / file).write_text(f"{head}{source}\n")
    settings = 'disable_error_code = ["type-arg", "empty-body", "promo-truncation", "no-untyped-call", "no-any-return"]'
    overrides = "".join(override(file.removesuffix(".py"), options) for file in files)
    return run_mypy(folder, *files, cache=cache, settings=settings, options=overrides)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    return _checked(tmp_path_factory.mktemp("forbidden"), plugin_cache, list(SOURCES), "forbidden_source")


def _found(run: Run, source: str) -> list[tuple[int, str]]:
    file = f"forbidden_source_{list(SOURCES).index(source)}.py"
    errors = [error for error in run.errors() if error.file == file]
    assert {error.code for error in errors} <= {"promo-forbidden"}, errors
    first = HEAD.count("\n") + 1
    return [(error.line - first, error.text.split("here: ")[1].split(";")[0]) for error in errors]


@pytest.mark.parametrize("source", SOURCES)
def test_one_report_for_each_source(source: str, run: Run) -> None:
    assert _found(run, source) == SOURCES[source], run.output


@pytest.mark.parametrize("source", WORDS)
def test_messages(source: str, run: Run) -> None:
    assert WORDS[source] in [error.text for error in run.errors()]


# -- where, how often, and when ----------------------------------------------------------------------------------------

_PLAIN = {name: source for name, source in ROUTES.items() if "a - b" in source or "g - g" in source}


@pytest.fixture(scope="module")
def by_route(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> dict[str, list[str]]:
    """Route -> codes of the errors in its file, with a quotient of int32 arrays instead of the rejected operation."""
    head = ROUTES_HEAD.replace("np.bool_", "np.int32")
    bodies = [
        source.replace("a - b", "a / b").replace("g - g", "g / g").replace("c: Flags", "c: Any")
        for source in _PLAIN.values()
    ]
    folder = tmp_path_factory.mktemp("forbidden_routes")
    bodies = [body.replace("np.bool_", "np.int32") for body in bodies]
    run = _checked(folder, plugin_cache, bodies, "forbidden_route", head)
    found: dict[str, list[str]] = {route: [] for route in _PLAIN}
    for error in run.errors():
        number = int(error.file.removeprefix("forbidden_route_").removesuffix(".py"))
        found[list(_PLAIN)[number]].append(error.code or error.text)
    return found


@pytest.mark.parametrize("route", _PLAIN)
def test_exactly_one_report_on_every_route(route: str, by_route: dict[str, list[str]]) -> None:
    assert len(_PLAIN) > 20
    assert by_route[route] == ["promo-forbidden"]


SWITCHED = """\
import numpy as np
import numpy.typing as npt
def f(i: npt.NDArray[np.int32], a: npt.NDArray[np.float32], d: npt.NDArray[np.float64]) -> None:
    i * a
    i * a  # type: ignore[promo-forbidden]
    y = i * a  # type: ignore[promo]
    y * 2
"""


@pytest.mark.parametrize(
    ("options", "settings", "lines"),
    [
        ("", "", []),
        (FORBID, "", [3, 4]),
        ('forbid = ["complex128"]', "", []),
        ('forbid = ["int32"]', "", [3]),
        ("forbid = []", "", []),
        (FORBID, 'disable_error_code = ["promo-forbidden"]', []),
    ],
)
def test_options_switch_it_and_check_again(
    options: str, settings: str, lines: list[int], tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "forbidden_switched.py").write_text(SWITCHED)
    # One cache for all cases: each change of an option must make mypy check the module again.
    changed = override("forbidden_switched", options) if options else ""
    settings = f"warn_unused_ignores = false\n{settings}"
    run = run_mypy(tmp_path, "forbidden_switched.py", cache=plugin_cache, settings=settings, options=changed)
    assert [error.line for error in run.errors()] == lines, run.output
    assert {error.code for error in run.errors()} <= {"promo-forbidden"}


def test_a_general_list_can_be_lifted_for_one_module(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "forbidden_pkg").mkdir()
    for name in ("__init__", "here", "not_here"):
        (tmp_path / "forbidden_pkg" / f"{name}.py").write_text(
            "" if name == "__init__" else f"# mypy: no-warn-unused-ignores\n{SWITCHED}"
        )
    # As a package, so that the general list concerns few modules: NumPy's own need not be read again.
    options = override("forbidden_pkg.*", FORBID) + override("forbidden_pkg.not_here", "forbid = []")
    run = run_mypy(tmp_path, "-p", "forbidden_pkg", cache=plugin_cache, options=options)
    assert {error.file for error in run.errors()} == {"forbidden_pkg/here.py"}, run.output


def test_an_unknown_dtype_is_a_one_line_error(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "forbidden_faulty.py").write_text("x = 1\n")
    run = run_mypy(tmp_path, "forbidden_faulty.py", cache=plugin_cache, options='forbid = ["flaot64"]')
    assert run.status == 2
    (line,) = run.output.strip().splitlines()
    assert 'forbid: "flaot64" is not allowed, did you mean "float64"?' in line
