"""The program of the quick start, checked under the project's own configuration."""

from pathlib import Path

import pytest

from tests.module_runs import ROOT, run_module
from tests.mypy_runs import environment


@pytest.mark.slow
def test_the_quick_start_reveals_its_dtypes(plugin_cache: Path) -> None:
    flags = ("--no-color-output", "--cache-dir", str(plugin_cache / "quick-start"))
    done = run_module("mypy", *flags, "examples/quickstart", folder=ROOT, variables=environment())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Revealed type is") == 4
    assert done.stdout.endswith("Success: no issues found in 1 source file\n")
