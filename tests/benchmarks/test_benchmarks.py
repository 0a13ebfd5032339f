"""The benchmarks run and print well-formed figures; the measured programs are valid. No test depends on time."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import programs
from tests.benchmarks.daemon import Latency
from tests.benchmarks.growth import copied
from tests.benchmarks.instructions import count
from tests.benchmarks.instructions import table as counts
from tests.benchmarks.process import CheckFailedError, Cost, measure
from tests.benchmarks.ratios import Ratio
from tests.benchmarks.report import document, holds, starts, table
from tests.benchmarks.startup import Startup, startup
from tests.benchmarks.workloads import WORKLOADS, Workload
from tests.mypy_runs import run_mypy
from tests.needed import needs, needs_program

GENERATORS = {
    "numpy_arithmetic": programs.numpy_arithmetic,
    "numpy_fallback": programs.numpy_fallback,
    "jax_program": programs.jax_program,
    "torch_program": programs.torch_program,
}
LIMITS = {"numpy arithmetic": 0.10, "jax program": 1.05, "torch program": 1.05, "jinja2, empty cache": 1.02}


def ratio(workload: Workload, stock: list[float], plugin: list[float], memory: float = 100) -> Ratio:
    return Ratio(workload, tuple(Cost(cpu, cpu, 100) for cpu in stock), tuple(Cost(cpu, cpu, memory) for cpu in plugin))


@pytest.mark.slow
def test_the_quick_profile_measures_everything_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmarks.main(["--quick"]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| numpy")]
    assert len(rows) == 3
    for row in rows:
        figures = [float(cell) for cell in row if re.fullmatch(r"\d+\.\d+", cell)]
        assert len(figures) >= 4, row
        assert all(figure > 0 for figure in figures), row
    least = [row[6] for row in rows if len(row) == 12]
    assert len(least) == 2
    assert all(float(figure) > 0 for figure in least)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_program_has_its_size_and_is_always_the_same(name: str) -> None:
    generate = GENERATORS[name]
    program = generate(200)
    assert program == generate(200)
    assert 200 <= sum(line.startswith("    ") for line in program.splitlines()) < 220


@pytest.mark.parametrize("name", ["numpy_arithmetic", "jax_program", "torch_program"])
def test_a_program_runs(name: str) -> None:
    functions = _functions(GENERATORS[name](60), name)
    assert functions
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # arithmetic on ones divides by zero at some point
        for function in functions:
            function(*(_argument(parameter, name) for parameter in _annotations(function)))


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_both_variants_accept_a_program(name: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    _needs(name)
    (tmp_path / "program.py").write_text(GENERATORS[name](150), encoding="utf-8")
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        run = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin)
        assert run.status == 0, run.output


@pytest.mark.slow
def test_an_error_in_the_program_raises(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("x: int = ''\n", encoding="utf-8")
    with pytest.raises(CheckFailedError, match="Incompatible types"):
        measure(tmp_path, "stock", tmp_path / "cache", ["wrong.py"])


def test_the_table_holds_the_limits_of_the_project() -> None:
    limits = {workload.name: workload.limit for workload in WORKLOADS}
    assert {name: limits[name] for name in LIMITS} == LIMITS


def test_ratios_are_medians_over_rounds() -> None:
    workload = Workload("w", None, limit=1.05)
    found = ratio(workload, [1, 2, 4], [1.0, 2.2, 40], memory=104)
    assert found.time == pytest.approx(1.1)
    assert found.memory == pytest.approx(1.04)
    assert not holds(found)
    assert holds(ratio(workload, [1, 2, 4], [1, 2, 40]))
    assert not holds(ratio(workload, [1], [1], memory=106))


def test_the_least_cost_is_that_of_a_plugin_that_does_nothing() -> None:
    small = Workload("w", None, programs.numpy_arithmetic, rounds=1)
    assert ratio(small, [1], [2]).least is None
    assert "| 0.500 |" in table([Ratio(small, (Cost(2, 2, 1),), (Cost(2, 2, 1),), (Cost(1, 1, 1),))], [])


@pytest.mark.slow
def test_instruction_counts_are_reproducible(tmp_path: Path) -> None:
    needs_program("valgrind")
    measure(tmp_path, "stock", tmp_path / "cache", ["--version"])  # writes the byte code
    one, other = (count(tmp_path, "stock", tmp_path / "cache", ["--version"]) for _ in range(2))
    assert one.cpu > 0.1
    assert other.cpu == pytest.approx(one.cpu, rel=0.01)
    small = Workload("w", None, limit=0.3)
    assert "| w | 4.000 | 1.000 | 0.250 | 0.30 |  |" in counts([ratio(small, [4], [1])])


def test_without_valgrind_nothing_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CheckFailedError, match="valgrind is not installed"):
        count(tmp_path, "stock", tmp_path / "cache", [])


@pytest.mark.slow
def test_the_language_server_is_measured(tmp_path: Path, check_cache: Path) -> None:
    needs("jax", "jaxtyping", "pygls")
    from tests.benchmarks.editor import Answers, answers
    from tests.benchmarks.editor import table as shown

    found = answers("small", programs.jax_program(40), tmp_path, check_cache, edits=2, rest=0)
    assert len(found.body) == len(found.signature) == len(found.file) == 2
    assert all(seconds > 0 for seconds in (*found.body, *found.signature, *found.file))
    fast = Answers("a", 9, (0.1, 0.2, 0.9), (0.25,), (0.5,))
    assert shown(fast).endswith("| a, 9 lines | 3 | 0.200 | 0.250 | 0.3 | 0.500 | ok |")
    for slow in (Answers("a", 9, (0.4,), (0.1,), (0.5,)), Answers("a", 9, (0.1,), (0.4,), (0.5,))):
        assert shown(slow).endswith("| TOO MUCH |")


def test_the_import_of_the_plugin_brings_no_array_library(tmp_path: Path) -> None:
    found = startup(tmp_path, rounds=1)
    assert found.arrays == ()
    assert 0 < found.alone[0] < found.seconds
    assert not starts(Startup((0.001,), (0.002,), ("numpy",)))
    assert not starts(Startup((0.001,), (0.2,), ()))
    assert starts(Startup((0.001,), (0.002,), ()))


def test_the_report_marks_exceeded_limits() -> None:
    workload = Workload("w", None, limit=1.05)
    latency = Latency("d", 10, (0.1, 0.1), (0.4, 0.4))
    shown = table([ratio(workload, [1], [1]), ratio(workload, [1], [2])], [latency])
    assert [line.endswith("| ok |") for line in shown.splitlines() if line.startswith("| w ")] == [True, False]
    assert shown.splitlines()[-1].endswith("| TOO MUCH |")
    content = json.loads(json.dumps(document([ratio(workload, [1], [2])], [latency], "2000-01-01")))
    assert content["workloads"][0]["time"] == 2
    assert content["daemon"][0]["ratio"] == 4


def _needs(name: str) -> None:
    """The libraries that a generated program imports."""
    library = name.partition("_")[0]
    needs(library)
    if library != "numpy":
        needs("jaxtyping")


def _functions(program: str, name: str) -> list[Any]:
    _needs(name)
    namespace: dict[str, Any] = {}
    exec(compile(program, name, "exec"), namespace)
    return [value for key, value in namespace.items() if re.fullmatch(r"f\d+", key)]


def _annotations(function: Any) -> list[Any]:
    annotations = {key: value for key, value in function.__annotations__.items() if key not in ("return", "scale")}
    return list(annotations.values())


def _argument(annotation: Any, name: str) -> Any:
    """An array of ones that fits the annotation: four elements in each dimension."""
    if name == "numpy_arithmetic":
        import numpy as np

        return np.ones(4, annotation.__args__[1].__args__[0])
    (dtype,) = annotation.dtypes
    shape = (4,) * len(annotation.dim_str.split())
    if name == "jax_program":
        import jax.numpy as jnp

        return jnp.ones(shape, dtype)
    import torch

    return torch.ones(shape, dtype=getattr(torch, dtype))


def test_copies_of_a_package_import_themselves(tmp_path: Path) -> None:
    package = tmp_path / "images"
    package.mkdir()
    (package / "__init__.py").write_text("import images.loading\nfrom images import loading\nimages_here = 1\n")
    (package / "loading.py").write_text("def load():\n    from images import images_here\n")
    target = tmp_path / "copies"
    assert copied(package, target, 2) == 4
    texts = [(target / "images_1" / name).read_text() for name in ("__init__.py", "loading.py")]
    assert texts == [
        "import images_1.loading\nfrom images_1 import loading\nimages_here = 1\n",
        "def load():\n    from images_1 import images_here\n",
    ]
