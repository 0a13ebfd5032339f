"""Recording: it does not change a program, and the profile has the dtypes of its values and nothing else."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules.profiles import (
    ATTRIBUTE,
    EXPRESSION,
    PARAMETER,
    RESULT,
    Observations,
    Place,
    Profile,
    ProfileError,
    Seen,
    merged,
    profile_text,
    read_profile,
)
from promo_runtime.recording.recorded_sources import SEE, with_records
from promo_runtime.recording.recorder import Recorder
from tests.module_runs import ROOT
from tests.recorded import recorded
from tests.slow_tests import slow_but

PROGRAMS = Path(__file__).parents[1] / "validation" / "test_promo_confirm.py"
#: A module with every kind of expression, which counts the calls of a function.
PROGRAM = next(
    ast.literal_eval(node.value)
    for node in ast.parse(PROGRAMS.read_text()).body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PROGRAM"
)


def executed(tree: ast.Module, **names: Any) -> dict[str, Any]:
    """Execute a tree, and return its namespace."""
    module = {"__name__": "program", **names}
    exec(compile(tree, "program.py", "exec", dont_inherit=True), module)
    return module


def test_a_recorded_program_does_the_same() -> None:
    seen = []

    def see(value: object, number: int) -> object:
        seen.append(number)
        return value

    numbers: dict[Any, int] = {}
    tree = with_records(
        ast.parse(PROGRAM), PROGRAM, lambda function, place: numbers.setdefault((function, place), len(numbers))
    )
    looked = executed(tree, **{SEE: see})
    assert looked["everything"]() == executed(ast.parse(PROGRAM))["everything"]()
    assert len(set(seen)) > 100


SOURCE = '''
"""Docs."""
import numpy as np

class Signal:
    def __init__(self, x, rate=1.0):
        """Doc."""
        self.x = x - 1

    def scaled(self, by):
        return self.x * by

    @staticmethod
    def paired(a, b):
        return a * b

def double(x):
    return x * 2

def total(xs, *, first=None):
    def inner(y): return y + 1
    return sum(inner(x) for x in xs) if first is None else first
'''


def use(program: dict[str, Any]) -> None:
    """A run of the program."""
    signal = program["Signal"](np.ones(2, np.float32))
    signal.scaled(np.float32(2))
    signal.scaled(2)
    signal.paired(np.ones(2, np.int8), np.float32(2))
    program["total"]([np.zeros(2, np.int8)], first=np.array(1, np.int16))
    program["total"]([np.zeros(2, np.int8), np.zeros(2, np.int8)])


def of(profile: Profile, function: str) -> dict[tuple[str, str], Observations]:
    """What a function's parameters, result and attributes were."""
    found = next(places for key, places in profile.modules["program"].items() if key.name == function)
    return {(place.kind, place.name): observed for place, observed in found.items() if place.kind != EXPRESSION}


def test_parameters_results_and_attributes() -> None:
    profile = recorded(SOURCE, "program", use)
    single, scalar = Seen("numpy", "float32"), Seen("numpy", "float32", form="scalar")
    assert of(profile, "Signal.__init__") == {
        (PARAMETER, "x"): Observations({single: 1}, {}, "here"),
        (PARAMETER, "rate"): Observations({}, {"float": 1}, "here"),
        (ATTRIBUTE, "Signal.x"): Observations({single: 1}, {}, "here"),
    }
    assert of(profile, "Signal.paired") == {
        (PARAMETER, "a"): Observations({Seen("numpy", "int8"): 1}, {}, "here"),
        (PARAMETER, "b"): Observations({scalar: 1}, {}, "here"),
        (RESULT, ""): Observations({single: 1}, {}, "here"),
    }
    assert of(profile, "Signal.scaled") == {
        (PARAMETER, "by"): Observations({scalar: 1}, {"int": 1}, "here"),
        (RESULT, ""): Observations({single: 2}, {}, "here"),
    }
    total = of(profile, "total")
    assert total[PARAMETER, "first"] == Observations({Seen("numpy", "int16", form="0-d"): 1}, {"NoneType": 1}, "here")
    assert total[PARAMETER, "xs"] == Observations({}, {"list": 2}, "here")
    assert of(profile, "inner")[RESULT, ""] == Observations({Seen("numpy", "int8"): 2}, {}, "here")
    assert "double" not in {function.name for function in profile.of_arrays.modules["program"]}


def test_nothing_of_the_data_is_in_a_profile() -> None:
    text = profile_text(recorded(SOURCE, "program", use))
    keys = {"kind", "name", "place", "seen", "others", "first"}
    places = [
        place for functions in json.loads(text)["modules"].values() for each in functions for place in each["places"]
    ]
    assert all(set(place) == keys for place in places)
    assert {key for place in places for seen in place["seen"] for key in seen} == {
        *("library", "dtype", "weak", "form", "count")
    }


def test_a_place_with_equal_values_is_looked_at_less_closely() -> None:
    recorder = Recorder(lambda: "")
    tree = recorder.instrument(ast.parse(SOURCE), SOURCE, "program")
    program = executed(tree, **{SEE: recorder.see})
    recorder.observations = 0
    for _ in range(10_000):
        program["double"](np.ones(1))
    assert recorder.observations < 200
    recorder.look_again()
    program["double"](np.ones(1, np.int8))
    result = of(recorder.profile(), "double")[RESULT, ""]
    assert result.seen == {Seen("numpy", "float64"): 10_000, Seen("numpy", "int8"): 1}


def test_profiles_are_read_as_they_were_written_and_merged() -> None:
    profile = recorded(SOURCE, "program", use)
    assert read_profile(profile_text(profile)) == profile
    twice = merged([profile, read_profile(profile_text(profile)), Profile()])
    assert of(twice, "Signal.scaled")[RESULT, ""].seen == {Seen("numpy", "float32"): 4}
    assert profile_text(merged([profile])) == profile_text(profile)
    with pytest.raises(ProfileError, match=r"^not a profile of promo-mypy: "):
        read_profile("[]")


def test_places_are_where_the_expressions_are() -> None:
    profile = recorded(SOURCE, "program", use)
    lines = SOURCE.split("\n")
    ((function, places),) = [
        (key, found) for key, found in profile.modules["program"].items() if key.name == "Signal.scaled"
    ]
    first = next(number for number, line in enumerate(lines) if "self.x * by" in line)
    texts = {
        lines[first + place.span[0]][place.span[1] : place.span[3]] for place in places if place.kind == EXPRESSION
    }
    assert texts == {"self.x", "by", "self.x * by"}
    assert function.source
    assert Place(PARAMETER, "by", (0, 0, 0, 0)) in places


TESTS = """
import numpy as np
from app import signals


def test_single():
    for _ in range(100):
        signals.double(np.ones(2, "f4"))


def test_double():
    signals.double(np.ones(2, "f8"))
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A session with promo_pytest in a project with the package `app`."""
    (folder / "app").mkdir(exist_ok=True)
    (folder / "app/__init__.py").write_text("")
    (folder / "app/signals.py").write_text("def double(x):\n    return x * 2\n")
    (folder / "test_app.py").write_text(TESTS)
    paths = f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'runtime')!r}, '.']"
    program = f"import sys\n{paths}\nimport pytest\nsys.exit(pytest.main(sys.argv[1:]))"
    plugins = ["-p", "promo_pytest", "-p", "no:cacheprovider", *(["-p", "xdist"] if "-n2" in arguments else [])]
    command = [sys.executable, "-c", program, *plugins, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("workers", slow_but([()], [(), ("-n2",)]), ids=["one process", "xdist"])
def test_a_session_writes_a_profile(tmp_path: Path, workers: tuple[str, ...]) -> None:
    run = run_pytest(tmp_path, "--promo-record=app", "--promo-check=app", *workers)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "promo-record: promo-profile.json: 4 places in 1 functions of 1 modules; " in run.stdout
    profile = read_profile((tmp_path / "promo-profile.json").read_text())
    ((function, places),) = profile.modules["app.signals"].items()
    assert function.name == "double"
    found = places[Place(RESULT, "", (0, 0, 0, 0))]
    assert found.seen == {Seen("numpy", "float32"): 100, Seen("numpy", "float64"): 1}
    assert found.first.startswith("test_app.py::test_")


def test_a_session_does_not_record_and_confirm(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, "--promo-record=app", "--promo-confirm=app")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--promo-confirm and --promo-record cannot be used together" in run.stderr


SCRIPT = """
import multiprocessing
import subprocess
import sys

import numpy as np
from steps import step


def main():
    step(np.ones(2, np.float32))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        pool.map(step, [np.ones(2, np.int8)])
    code = "import numpy, steps; steps.step(numpy.ones(2, numpy.int16))"
    subprocess.run([sys.executable, "-c", code], check=True)
    print(sys.argv[1:], __name__, __file__)
    sys.exit(3)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("program", slow_but(["train.py"], ["train.py", "-m train"]))
def test_a_program_and_its_processes_are_recorded(program: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "steps.py").write_text("def step(x):\n    return x + x\n")
    command = [
        sys.executable,
        "-m",
        "promo_mypy.cli",
        "record",
        "-o",
        "out.json",
        "--",
        "python",
        *program.split(),
        "--a",
    ]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 3, run.stderr
    assert f"['--a'] __main__ {'train.py' if program == 'train.py' else tmp_path / 'train.py'}" in run.stdout
    profile = read_profile((tmp_path / "out.json").read_text())
    ((_, places),) = profile.modules["steps"].items()
    dtypes = {seen.dtype for seen in places[Place(RESULT, "", (0, 0, 0, 0))].seen}
    assert dtypes == {"float32", "int8", "int16"}


@pytest.mark.parametrize(
    "words", slow_but(["train.py"], ["train.py", "python", "python -m", "python none.py", "python -m none"])
)
def test_a_command_without_a_program_is_an_error(words: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "promo_mypy.cli", "record", "--", *words.split()]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert not (tmp_path / "promo-profile.json").exists()
