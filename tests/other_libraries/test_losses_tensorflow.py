"""Losses in TensorFlow: every `reveal_type` is executed, and so is every mistake (see `tests.plugin.calls.cases`)."""

from pathlib import Path
from typing import Final

from tests.needed import imported, needs
from tests.plugin.calls import cases

PROGRAM: Final = Path(__file__).parent / "programs" / "tensorflow_losses.py.txt"


def test_mypy_reports_what_tensorflow_rejects(tmp_path: Path, plugin_cache: Path) -> None:
    needs("tensorflow-stubs")
    imported("tensorflow")
    run = cases.copied_and_checked([PROGRAM], tmp_path, plugin_cache)
    cases.check_types(PROGRAM, run.messages)
    cases.check_errors(PROGRAM, run.messages)
