"""A check aside makes the errors of a real run of mypy without the plugin."""

import os
import sys
from pathlib import Path

import pytest

from promo_mypy.plugin.mypy_versions import TELLS_OF_CHECKED_FILES
from tests.needed import needs
from tests.plugin.inferred.aside.oracle import RECORDING, differences
from tests.plugin.inferred.provenance.programs import LIBRARIES, TEXTS, UNTYPED
from tests.plugin.operators.test_index_overloads import INDICES, REFUSED, SETUP

pytestmark = [
    pytest.mark.skipif(not TELLS_OF_CHECKED_FILES, reason="this mypy does not tell when it has checked a file"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the recorder is imported into a process that forks"),
]


def test_a_check_aside_is_a_run_of_stock_mypy(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(*LIBRARIES)
    caches = {"plugin_cache": plugin_cache, "stock_cache": stock_cache}
    assert list(differences(tmp_path, TEXTS, **caches, settings=UNTYPED)) == []


def test_so_it_is_for_indices(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs("torch")
    reads = [f"x[{index}]" for index in (*INDICES, *REFUSED)]
    arrays = f"{SETUP}\nimport numpy.typing as npt\n\ndef read(x: npt.NDArray[np.float32]) -> None:\n"
    tensors = SETUP.replace("import numpy as np", "import torch").replace("np.array([", "torch.tensor([")
    tensors = (
        tensors.replace("np.bool_", "torch.bool").replace("np.", "torch.") + "\ndef read(x: torch.Tensor) -> None:\n"
    )
    uses = {"arrays.py": (arrays, reads), "tensors.py": (tensors, [*reads, *(f"{read} = 1" for read in reads)])}
    files = {name: begin + "".join(f"    {line}\n" for line in lines) for name, (begin, lines) in uses.items()}
    assert list(differences(tmp_path, files, plugin_cache=plugin_cache, stock_cache=stock_cache)) == []


def test_a_difference_is_found(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    """To stock mypy CuPy's arrays have no dtype. One that somebody declared stays in a check aside."""
    needs(*LIBRARIES)
    name = "unions_of_cupy.py"
    files = {name: TEXTS[name].replace("  # declared", "")}
    found = list(differences(tmp_path, files, plugin_cache=plugin_cache, stock_cache=stock_cache, settings=UNTYPED))
    assert [each.partition(": ")[0] for each in found] == ["only aside"]


def test_other_tests_run_the_plugin_as_it_is() -> None:
    """The recorder changes the plugin of its process, which is never that of the tests."""
    assert RECORDING not in sys.modules
