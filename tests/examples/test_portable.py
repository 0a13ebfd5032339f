"""examples/portable.py: no findings under the options that it names, and the same dtypes in three libraries."""

import re
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.mypy_runs import ROOT, override, run_mypy
from tests.needed import imported

EXAMPLE = ROOT / "examples" / "portable.py"


def _options() -> str:
    """The options in the docstring, for this one module: the array libraries need not be read again."""
    (options,) = re.findall(r"\[tool\.promo-mypy\]\n(.*?)\"\"\"", EXAMPLE.read_text(encoding="utf-8"), re.DOTALL)
    lines = "\n".join(line.strip() for line in options.splitlines())
    return override("portable", lines)


def test_the_portable_example_has_no_findings(tmp_path: Path, plugin_cache: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path)
    run = run_mypy(tmp_path, "portable.py", cache=plugin_cache, options=_options())
    assert (run.errors(), run.status) == ([], 0), run.output


@pytest.mark.parametrize(
    ("written", "instead", "codes"),
    [
        ("steps = np.arange(8, dtype=np.float32)", "steps = np.arange(8, dtype=np.int32)", ["arg-type"]),
        ("sound: Sound, steps: Sound", "sound: Sound, steps: Levels", ["promo-forbidden"]),
        ("levels // 2", "levels / 2", ["promo-forbidden", "promo-undefined"]),
    ],
)
def test_operations_that_are_not_portable_are_reported(
    written: str, instead: str, codes: list[str], tmp_path: Path, plugin_cache: Path
) -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    assert source.count(written) == 1
    (tmp_path / "portable.py").write_text(source.replace(written, instead), encoding="utf-8")
    run = run_mypy(tmp_path, "portable.py", cache=plugin_cache, options=_options())
    every = [error.code or "" for error in run.errors()]
    ours = [code for code in every if code.startswith("promo-")]
    assert (ours or every) == codes, run.output


def _numpy(values: list[float], dtype: str) -> Any:
    return np.array(values, dtype)


def _jax(values: list[float], dtype: str) -> Any:
    jnp = imported("jax.numpy")
    return jnp.array(values, dtype)


def _torch(values: list[float], dtype: str) -> Any:
    torch = imported("torch")
    return torch.tensor(values, dtype=getattr(torch, dtype))


@pytest.mark.parametrize("make", [_numpy, _jax, _torch])
def test_the_dtypes_are_the_same_in_every_library(make: Callable[[list[float], str], Any]) -> None:
    functions = runpy.run_path(str(EXAMPLE))
    sound, levels = make([0.5, -0.25], "float32"), make([8, 16], "int32")
    results = [
        functions["mix"](sound, sound, 0.75),
        functions["fade"](sound, sound),
        functions["quieter"](levels, 2),
    ]
    assert [str(result.dtype).removeprefix("torch.") for result in results] == ["float32", "float32", "int32"]
