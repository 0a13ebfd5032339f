"""What functions of the libraries around return, compared with their recorded executions.

None of these libraries has to be installed: mypy reads no types of them here, and `golden/` has what they returned.
`measure.py` writes that record.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from promo_mypy.rules import around
from promo_mypy.rules.around import containers, of_flax, of_jax, of_numpy, of_torch
from tests.mypy_runs import configuration
from tests.needed import needs
from tests.program.around.cases import CASES, Calls
from tests.program.around.measure import GOLDEN, measured
from tests.program.around.programs import PROGRAMS, labels
from tests.program.executed import infer_json
from tests.slow_tests import slow_but

_SKIPPED: Final = '[[tool.mypy.overrides]]\nmodule = [{}]\nfollow_imports = "skip"\nfollow_imports_for_stubs = true\n'
_LIBRARY: Final = {
    "torchvision": "torch",
    "torchaudio": "torch",
    **dict.fromkeys(("optax", "linen", "nnx", "haiku"), "jax"),
}


def _record(name: str) -> dict[str, dict[str, str | None]]:
    found: dict[str, dict[str, str | None]] = json.loads((GOLDEN / f"{name}.json").read_text())["calls"]
    return found


def _inferred(folder: Path, cache: Path, text: str) -> dict[int, str | list[str] | None]:
    """Line -> the dtype of the argument of `seen` there."""
    modules = ", ".join(f'"{name}", "{name}.*"' for name in sorted(around.LIBRARY_NAMES - {"jax"}))
    (folder / "pyproject.toml").write_text(configuration(cache, "check_untyped_defs = true") + _SKIPPED.format(modules))
    (folder / "program.py").write_text("def seen(value): ...\n" + text)
    found: dict[int, str | list[str] | None] = {}
    lines = text.splitlines()
    for each in infer_json(folder, "program.py")["expressions"]:
        line = lines[each["line"] - 2] if each["line"] > 1 else ""
        start, end = line.find("seen(") + len("seen("), len(line.partition("  # ")[0]) - 1
        if "seen(" in line and (each["column"], each["end_column"]) == (start, end):
            found[each["line"] - 1] = _told(each)
    return found


def _told(expression: dict[str, Any]) -> Any:
    dtype = expression["dtype"]
    return f"weak {dtype}" if expression["weak"] and dtype is not None else dtype


def _functions(calls: Calls) -> Iterator[tuple[str, str, str]]:
    """Each call with each dtype, and a function that executes it."""
    for call in (*calls.calls, *calls.left_out):
        for dtype in calls.dtypes:
            *before, last = call.replace("DTYPE", dtype).split("; ")
            body = (calls.arrays.replace("DTYPE", dtype), *before, f"seen({last})")
            yield call, dtype, "".join(f"    {line}\n" for line in body)


@pytest.mark.parametrize("name", slow_but({"PIL"}, sorted(CASES)))
def test_a_call_has_the_recorded_dtype(name: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs(_LIBRARY.get(name, "numpy"))
    calls, record = CASES[name], _record(name)
    assert list(record) == [*calls.calls, *calls.left_out]
    text, places = calls.imports + "\ndef written(array): ...\n", {}
    for number, (call, dtype, body) in enumerate(_functions(calls)):
        text += f"def called{number}():\n{body}"
        places[text.count("\n")] = call, dtype
    inferred = _inferred(tmp_path, plugin_cache, text)
    known, wrong = defaultdict[str, set[str]](set), []
    for line, (call, dtype) in places.items():
        told, executed = inferred.get(line), record[call][dtype]
        # A rejected call has no dtype; that it is rejected is not reported.
        if told is not None and executed is not None:
            known[call].add(dtype)
            if told != executed:
                wrong.append((call, dtype, told, executed))
    assert wrong == []
    assert [call for call in calls.calls if not known[call]] == []
    assert [call for call in calls.left_out if known[call]] == []


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_program_has_the_dtypes_of_its_execution(name: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs("numpy" if name == "tables" else "jax")
    inferred, wanted = _inferred(tmp_path, plugin_cache, PROGRAMS[name]), labels(PROGRAMS[name])
    assert {line: inferred.get(line) for line in wanted} == wanted


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_record_is_what_the_library_returns(name: str) -> None:
    try:
        found = measured(CASES[name])
    except (ImportError, OSError, RuntimeError) as missing:
        pytest.skip(f"no extra installs this library: {missing}")
    assert found == _record(name)


def test_the_page_has_the_versions_of_the_records() -> None:
    page = (Path(__file__).parents[3] / "docs" / "libraries.md").read_text()
    for name in CASES:
        version = json.loads((GOLDEN / f"{name}.json").read_text())["version"].split()[1]
        assert ".".join(version.split(".")[:2]) in page, name


def test_every_row_is_called() -> None:
    text = " ".join([*(call for calls in CASES.values() for call in calls.calls), *PROGRAMS.values()])
    rows = [name for each in (containers, of_flax, of_jax, of_numpy, of_torch) for name in each.TABLE.rows]
    # Layers and other objects are called, or have items, by the name of their class.
    named = [name.removesuffix(".__call__").removesuffix(".__getitem__").rpartition(".")[2] for name in rows]
    assert {name for name in named if name not in text} == {"Initializer", "Dataset"}
