"""The entry point for programs, `promo_mypy.program.infer`, and the purpose of its steps."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import configuration, environment
from tests.program.executed import infer_json, place_of

PROGRAMS = Path(__file__).parent / "programs"


def _script(folder: Path, change: str, *paths: str) -> list[dict[str, Any]]:
    """The expressions that `infer` returns in a process with a changed step, which neither takes nor keeps answers."""
    program = (
        "import json, sys\nfrom pathlib import Path\n"
        "from promo_mypy.checking.kept.store import Store\n"
        "Store.read = Store.keep = lambda *_: None\n"
        f"from promo_mypy.program.infer import infer\n{change}\n"
        "found = infer(map(Path, sys.argv[1:])).expressions\n"
        "print(json.dumps([each.place._asdict() | {'path': each.path, 'dtypes': each.dtypes} for each in found]))\n"
    )
    command = [sys.executable, "-c", program, *paths]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.fixture
def folder(tmp_path: Path, plugin_cache: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    for name in ("places", "parentheses", "passes"):
        (tmp_path / f"{name}.py").write_bytes((PROGRAMS / f"{name}.py.txt").read_bytes())
    return tmp_path


def test_many_programs_in_one_run(folder: Path) -> None:
    names = [f"program_{number}.py" for number in range(200)]
    for number, name in enumerate(names):
        dtype = ("float32", "int16", "complex64")[number % 3]
        (folder / name).write_text(f"import numpy as np\nx = np.{dtype}(1)\ny = x * x\ny\n")
    found = _script(folder, "", *names)
    assert len(found) == 5 * len(names)
    assert [each["path"] for each in found] == sorted(each["path"] for each in found)
    dtypes = {each["path"]: each["dtypes"] for each in found}
    assert [dtypes[name] for name in names[:3]] == [["float32"], ["int16"], ["complex64"]]


@pytest.mark.slow
def test_without_earlier_passes_a_finally_has_too_few_dtypes(folder: Path) -> None:
    forgetful = "from promo_mypy.program.checked.passes import Passes\nPasses.earlier = lambda *_: []"
    line = next(n for n, text in enumerate((folder / "passes.py").read_text().splitlines(), 1) if "y.sum()" in text)
    (known,) = (each["dtypes"] for each in _script(folder, "", "passes.py") if _is_call(each, line))
    (forgotten,) = (each["dtypes"] for each in _script(folder, forgetful, "passes.py") if _is_call(each, line))
    assert (known, forgotten) == (["float32", "float64"], ["float64"])


def _is_call(expression: dict[str, Any], line: int) -> bool:
    return bool(expression["line"] == line and expression["end_column"] - expression["column"] == len("y.sum()"))


@pytest.mark.slow
def test_without_the_first_passes_the_dtype_is_unknown(folder: Path) -> None:
    late = "from promo_mypy.program.checked.passes import Passes\nPasses.follow = lambda *_: None"
    line = next(n for n, text in enumerate((folder / "passes.py").read_text().splitlines(), 1) if "y.sum()" in text)
    assert [each["dtypes"] for each in _script(folder, late, "passes.py") if each["line"] == line] == [[], []]


@pytest.mark.slow
def test_mypys_native_parser_loses_places(folder: Path) -> None:
    """The step can go when this fails: then mypy's native parser counts columns outside ASCII as `ast` does."""
    native = "from promo_mypy.checking.parsers import Files\nFiles.leave_to_ast = lambda *_: None"
    assert len(_script(folder, native, "places.py")) < len(infer_json(folder, "places.py")["expressions"])


@pytest.mark.slow
def test_mypys_native_parser_places_operations_without_parentheses(folder: Path) -> None:
    """The step can go when this fails."""
    same = (
        "from promo_mypy.program.checked import modules\nmodules.bare_place_of = lambda node: modules.Place(0, 0, 0, 0)"
    )
    known = {place_of(each) for each in infer_json(folder, "parentheses.py")["expressions"]}
    assert {place_of(each) for each in _script(folder, same, "parentheses.py")} < known


@pytest.mark.slow
def test_several_files_are_parsed_by_either_parser(folder: Path) -> None:
    together = infer_json(folder, "places.py", "parentheses.py", "passes.py")["expressions"]
    alone = [infer_json(folder, f"{name}.py")["expressions"] for name in ("parentheses", "passes", "places")]
    assert together == [each for expressions in alone for each in expressions]


def test_comments_for_mypy_hold_with_either_parser(folder: Path) -> None:
    for name, text in {"ascii": "e", "wide": "é"}.items():
        (folder / f"{name}.py").write_text(
            "# mypy: check-untyped-defs\nimport numpy as np\n"
            f"def f(a=np.float32(1)):\n    {text} = np.float32(1); {text}\n"
        )
    for paths in (("ascii.py",), ("wide.py",), ("ascii.py", "wide.py")):
        found = infer_json(folder, *paths)["expressions"]
        assert [each["dtype"] for each in found] == ["float32"] * 3 * len(paths)


def test_a_long_chain_of_operations(folder: Path) -> None:
    (folder / "chain.py").write_text(f"import numpy as np\nx = np.float32(1)\n{' + '.join(['x'] * 600)}\n")
    assert len(infer_json(folder, "chain.py")["expressions"]) == 1 + 600 + 599


def test_a_union_of_an_array_and_any_has_an_unknown_dtype(folder: Path) -> None:
    (folder / "either.py").write_text(
        "import numpy as np\nfrom typing import Any\n"
        "def f(x: np.float32 | Any, y: np.float32 | None) -> None:\n    (x, y)\n"
    )
    assert [each["dtype"] for each in infer_json(folder, "either.py")["expressions"]] == [None, "float32"]


@pytest.mark.slow
def test_only_our_errors_in_functions_without_annotations(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "untyped.py").write_text(
        "import numpy as np\n"
        "def untyped(x):\n"
        "    'a' + 1\n"
        "    np.zeros(3, np.uint8) + 300\n"
        "def typed(x: int) -> None:\n"
        "    'a' + 1\n"
    )
    program = (
        "from pathlib import Path\nfrom promo_mypy.program.infer import infer\n"
        "print(*infer([Path('untyped.py')]).errors, sep='\\n')\n"
    )
    for option, lines in (("check", ["4", "6"]), ("skip", ["6"])):
        options = f'[tool.promo-mypy]\nuntyped_functions = "{option}"\n'
        (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache) + options)
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
        assert [line.split(":")[1] for line in done.stdout.splitlines()] == lines, done.stdout + done.stderr
