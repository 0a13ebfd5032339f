"""Real programs: every inferred dtype of the examples is the dtype of its value, and every annotation holds."""

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # the class is in conftest.py, which cannot be imported
    from tests.runtime.validation.conftest import Project
else:
    Project = Any

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("numpy_signal", "sensor_fusion")
TESTS = f"""
import importlib
import pytest

@pytest.mark.parametrize("name", {NAMES})
def test_it_runs(name):
    importlib.import_module("demo." + name).main()
"""


@pytest.mark.slow
def test_all_reached_expressions_are_confirmed(project: Project) -> None:
    project.write("demo/__init__.py", "")
    for name in NAMES:
        shutil.copy(EXAMPLES / f"{name}.py", project.folder / "demo")
    project.write("test_demo.py", TESTS)
    run = project.pytest("--promo-check=demo", "--promo-confirm=demo")
    assert run.returncode == 0, run.stdout + run.stderr
    counts = re.search(
        r"promo-confirm: demo: (\d+) expressions: (\d+) confirmed, 0 never reached, 0 differ", run.stdout
    )
    assert counts is not None, run.stdout
    assert counts[1] == counts[2]
    assert int(counts[1]) > 80
    assert re.search(r"promo-check: \d+ calls of 8 functions", run.stdout), run.stdout
