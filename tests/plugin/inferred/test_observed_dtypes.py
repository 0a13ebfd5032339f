"""The option `profile`: what a run has recorded is known at unknown places, inferred and never enforced."""

import json
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.profiles import Profile, profile_text
from tests.mypy_runs import Run, configuration, run_dmypy, run_mypy
from tests.needed import imported, needs
from tests.program.executed import infer_json
from tests.recorded import recorded

needs("torch")
torch = imported("torch")
np = imported("numpy")

PROGRAM = """\
import numpy as np
import torch
from typing import Any


def stock(name: str) -> torch.Tensor:
    return _TABLE[name]


def scaled(x: torch.Tensor, y: "torch.Tensor | None", z: np.ndarray, n: int) -> torch.Tensor:
    reveal_type(x * 2)
    reveal_type(y)
    reveal_type(z)
    reveal_type(stock("a"))
    reveal_type(stock("b"))
    x = x.to(torch.int32)
    reveal_type(x)
    return x


class Layer:
    def __init__(self, w: torch.Tensor) -> None:
        self.w = w

    def run(self) -> torch.Tensor:
        reveal_type(self.w)
        return self.w


def untyped(x, k):
    y = np.sqrt(x) * k
    return y


_TABLE: dict[str, torch.Tensor] = {}
"""

CALLS = """
scaled(torch.zeros(3, dtype=torch.float64), None, np.zeros(3), 1)
scaled("text", None, np.zeros(3), 1)
x: torch.Tensor = Layer(torch.zeros(3)).w
"""


def use(program: dict[str, Any]) -> None:
    """A run of the program."""
    program["_TABLE"].update(a=torch.zeros(2, dtype=torch.float16), b=torch.zeros(2, dtype=torch.int8))
    half = torch.zeros(2, dtype=torch.bfloat16)
    program["scaled"](torch.zeros(2), half, np.zeros(2, np.int16), 1)
    program["scaled"](torch.zeros(2, dtype=torch.float64), None, np.zeros(2, np.int16), 1)
    program["_TABLE"]["b"] = torch.zeros(2, dtype=torch.int32)
    program["scaled"](torch.zeros(2), half, np.zeros(2, np.int16), 1)
    program["Layer"](half).run()
    program["untyped"](np.ones(2, np.float32), 2)


@pytest.fixture(scope="module")
def profile() -> Profile:
    """What the run has recorded."""

    def run(program: dict[str, Any]) -> None:
        program["reveal_type"] = lambda value: value
        use(program)

    return recorded(PROGRAM, "program", run)


def _check(folder: Path, cache: Path, profile: Profile, program: str = PROGRAM + CALLS) -> Run:
    (folder / "program.py").write_text(program)
    (folder / "promo-profile.json").write_text(profile_text(profile))
    return run_mypy(
        folder, "program.py", cache=cache, options='profile = "promo-profile.json"', settings="strict = false"
    )


INT16 = "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.signedinteger[numpy._typing._nbit_base._16Bit]]]"


def test_what_was_seen_is_known_inside(tmp_path: Path, plugin_cache: Path, profile: Profile) -> None:
    run = _check(tmp_path, plugin_cache, profile)
    assert run.revealed() == {
        11: "Tensor[float32 | float64]",
        12: "Tensor[bfloat16] | None",
        13: INT16,
        14: "Tensor[float16]",
        15: "Tensor[int8 | int32]",
        17: "Tensor[int32]",
        26: "Tensor[bfloat16]",
    }
    # Callers may pass any dtype: only the text is an error, as without the profile.
    assert [(each.line, each.code) for each in run.errors()] == [(30, "no-untyped-def"), (38, "arg-type")]
    assert run.errors() == _check(tmp_path, plugin_cache, Profile()).errors()


def test_a_function_whose_code_changed_has_no_observations(
    tmp_path: Path, plugin_cache: Path, profile: Profile
) -> None:
    changed = (PROGRAM + CALLS).replace("x = x.to(torch.int32)", "x = x.to(torch.int64)")
    moved = f"# A comment.\n\n{changed}"
    assert _check(tmp_path, plugin_cache, profile, moved).revealed() == {
        13: "Tensor[Any]",
        14: "Tensor[Any] | None",
        15: "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]",
        16: "Tensor[Any]",
        17: "Tensor[Any]",
        19: "Tensor[int64]",
        28: "Tensor[bfloat16]",
    }


def test_annotations_do_not_make_a_profile_stale(tmp_path: Path, plugin_cache: Path, profile: Profile) -> None:
    annotated = (PROGRAM + CALLS).replace("z: np.ndarray, n: int", "z: np.ndarray, n: float")
    assert _check(tmp_path, plugin_cache, profile, annotated).revealed()[13] == INT16


NUMPY = """\
import numpy as np


def scaled(x: np.ndarray, n: int) -> np.ndarray:
    reveal_type(x)
    return x * n
"""


EITHER = """\
import numpy as np
import torch


def either(x: torch.Tensor | np.ndarray, y: torch.Tensor | np.ndarray) -> None:
    reveal_type(x)
    reveal_type(y)
"""


def test_an_array_of_another_dtype_in_a_union_stays_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    def run(program: dict[str, Any]) -> None:
        program["reveal_type"] = lambda value: value
        program["either"](torch.zeros(2), torch.zeros(2))
        program["either"](np.array(["text"]), torch.zeros(2))

    assert _check(tmp_path, plugin_cache, recorded(EITHER, "program", run), EITHER).revealed() == {
        6: "Tensor[float32] | numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]",
        7: "Tensor[float32]",
    }


def test_a_new_profile_counts_in_a_warm_run_and_in_the_daemon(tmp_path: Path, plugin_cache: Path) -> None:
    def run(program: dict[str, Any]) -> None:
        program["reveal_type"] = lambda value: value
        program["scaled"](np.zeros(2, np.int16), 2)

    profile = recorded(NUMPY, "program", run)
    cold = _check(tmp_path, plugin_cache, profile, NUMPY)
    assert cold.revealed() == {5: INT16}
    without = _check(tmp_path, plugin_cache, Profile(), NUMPY)
    assert without.revealed() == {5: "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]"}
    assert _check(tmp_path, plugin_cache, profile, NUMPY).output == cold.output
    try:
        arguments = ("run", "--", "program.py", "--cache-dir", str(plugin_cache))
        assert run_dmypy(tmp_path, *arguments).revealed() == cold.revealed()
        (tmp_path / "program.py").write_text(NUMPY.replace("n: int", "n: float"))
        assert run_dmypy(tmp_path, *arguments).revealed() == cold.revealed()
        (tmp_path / "program.py").write_text(NUMPY.replace("x * n", "x + n + 1"))
        assert run_dmypy(tmp_path, *arguments).revealed() == without.revealed()
        (tmp_path / "program.py").write_text(NUMPY)
        assert run_dmypy(tmp_path, *arguments).revealed() == cold.revealed()
        (tmp_path / "promo-profile.json").write_text(profile_text(Profile()))
        assert run_dmypy(tmp_path, *arguments).revealed() == without.revealed()
    finally:
        run_dmypy(tmp_path, "kill")


def test_infer_names_what_was_observed(tmp_path: Path, plugin_cache: Path, profile: Profile) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "promo-profile.json").write_text(profile_text(profile))
    options = '[tool.promo-mypy]\nprofile = "promo-profile.json"\n'
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache) + options)
    lines = PROGRAM.splitlines()
    found = {
        lines[each["line"] - 1][each["column"] : each["end_column"]]: (each["dtype"], each.get("observed", False))
        for each in infer_json(tmp_path, "program.py")["expressions"]
    }
    assert found["np.sqrt(x)"] == ("float32", False)
    assert found["np.sqrt(x) * k"] == ("float32", True)
    assert found["y"] == ("float32", True)
    assert found["self.w"] == ("bfloat16", False)  # as the parameter of __init__
    assert found['stock("a")'] == (["float16", "int8", "int32"], False)  # what its body returns in all calls
    assert found["_TABLE[name]"] == (["float16", "int8", "int32"], True)
    assert found["x.to(torch.int32)"] == ("int32", False)
    assert found["x * 2"] == (["float32", "float64"], False)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("3", "tool.promo-mypy.profile: expected the path of a profile, not 3 (int)"),
        ('"none.json"', "tool.promo-mypy.profile: there is no none.json: record it with pytest --promo-record=PACKAGE"),
        ('"wrong.json"', "tool.promo-mypy.profile: wrong.json: the profile has version 7, not 1"),
        ('"empty.json"', "tool.promo-mypy.profile: empty.json: not a profile of promo-mypy: KeyError: 'version'"),
    ],
)
def test_a_wrong_profile_is_one_clear_error(value: str, message: str, tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "wrong.json").write_text(json.dumps({"version": 7}))
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "program.py").write_text("import numpy as np\n")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, options=f"profile = {value}")
    assert message in run.output
    assert run.status == 2
