"""mypy runs in one environment; the checked code lives in another one, which has no promo-mypy."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mypy.options import Options

from promo_mypy.plugin.process import environments
from tests.mypy_runs import ROOT, Run, environment, parse
from tests.plugin.annotations.miniature import write_libraries

PROGRAM = """\
from jax import Array
from jaxtyping import Float32, Int32
def f(x: Float32[Array, "n"], i: Int32[Array, "n"]) -> Int32[Array, "n"]:
    reveal_type(x)
    return x
"""
NUMPY_PROGRAM = """\
import ml_dtypes
import numpy.typing as npt
def f(x: npt.NDArray[ml_dtypes.bfloat16]) -> None:
    reveal_type(x * x)
"""
CUPY_PROGRAM = """\
from typing import Annotated
import cupy as cp
def f(x: Annotated[cp.ndarray, cp.float32]) -> None:
    reveal_type(x * 2)
    reveal_type(cp.linalg.norm(x))
    reveal_type(cp.fft.next_fast_len(3))
"""
INSTALLED = Path(sysconfig.get_paths()["purelib"])


def make_environment(folder: Path) -> Path:
    """A virtual environment without packages; returns its folder for packages."""
    venv.create(folder, with_pip=False)
    return Path(
        subprocess.run(
            [python_of(folder), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of the checked code: it has array libraries, but neither mypy nor promo-mypy."""
    folder = tmp_path_factory.mktemp("checked")
    packages = make_environment(folder)
    write_libraries(packages)
    for library in ("jax", "jaxtyping"):
        (packages / library / "py.typed").touch()
    for library in ("numpy", "ml_dtypes"):
        (packages / library).symlink_to(INSTALLED / library, target_is_directory=True)
    return python_of(folder)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter that runs mypy: it has mypy and promo-mypy."""
    folder = tmp_path_factory.mktemp("tools")
    packages = make_environment(folder)
    (packages / "paths.pth").write_text(f"{ROOT}\n{INSTALLED}\n")
    return python_of(folder)


def variables() -> dict[str, str]:
    """The environment of a run without any path of promo-mypy."""
    return {name: value for name, value in environment().items() if name not in ("PYTHONPATH", "MYPYPATH")}


def check(tools: Path, checked: Path, folder: Path, *arguments: str) -> Run:
    """Check the program in `folder`."""
    (folder / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\nstrict = true\n")
    command = [str(tools), "-m", "mypy", "--python-executable", str(checked), "program.py", *arguments]
    done = subprocess.run(command, cwd=folder, env=variables(), capture_output=True, text=True, check=False)
    return Run(parse(done.stdout), done.stdout + done.stderr, done.returncode)


def assert_dtypes_known(run: Run) -> None:
    assert run.revealed() == {4: "Array[float32]"}, run.output
    texts = [message.text for message in run.errors()]
    assert texts == ['Incompatible return value type (got "Array[float32]", expected "Array[int32]")'], run.output


def test_cold_and_warm(tools: Path, checked: Path, tmp_path: Path) -> None:
    for touch in ("", "# touched\n"):
        (tmp_path / "program.py").write_text(PROGRAM + touch)
        assert_dtypes_known(check(tools, checked, tmp_path, "--cache-dir", "cache"))


def test_our_stubs_are_found_too(tools: Path, checked: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(NUMPY_PROGRAM)
    run = check(tools, checked, tmp_path)
    assert run.revealed() == {4: "numpy.ndarray[tuple[Any, ...], numpy.dtype[ml_dtypes.bfloat16]]"}


@pytest.mark.slow
def test_the_stubs_of_cupy_are_found_and_the_rest_is_unknown(tools: Path, checked: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(CUPY_PROGRAM)
    run = check(tools, checked, tmp_path)
    assert run.revealed() == {4: "ndarray[float32]", 5: "ndarray[float32]", 6: "Any"}, run.output


def test_nothing_else_of_mypy_s_environment_becomes_visible(tools: Path, checked: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import mypy.nodes\nimport pytest\nimport promo_mypy.plugin\n")
    run = check(tools, checked, tmp_path)
    assert {message.line for message in run.errors()} == {1, 2, 3}
    assert {message.code for message in run.errors()} == {"import-not-found"}


@pytest.mark.slow
def test_workers(tools: Path, checked: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert_dtypes_known(check(tools, checked, tmp_path, "-n", "2"))


@pytest.fixture
def daemon(tools: Path, checked: Path, tmp_path: Path) -> Iterator[Callable[[], Run]]:
    """Checks by the mypy daemon."""
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = promo_mypy.plugin\nstrict = true\n")
    command = [str(tools), "-m", "mypy.dmypy", "--status-file", str(tmp_path / "status.json")]

    def run() -> Run:
        arguments = [*command, "run", "--", "--python-executable", str(checked), "program.py"]
        done = subprocess.run(arguments, cwd=tmp_path, env=variables(), capture_output=True, text=True, check=False)
        return Run(parse(done.stdout), done.stdout + done.stderr, done.returncode)

    yield run
    subprocess.run([*command, "stop"], cwd=tmp_path, env=variables(), capture_output=True, check=False)


def test_daemon(daemon: Callable[[], Run], tmp_path: Path) -> None:
    for touch in ("", "# touched\n"):
        (tmp_path / "program.py").write_text(PROGRAM + touch)
        assert_dtypes_known(daemon())


def test_an_environment_with_promo_mypy_is_unchanged(tools: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    other = tmp_path / "other"
    packages = make_environment(other)
    write_libraries(packages)
    for library in ("jax", "jaxtyping"):
        (packages / library / "py.typed").touch()
    (packages / "promo_mypy").symlink_to(ROOT / "promo_mypy", target_is_directory=True)
    assert_dtypes_known(check(tools, python_of(other), tmp_path, "--cache-dir", "cache"))
    assert not (tmp_path / "cache" / "promo-mypy").exists()


def test_without_a_search_path_the_remedy_is_reported(
    checked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulates a change of mypy: the plugin finds no search path to extend."""
    monkeypatch.setattr(environments, "search_paths", list)
    options = Options()
    options.python_executable = str(checked)
    options.cache_dir = str(tmp_path)
    message = environments.reach(options)
    assert message is not None
    assert f'{checked} -m pip install "promo-mypy"' in message


def test_the_same_environment_needs_nothing(tmp_path: Path) -> None:
    options = Options()
    options.python_executable = sys.executable
    options.cache_dir = str(tmp_path)
    assert environments.reach(options) is None
    assert list(tmp_path.iterdir()) == []
