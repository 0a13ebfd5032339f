"""Every example is strictly typed, runs, and has at run time the dtypes that mypy infers."""

import shutil
from pathlib import Path

import pytest

from tests.examples.agreement import dtype_named, executed, inferred, instrumented, run_python
from tests.mypy_runs import ROOT, Run, run_mypy
from tests.needed import needs

EXAMPLES = ROOT / "examples"

# example -> the libraries that it needs beyond NumPy, its output, and the least number of compared dtypes
PROGRAMS: dict[str, tuple[tuple[str, ...], str, int]] = {
    "quickstart/exposure.py": (
        (),
        "uint8 [0, 80, 114, 30]\n"
        "float32 [0.0, 69.89250183105469, 139.14410400390625, 207.1331024169922]\n"
        "float64 [0.0, 0.0004, 0.0016, 0.0035]\n",
        16,
    ),
    "numpy_signal.py": ((), f"complex64 {'.' * 15}{'#' * 33}{'.' * 16}\n", 11),
    "sensor_fusion.py": ((), "int32 float64 [470.25, 20000.5, 32805.75]\n", 7),
    "portable.py": ((), "float32 int32 [40, 35, 30, 25, 20, 15, 10, 5]\n", 8),
    "jax_training_step.py": (("jax", "jaxtyping"), "bfloat16 [ 1.  1.  1.  1. -1. -1. -1. -1.]\n", 6),
    "own_lattice/telescope.py": (("jax", "jaxtyping"), "float32 [0.0, 0.25, 0.0, 0.75]\n", 4),
    "dask_statistics.py": (("dask", "jaxtyping"), "float32 31 uint16 400\n", 5),
    "torch_mixed_precision.py": (
        ("torch", "jaxtyping"),
        "torch.float32 [0.99609375, 0.99609375, -0.99609375, -0.99609375]\n",
        8,
    ),
}


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    needs(*PROGRAMS[name][0])
    return name


def _checked(source: str, folder: Path, cache: Path) -> Run:
    (folder / "program.py").write_text(source, encoding="utf-8")
    return run_mypy(folder, "program.py", cache=cache)


def test_every_example_is_listed() -> None:
    found = {str(file.relative_to(EXAMPLES)) for file in EXAMPLES.rglob("*.py")}
    assert {name for name in found if not name.startswith(("mistakes/", "check/"))} == set(PROGRAMS)


def test_it_runs(program: str) -> None:
    output = run_python(str(EXAMPLES / program))
    assert output == PROGRAMS[program][1]


def test_mypy_reports_no_error(program: str, tmp_path: Path, plugin_cache: Path) -> None:
    run = _checked((EXAMPLES / program).read_text(encoding="utf-8"), tmp_path, plugin_cache)
    assert (run.errors(), run.status) == ([], 0), run.output


def test_mypy_and_execution_agree(program: str, tmp_path: Path, plugin_cache: Path) -> None:
    source = instrumented((EXAMPLES / program).read_text(encoding="utf-8"))
    run = _checked(source, tmp_path, plugin_cache)
    assert run.errors() == [], run.output
    types, values = inferred(run), executed(tmp_path / "program.py")
    both = types.keys() & values.keys()
    assert {line: types[line] for line in both} == {line: values[line] for line in both}
    assert len(both) >= PROGRAMS[program][2], (types, values)


def test_a_disagreement_is_found(tmp_path: Path, plugin_cache: Path) -> None:
    source = (
        '"""."""\n'
        "from typing import Any\n"
        "import numpy as np\n"
        "import numpy.typing as npt\n"
        "def lie(x: Any) -> npt.NDArray[np.float32]:\n"
        "    return x\n"
        "def main() -> None:\n"
        "    y = lie(np.ones(3))\n"
        "main()\n"
    )
    run = _checked(instrumented(source), tmp_path, plugin_cache)
    types, values = inferred(run), executed(tmp_path / "program.py")
    (line,) = types
    assert (types[line], values[line]) == ("float32", "float64")


def test_the_comments_of_the_quick_start_are_true(tmp_path: Path, plugin_cache: Path) -> None:
    """The comment beside every `reveal_type` begins with the dtype that mypy reveals and Python has there."""
    file = EXAMPLES / "quickstart" / "exposure.py"
    shutil.copy(file, tmp_path / "program.py")
    lines = file.read_text(encoding="utf-8").splitlines()
    said = {number: line.split("# ")[1].split(":")[0] for number, line in enumerate(lines, 1) if "reveal_type(" in line}
    assert len(said) == 4
    assert inferred(run_mypy(tmp_path, "program.py", cache=plugin_cache)) == said
    assert executed(file) == said


@pytest.mark.parametrize(
    ("revealed", "dtype"),
    [
        ("Array[bfloat16]", "bfloat16"),
        ("Tensor[bool_]", "bool"),
        ("Tensor[Any]", None),
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float64]]", "float64"),
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.bool[bool]]]", "bool"),
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.floating[Any]]]", "floating"),
        ("builtins.float", None),
    ],
)
def test_names_of_dtypes(revealed: str, dtype: str | None) -> None:
    assert dtype_named(revealed) == dtype
