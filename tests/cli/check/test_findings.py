"""What is found in programs: message, dtypes of the operands, origin, remedy; and what is not a finding."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS
from promo_mypy.rules.wording.examples import EXAMPLES
from tests.cli.check.checks import Done, check_json
from tests.needed import needs


class Case(NamedTuple):
    """A function body, and what is told of its only finding."""

    program: str
    message: str
    operands: tuple[str, ...]
    origin: tuple[str, ...]
    remedy: str
    template: str | None


HEADERS = {
    "numpy": "import numpy as np\nfrom typing import Literal\nfrom numpy.typing import NDArray\n",
    "jax": "import jax.numpy as jnp\nfrom jaxtyping import Array, Float, Float32, Int, Int32, Integer\n",
    "torch": "import torch\nfrom jaxtyping import BFloat16, Float32\nfrom torch import Tensor\n",
}
CASES: dict[str, dict[str, Case]] = {
    "numpy": {
        "returned": Case(
            "def f(image: NDArray[np.float32]) -> NDArray[np.float32]:\n"
            "    mean = np.array([0.485, 0.456, 0.406])\n"
            "    return (image - mean) / 2\n",
            "The returned value is float64 where float32 is declared",
            ("float32", "float64", "Python int"),
            (
                "`mean` is float64: line 5 sets it to `np.array([0.485, 0.456, 0.406])`",
                "`np.array([0.485, 0.456, 0.406])` of Python floats is float64",
            ),
            "cast the operand with mean.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "argument": Case(
            "def g(x: NDArray[np.float32]) -> None: ...\ndef f() -> None:\n    g(np.zeros(3))\n",
            "Argument 1 of g is float64 where float32 is declared",
            ("float64",),
            ("`np.zeros(3)` is float64 unless its `dtype` names another one",),
            "cast it with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "assigned": Case(
            "def f(x: NDArray[np.int64]) -> None:\n    y: NDArray[np.float32] = x\n",
            "The assigned value is int64 where float32 is declared",
            ("int64",),
            ("`x` is declared int64 in line 4",),
            "cast it with x.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "optional": Case(
            "def f(x: NDArray[np.float64]) -> NDArray[np.float32] | None:\n    return x\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            ("`x` is declared float64 in line 4",),
            "cast it with x.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "a category": Case(
            "def f(x: NDArray[np.int64]) -> NDArray[np.floating]:\n    return x\n",
            "The returned value is int64 where floating is declared",
            ("int64",),
            ("`x` is declared int64 in line 4",),
            "cast it, or change the annotation",
            None,
        ),
        "a scalar": Case(
            "def f(x: NDArray[np.float64]) -> np.float32:\n    return x.mean()\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            ("`x` is declared float64 in line 4",),
            "cast it with np.float32(...), or change the annotation",
            "np.float32({})",
        ),
        "in a tuple": Case(
            "def f(x: NDArray[np.float64]) -> tuple[int, NDArray[np.float32]]:\n    return 1, x\n",
            "The returned value contains float64 where float32 is declared",
            (),
            (),
            "cast it, or change the annotation",
            None,
        ),
        "an item": Case(
            'def f(x: NDArray[np.float64]) -> dict[str, NDArray[np.float32]]:\n    return {"a": x}\n',
            "The value of entry 0 is float64 where float32 is declared",
            ("float64",),
            ("`x` is declared float64 in line 4",),
            "cast it with x.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "a cast that loses values": Case(
            "def f(x: NDArray[np.float64]) -> NDArray[np.int32]:\n    return x\n",
            "The returned value is float64 where int32 is declared",
            ("float64",),
            ("`x` is declared float64 in line 4",),
            "change the annotation, or cast it with x.astype(np.int32) if losing values is meant",
            None,
        ),
        "through calls and names": Case(
            "def f(x: NDArray[np.float32]) -> NDArray[np.float32]:\n"
            "    scale = np.linspace(0, 1, 3)\n"
            "    weights = np.sqrt(scale).reshape(3)\n"
            "    return x * weights.T[0:2]\n",
            "The returned value is float64 where float32 is declared",
            ("float32", "float64"),
            (
                "`weights` is float64: line 6 sets it to `np.sqrt(scale).reshape(3)`",
                "`scale` is float64: line 5 sets it to `np.linspace(0, 1, 3)`",
                "`np.linspace(0, 1, 3)` is float64 unless its `dtype` names another one",
            ),
            "cast the operand with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "an operation": Case(
            "def f(x: NDArray[np.int32], y: NDArray[np.float32]) -> NDArray[np.float32]:\n    return x * y\n",
            "The returned value is float64 where float32 is declared",
            ("int32", "float32"),
            ("`x * y` is int32 * float32, which gives float64",),
            "cast the operand with x.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "calls among the operands": Case(
            "def f(x: NDArray[np.float32], y: NDArray[np.int16]) -> NDArray[np.int16]:\n"
            "    return y * np.abs(x.astype(np.float64)) * x.astype(y.dtype)\n",
            "The returned value is float64 where int16 is declared",
            ("int16", "float64", "int16"),
            ("`x.astype(np.float64)` asks for float64",),
            "change the annotation, or cast it with (...).astype(np.int16) if losing values is meant",
            None,
        ),
        "an attribute": Case(
            "class Net:\n"
            "    def __init__(self) -> None:\n"
            "        self.w = np.linspace(0, 1, 3)\n"
            "    def f(self, x: NDArray[np.float32]) -> NDArray[np.float32]:\n"
            "        return np.maximum(x * self.w, 0)\n",
            "The returned value is float64 where float32 is declared",
            ("float64", "Python int"),
            (
                "`self.w` is float64: line 6 sets it to `np.linspace(0, 1, 3)`",
                "`np.linspace(0, 1, 3)` is float64 unless its `dtype` names another one",
            ),
            "cast it with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "arrays in a display": Case(
            "def f() -> NDArray[np.float32]:\n"
            "    x, y = np.meshgrid(np.zeros(2), np.zeros(3))\n"
            "    return np.stack([x, y], axis=-1)\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            ("`x` is float64: line 5 sets it",),
            "cast it with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "an axis is no operand": Case(
            "def f(mask: NDArray[np.bool_]) -> NDArray[np.int32]:\n    return mask.sum(axis=0)\n",
            "The returned value is int64 where int32 is declared",
            ("bool",),
            ("`mask.sum(axis=0)` is int64 for bool",),
            "change the annotation, or cast it with (...).astype(np.int32) if losing values is meant",
            None,
        ),
        "a cast to another dtype": Case(
            "def f(x: NDArray[np.float32]) -> NDArray[np.float32]:\n    return x.astype(np.float64)\n",
            "The returned value is float64 where float32 is declared",
            ("float32",),
            ("`x.astype(np.float64)` asks for float64",),
            "ask for np.float32, or change the annotation",
            "np.float32",
        ),
        "syntax of a newer Python": Case(
            "type F = NDArray[np.float32]\ndef f(x: NDArray[np.float64]) -> F:\n    return x\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            ("`x` is declared float64 in line 5",),
            "cast it with x.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "a loop": Case(
            "def f(n: int) -> NDArray[np.float32]:\n"
            "    image = np.linspace(0, 1, n)\n"
            "    for _ in range(n):\n"
            "        image = image - image.min()\n"
            "    return image\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            (
                "`image` is float64: line 7 sets it to `image - image.min()`",
                "`image` is float64: line 5 sets it to `np.linspace(0, 1, n)`",
                "`np.linspace(0, 1, n)` is float64 unless its `dtype` names another one",
            ),
            "cast it with image.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "variables that a loop makes of each other": Case(
            "def f(n: int) -> NDArray[np.float32]:\n"
            "    a = np.linspace(0, 1, n)\n"
            "    for _ in range(n):\n"
            "        b = a * 2\n"
            "        a = b + 1\n"
            "    return a\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            (
                "`a` is float64: line 8 sets it to `b + 1`",
                "`b` is float64: line 7 sets it to `a * 2`",
                "`a` is float64: line 5 sets it to `np.linspace(0, 1, n)`",
                "`np.linspace(0, 1, n)` is float64 unless its `dtype` names another one",
            ),
            "cast it with a.astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "a declared result": Case(
            "class Net:\n"
            "    def gain(self, x: NDArray[np.int8]) -> NDArray[np.float64]:\n"
            "        return np.ones(3)\n"
            "def f(net: Net, x: NDArray[np.int8]) -> NDArray[np.float32]:\n"
            "    gain = net.gain(x)\n"
            "    return gain * x\n",
            "The returned value is float64 where float32 is declared",
            ("float64", "int8"),
            (
                "`gain` is float64: line 8 sets it to `net.gain(x)`",
                "`net.gain(x)` is declared float64 in line 5",
            ),
            "cast it with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "a category of operands": Case(
            "def f(x: NDArray[np.floating]) -> NDArray[np.int32]:\n    return x / 2\n",
            "The returned value is floating where int32 is declared",
            ("a float", "Python int"),
            ("`x` is declared a float in line 4",),
            "change the annotation, or cast it with (...).astype(np.int32) if losing values is meant",
            None,
        ),
        "a shape is no list of numbers": Case(
            "def f() -> NDArray[np.float32]:\n    return np.zeros((2, 3))\n",
            "The returned value is float64 where float32 is declared",
            ("float64",),
            ("`np.zeros((2, 3))` is float64 unless its `dtype` names another one",),
            "cast it with (...).astype(np.float32), or change the annotation",
            "{}.astype(np.float32)",
        ),
        "in place": Case(
            "def f(x: NDArray[np.uint8]) -> None:\n    x -= 0.5\n",
            "Unsupported in-place operation uint8 -= float under numpy promotion: the result is float64, which NumPy"
            " does not cast to uint8 in place",
            ("uint8", "Python float"),
            ("`x` is declared uint8 in line 4",),
            "write x = x - y for float64, or write an int in place of the Python float",
            None,
        ),
        "a stored item": Case(
            "def f(x: NDArray[np.uint8]) -> None:\n    x[0] = 300\n",
            "Integer out of range in uint8[...] = 300 under numpy promotion: 300 is out of range for uint8 (0 to 255)",
            ("uint8",),
            ("`x` is declared uint8 in line 4",),
            "use a dtype that holds it, such as uint16",
            None,
        ),
        "an index": Case(
            "def f(x: NDArray[np.int8], i: NDArray[np.float32]) -> None:\n    x[i]\n",
            "Unsupported dtypes in int8[float32] under numpy promotion: NumPy does not accept float32 as an index",
            ("int8", "float32"),
            ("`x` is declared int8 in line 4", "`i` is declared float32 in line 4"),
            "cast the index with x.astype(np.int64)",
            None,
        ),
        "an operand beside a number": Case(
            "def f(x: NDArray[np.uint8]) -> None:\n    x + 300\n",
            "Integer out of range in uint8 + 300 under numpy promotion: 300 is out of range for uint8 (0 to 255)",
            ("uint8", "Python int"),
            ("`x` is declared uint8 in line 4",),
            "cast the array with x.astype(np.uint16)",
            "{}.astype(np.uint16)",
        ),
    },
    "jax": {
        "returned": Case(
            'def f(x: Int32[Array, "n"]) -> Int32[Array, "n"]:\n    return x / 2\n',
            "The returned value is float32 where int32 is declared",
            ("int32", "Python int"),
            ("`x / 2` is int32 / Python int, which gives float32",),
            "change the annotation, or cast it with (...).astype(jnp.int32) if losing values is meant",
            None,
        ),
        "a category": Case(
            'def f(x: Integer[Array, "n"]) -> Float[Array, "n"]:\n    return x\n',
            "The returned value is Integer where Float is declared",
            ("an integer",),
            ("`x` is declared an integer in line 3",),
            "cast it, or change the annotation",
            None,
        ),
        "a weak dtype": Case(
            'def f() -> Float32[Array, ""]:\n    x = jnp.asarray(1)\n    return x\n',
            "The returned value is weak int32 where float32 is declared",
            ("weak int32",),
            (
                "`x` is weak int32: line 4 sets it to `jnp.asarray(1)`",
                "`jnp.asarray(1)` is weak int32 unless its `dtype` names another one",
            ),
            "cast it with x.astype(jnp.float32), or change the annotation",
            "{}.astype(jnp.float32)",
        ),
    },
    "torch": {
        "returned": Case(
            'def f(x: BFloat16[Tensor, "n"], y: Float32[Tensor, "n"]) -> BFloat16[Tensor, "n"]:\n    return x * y\n',
            "The returned value is float32 where bfloat16 is declared",
            ("bfloat16", "float32"),
            ("`y` is declared float32 in line 4",),
            "cast the operand with y.to(torch.bfloat16), or change the annotation",
            "{}.to(torch.bfloat16)",
        ),
        "an operand": Case(
            'def f(x: BFloat16[Tensor, "n"], y: Float32[Tensor, "n"]) -> None:\n    x @ y\n',
            "Unsupported dtypes in bfloat16 @ float32 under torch promotion: the operands of @ must have the same dtype"
            " in PyTorch, not bfloat16 and float32",
            ("bfloat16", "float32"),
            ("`x` is declared bfloat16 in line 4", "`y` is declared float32 in line 4"),
            "cast the bfloat16 operand with x.to(torch.float32)",
            "{}.to(torch.float32)",
        ),
        "a cast among the operands": Case(
            'def f(w: Float32[Tensor, "n"], x: BFloat16[Tensor, "n"], y: Float32[Tensor, "n"]) -> None:\n'
            "    w @ y.to(x.dtype)\n",
            "Unsupported dtypes in float32 @ bfloat16 under torch promotion: the operands of @ must have the same dtype"
            " in PyTorch, not float32 and bfloat16",
            ("float32", "bfloat16"),
            ("`w` is declared float32 in line 4", "`y.to(x.dtype)` asks for bfloat16"),
            "cast the bfloat16 operand with x.to(torch.float32)",
            "{}.to(torch.float32)",
        ),
    },
}

#: A mistake with room for a comment.
IGNORED = "def f(x: NDArray[np.float64]) -> NDArray[np.float32]:\n    return x  # type: ignore"
#: No findings: errors of mypy about something else, dtypes that may be right, ignored lines.
QUIET = {
    "other errors": "def f(x: int) -> str:\n    return x\nf('')\nimport no_such_package\nundefined\n",
    "an unknown dtype": "def f(x, y: np.ndarray) -> NDArray[np.float32]:\n    return y if x else x\n",
    "a category of the stubs": "def f(x: NDArray[np.floating]) -> NDArray[np.float32]:\n    return x\n",
    "ignored by the code of mypy": f"{IGNORED}[return-value]\n",
    "ignored by our code": f"{IGNORED}[promo-mismatch]\n",
    "ignored by the parent": f"{IGNORED}[promo]\n",
    "ignored by our comment": f"{IGNORED.replace('type: ', 'promo: ')}\n",
    "a wrong class": "def f(x: NDArray[np.float64]) -> list[np.float32]:\n    return x\n",
    "a wrong shape": (
        "F32 = np.dtype[np.float32]\n"
        "def f(x: np.ndarray[tuple[int], F32]) -> np.ndarray[tuple[int, int], F32]:\n    return x\n"
    ),
    "another shape of a category": (
        "def f() -> np.ndarray[tuple[Literal[3]], np.dtype[np.floating]]:\n    return np.zeros((3,))\n"
        "def g(x: list[NDArray[np.float64]]) -> list[NDArray[np.number]]:\n    return x\n"
    ),
    "no annotations": "def f(x, y):\n    return np.zeros(3) + x * y\n",
}
LIBRARIES = {"numpy": (), "jax": ("jax", "jaxtyping"), "torch": ("torch", "jaxtyping")}


@pytest.fixture(scope="module", params=CASES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if LIBRARIES[name]:
        needs(*LIBRARIES[name])
    return name


@pytest.fixture(scope="module")
def found(library: str, tmp_path_factory: pytest.TempPathFactory, check_cache: Path) -> dict[str, dict[str, Any]]:
    """Case -> its only finding."""
    folder = tmp_path_factory.mktemp(library)
    for name, case in CASES[library].items():
        (folder / f"{name.replace(' ', '_')}.py").write_text(HEADERS[library] + case.program, encoding="utf-8")
    done = check_json(folder, check_cache)
    assert done.status == 1, done.errors
    findings = {each["path"].removesuffix(".py").replace("_", " "): each for each in done.findings}
    assert len(findings) == len(done.findings)
    return findings


def test_every_case_has_one_finding(library: str, found: dict[str, dict[str, Any]]) -> None:
    assert found.keys() == CASES[library].keys()


def test_the_findings_are_the_expected_ones(library: str, found: dict[str, dict[str, Any]]) -> None:
    told = {
        name: Case(
            CASES[library][name].program,
            each["message"],
            tuple(operand["dtype"] for operand in each["operands"]),
            tuple(each["origin"]),
            each["remedy"],
            each["cast"] and each["cast"]["template"],
        )
        for name, each in found.items()
    }
    assert told == CASES[library]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, check_cache: Path) -> Done:
    folder = tmp_path_factory.mktemp("quiet")
    for name, program in QUIET.items():
        (folder / f"{name.replace(' ', '_')}.py").write_text(HEADERS["numpy"] + program, encoding="utf-8")
    return check_json(folder, check_cache)


def test_other_errors_of_mypy_are_not_reported(quiet: Done) -> None:
    assert (quiet.findings, quiet.status) == ([], 0)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in DIAGNOSTICS if EXAMPLES[row.code].program], ids=lambda row: row.code)
def test_the_example_of_a_code_triggers_it(row: Any, tmp_path: Path, check_cache: Path) -> None:
    example = EXAMPLES[row.code]
    if "jax" in example.program:
        needs("jax", "jaxtyping")
    (tmp_path / "program.py").write_text(example.program, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(f"[tool.promo-mypy]\n{example.options}\n", encoding="utf-8")
    done = check_json(tmp_path, check_cache, "--select", row.code)
    assert {each["code"] for each in done.findings} == {row.code}, done.errors
    assert len(done.findings) == 1


def test_every_code_has_an_example() -> None:
    assert EXAMPLES.keys() == {row.code for row in DIAGNOSTICS}
