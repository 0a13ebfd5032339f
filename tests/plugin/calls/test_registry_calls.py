"""mypy infers every call of the registry as the rules do; other tests compare the rules with the real libraries."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.protocols import Repeated
from tests.mypy_runs import configuration, override
from tests.needed import needs
from tests.plugin.calls import registry_programs as programs
from tests.program.executed import run_command

SURROUNDINGS = {
    each.library: each for each in (programs.NUMPY, programs.JAX, programs.TORCH, programs.DASK, programs.ARRAY_API)
}
#: The share of cells that mypy knows. The rest depends on an unknown rank, on whether a value is a scalar or an array,
#: or on classes used as functions.
KNOWN = {"numpy": 0.93, "jax": 0.98, "torch": 0.98, "dask": 0.97, "array_api_strict": 0.97}


@dataclass
class Comparison:
    """How mypy's answers for the cells compare: the same as the rules, unknown, or different."""

    library: str
    known: int = 0
    unknown: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    calls: int = 0


@pytest.fixture(scope="module", params=SURROUNDINGS)
def compared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path
) -> Comparison:
    surroundings = SURROUNDINGS[request.param]
    needs(request.param)
    if request.param == "torch":
        needs("jaxtyping")
    cells = list(programs.cells_of(surroundings))
    source, asked = programs.program(surroundings, cells)
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "calls.py").write_text(source)
    (folder / "pyproject.toml").write_text(configuration(plugin_cache) + override("calls", "jax_enable_x64 = true"))
    run = run_command(folder, "infer", "calls.py", "--format", "json")
    lines = source.splitlines()
    whole = {
        found["line"]: found["dtype"]
        for found in json.loads(run.stdout)["expressions"]
        # In parentheses, or with a suffix.
        if found["column"] <= 5 and found["end_column"] >= len(lines[found["line"] - 1]) - 1
    }
    result = Comparison(request.param, calls=len({cell.text for cell, _ in asked.values()}))
    for line, (cell, part) in asked.items():
        dtype = whole.get(line)
        if part is None or isinstance(part, Repeated) or issubclass(part, dt.PythonScalar):
            continue
        expected = part.name.rstrip("*")
        if dtype is None or (isinstance(dtype, list) and expected in dtype):  # the rank decides between several
            result.unknown.append(f"{cell}: {expected}")
        elif dtype == expected:
            result.known += 1
        else:
            result.wrong.append(f"{cell}: {expected}, not {dtype}")
    return result


@pytest.mark.slow
@pytest.mark.slow
def test_nothing_is_wrong(compared: Comparison) -> None:
    assert compared.wrong == []


@pytest.mark.slow
def test_nearly_everything_is_known(compared: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    share = compared.known / (compared.known + len(compared.unknown))
    with capsys.disabled():
        sys.stdout.write(f"\n{compared.calls} calls, {compared.known} cells known, {len(compared.unknown)} unknown\n")
    assert share > KNOWN[compared.library], compared.unknown
