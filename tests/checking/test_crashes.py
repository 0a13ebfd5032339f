"""A file at which mypy crashes is left out with its reason, and the others are checked."""

from pathlib import Path
from typing import Any

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.plugin.mypy_api.checker import failure_reports, type_checker
from promo_mypy.plugin.operators import operator_results
from tests.checking.kept_programs import MAIN, Repository, write

pytestmark = pytest.mark.broken_plugin


def test_the_others_are_checked(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """mypy crashes at an exception of a plugin as at one of its own. The file is imported by others, too."""
    before = lint(repository.request())
    infer = operator_results.infer

    def broken(operation: Any, session: Any, checker: Any) -> Any:
        if Path(type_checker.tree(checker).path).name == "bad.py":
            raise LookupError("no such thing")
        return infer(operation, session, checker)

    def raised(_api: object, defect: Exception, _context: object) -> None:
        raise defect

    monkeypatch.setattr(operator_results, "infer", broken)
    monkeypatch.setattr(failure_reports, "report_defect", raised)
    write(repository.folder / "bad.py", "import numpy as np\n\nbad = np.zeros(3) * 2\n")
    write(repository.folder / "main.py", f"{MAIN}\nfrom bad import bad\n")
    report = lint(repository.request())
    assert [(each.path, each.reason) for each in report.left_out] == [
        ("bad.py", "mypy crashes, line 3; please report it with this code")
    ]
    assert report.findings == before.findings
    assert report.files == before.files
