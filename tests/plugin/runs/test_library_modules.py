"""The variables in an array library's own modules are not tracked, unless mypy is asked to check these modules."""

from pathlib import Path
from typing import Any

import pytest
from mypy import api
from mypy.nodes import MypyFile

from promo_mypy.plugin import features
from promo_mypy.plugin.inferred import variables
from tests.mypy_runs import run_mypy

PROGRAM = """\
import numpy as np
import numpy.typing as npt
class Model:
    def __init__(self, x: npt.NDArray[np.int16]) -> None:
        y = np.sqrt(x)
        y = y.astype(np.float16)
        self.y = np.sqrt(y)
"""


def write_own(folder: Path, program: str) -> None:
    """A module with the name of an array library."""
    (folder / "paddle").mkdir()
    (folder / "paddle" / "__init__.py").write_text("")
    (folder / "paddle" / "own.py").write_text(program)


@pytest.fixture
def looked_into(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The modules whose variables are tracked."""
    modules: set[str] = set()

    class Noted(variables.RebindableVariables):
        def __init__(self, tree: MypyFile, *args: Any) -> None:
            modules.add(tree.fullname)
            super().__init__(tree, *args)

    monkeypatch.setattr(features, "RebindableVariables", Noted)
    return modules


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with NumPy, which is read once; the files of each test are its own."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected"),
    # mypy reads NumPy again if imports are followed differently than in the run before.
    [
        (["--follow-imports=silent", "users.py"], {"users"}),
        (["--follow-imports=silent", "users.py", "paddle"], {"users", "paddle.own"}),
        (["users.py"], {"users", "paddle.own"}),
    ],
)
def test_modules(
    arguments: list[str],
    expected: set[str],
    looked_into: set[str],
    tmp_path: Path,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\n")
    write_own(tmp_path, PROGRAM)
    (tmp_path / "users.py").write_text(f"from paddle import own\n{PROGRAM}    print(own)\n")
    shown, crash, status = api.run(["--show-traceback", "--cache-dir", str(cache), *arguments])
    assert (shown.count("\n"), crash, status) == (1, "", 0)
    assert looked_into & {"users", "paddle.own"} == expected


def test_annotations_are_read_as_by_stock_mypy(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    write_own(
        tmp_path,
        "from typing import Any\n"
        "import numpy as np\n"
        "Matrix = np.ndarray\n"
        "def bare(x: np.ndarray, y: Matrix, z: list[np.ndarray] | None = None) -> type[np.ndarray]: ...\n"
        "def exact(x: 'np.ndarray[tuple[int, int], np.dtype[np.int8]]') -> np.ndarray[Any, np.dtype[np.int8]]: ...\n"
        "class Table(np.ndarray[tuple[int], np.dtype[np.int8]]):\n"
        "    base_of: np.ndarray\n",
    )
    names = ("bare", "exact", "Table", "Table.base_of", "Matrix")
    shown = "".join(f"reveal_type(own.{name})\n" for name in names)
    (tmp_path / "users_of_own.py").write_text(f"from paddle import own\n{shown}")
    silent = 'strict_equality = true\n[[tool.mypy.overrides]]\nmodule = ["paddle.*"]\nfollow_imports = "silent"'
    runs = [
        run_mypy(tmp_path, "users_of_own.py", cache=cache, plugin=plugin, settings=silent)
        for cache, plugin in ((plugin_cache, True), (stock_cache, False))
    ]
    assert len(runs[0].revealed()) == len(names), runs[0].output
    assert runs[0].messages == runs[1].messages
