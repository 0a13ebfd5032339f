"""The variables in an array library's own modules are not looked after, unless it is them that mypy checks."""

from pathlib import Path

import pytest
from mypy import api
from mypy.nodes import MypyFile

from promo_mypy.plugin import features, open_variables

PROGRAM = """\
import numpy as np
import numpy.typing as npt
class Model:
    def __init__(self, x: npt.NDArray[np.int16]) -> None:
        y = np.sqrt(x)
        y = y.astype(np.float16)
        self.y = np.sqrt(y)
"""


@pytest.fixture
def looked_into(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The modules whose variables are looked after."""
    modules: set[str] = set()

    class Noted(open_variables.RebindableVariables):
        def __init__(self, tree: MypyFile) -> None:
            modules.add(tree.fullname)
            super().__init__(tree)

    monkeypatch.setattr(features, "RebindableVariables", Noted)
    return modules


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--follow-imports=silent", "users.py"], {"users"}),
        (["users.py"], {"users", "paddle.own"}),
        (["--follow-imports=silent", "users.py", "paddle"], {"users", "paddle.own"}),
    ],
)
def test_modules(
    arguments: list[str],
    expected: set[str],
    looked_into: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\nincremental = False\n")
    (tmp_path / "paddle").mkdir()
    (tmp_path / "paddle" / "__init__.py").write_text("")
    (tmp_path / "paddle" / "own.py").write_text(PROGRAM)
    (tmp_path / "users.py").write_text(f"from paddle import own\n{PROGRAM}    print(own)\n")
    shown, crash, status = api.run(["--show-traceback", *arguments])
    assert (shown.count("\n"), crash, status) == (1, "", 0)
    assert looked_into & {"users", "paddle.own"} == expected
