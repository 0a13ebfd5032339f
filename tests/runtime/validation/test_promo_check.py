"""`pytest --promo-check`: what is instrumented and reported, and that it costs nothing while it is off."""

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from promo_runtime.validation.checked_sources import with_checks

if TYPE_CHECKING:  # the class is in conftest.py, which cannot be imported
    from tests.runtime.validation.conftest import Project
else:
    Project = Any

APP = '''
"""A package whose annotations are in strings."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Iterator

import numpy as np
import numpy.typing as npt

Single = npt.NDArray[np.float32]


def scale(x: Single, by: float) -> Single:
    return x * by


def outer(x: Single) -> Single:
    def inner(y: Single) -> Single:
        return y

    return inner(x.astype("f8"))


def items(x: Single) -> Iterator[Single]:
    yield x


async def later(x: Single) -> Single:
    return x


def plain(x: int) -> int:
    return x


@functools.lru_cache
def cached(x: np.float32) -> np.float32:
    return x


@dataclass
class Image:
    pixels: npt.NDArray[np.uint8]

    @property
    def half(self) -> Single:
        return self.pixels / np.float32(2)

    @staticmethod
    def wrong() -> Single:
        return np.ones(1)


@dataclass(frozen=True)
class Frozen:
    pixels: npt.NDArray[np.uint8]


class Model:
    def __init_subclass__(cls, scale: Single) -> None:
        cls.scale = scale

    def __new__(cls, x: Single) -> Model:
        return super().__new__(cls)
'''

TESTS = """
import asyncio

import numpy as np
import pytest
from app import images
from app.images import cached, items, later, outer, plain, scale

single, double, byte = np.ones(2, "f4"), np.ones(2), np.ones(2, "u1")


def test_right():
    assert scale(single, 2.0).dtype == "f4" and plain(1) == 1
    assert next(items(single)) is single and asyncio.run(later(single)) is single
    assert images.Image(byte).half.dtype == "f4" and images.Frozen(byte).pixels is byte
    assert cached(np.float32(1)) == 1 and cached.cache_info().misses == 1

    class Derived(images.Model, scale=single):
        pass

    Derived(single)


def test_argument():
    scale(double, 2.0)


def test_nested():
    outer(single)


def test_field():
    images.Image(single)


def test_frozen():
    images.Frozen(single)


def test_static():
    images.Image.wrong()


def test_assigned():
    images.Image(byte).pixels = single


def test_generator():
    list(items(double))


def test_async():
    asyncio.run(later(double))


def test_new():
    images.Model(double)
"""


def a_project(project: Project) -> Project:
    project.write("app/__init__.py", "from app.images import scale\n")
    project.write("app/images.py", APP)
    project.write("tests/test_app.py", TESTS)
    return project


def test_functions_methods_and_dataclasses_are_checked(project: Project) -> None:
    run = a_project(project).pytest("--promo-check=app")
    assert run.returncode == 1, run.stdout
    assert "9 failed, 1 passed" in run.stdout
    errors = re.findall(r"^E .*DtypeError: (.*) of app\.images\.(.*): expected", run.stdout, re.M)
    assert sorted(errors) == [
        ("argument x", "Model.__new__"),
        ("argument x", "items"),
        ("argument x", "later"),
        ("argument x", "scale"),
        ("argument y", "outer.<locals>.inner"),
        ("field pixels", "Frozen"),
        ("field pixels", "Image"),
        ("field pixels", "Image"),
        ("result", "Image.wrong"),
    ]
    line = TESTS.splitlines().index("    scale(double, 2.0)") + 1
    assert f"came from   {project.folder}/tests/test_app.py:{line}" in run.stdout
    counted = re.search(
        r"^promo-check: \d+ calls of (\d+) functions and dataclasses checked in app: .*$", run.stdout, re.M
    )
    assert counted is not None
    assert counted[1] == "12"  # all except `plain`
    assert re.fullmatch(r".*: \d+\.\d+ s, and \d+\.\d+ s at import", counted[0])


def test_it_is_off_without_the_option(project: Project) -> None:
    run = a_project(project).pytest()
    assert run.returncode == 0, run.stdout
    assert "10 passed" in run.stdout
    assert "promo-mypy" not in run.stdout.partition("collected")[2]


@pytest.mark.slow
def test_xdist_adds_the_counts_of_its_workers(project: Project) -> None:
    one, two = (a_project(project).pytest("--promo-check=app", *more) for more in ((), ("-n2",)))
    pattern = r"promo-check: (\d+) calls of (\d+) functions"
    assert re.findall(pattern, one.stdout) == re.findall(pattern, two.stdout) != []
    assert "9 failed, 1 passed" in two.stdout


def test_a_package_that_is_never_imported_is_named(project: Project) -> None:
    run = a_project(project).pytest("--promo-check=app,ap")
    assert "never imported: ap" in run.stdout.splitlines()


def test_a_package_that_is_imported_too_early_is_a_usage_error(project: Project) -> None:
    run = a_project(project).pytest("-p", "app", "--promo-check=app")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: app cannot be checked because pytest imports it before conftest files" in run.stderr


def test_a_conftest_may_import_the_package(project: Project) -> None:
    a_project(project).write("conftest.py", "import app\n")
    assert "9 failed, 1 passed" in project.pytest("--promo-check=app").stdout


def test_tests_inside_the_package_keep_pytests_assertions(project: Project) -> None:
    project.write("app/__init__.py", "")
    project.write("app/test_inside.py", "def test_it():\n    left = 1\n    assert left == 2\n")
    run = project.pytest("--promo-check=app")
    assert "assert 1 == 2" in run.stdout
    assert "left as they are (compiled, or loaded by another hook): app.test_inside" in run.stdout


@pytest.mark.slow
def test_no_bytecode_is_left_behind(project: Project) -> None:
    a_project(project).pytest("--promo-check=app")
    assert "10 passed" in project.pytest().stdout


def test_contradictory_annotations_fail_where_they_are_used(project: Project) -> None:
    project.write(
        "app.py",
        "from typing import Annotated\nimport numpy as np, numpy.typing as npt\n"
        "def f(x: Annotated[npt.NDArray[np.float64], np.float32]): pass\n",
    )
    project.write("test_app.py", "import app, numpy\ndef test_it(): app.f(numpy.ones(2))\n")
    run = project.pytest("--promo-check=app")
    assert (
        "AnnotationError: parameter x of app.f: float32 contradicts its own array type, which is float64" in run.stdout
    )


class TestWithoutTheOption:
    """No cost: the module that pytest loads imports neither NumPy nor promo_runtime, and registers only the options."""

    PROGRAM = """
import sys, pytest
class Look:
    def pytest_sessionfinish(self, session):
        names = {"numpy", "ml_dtypes", "promo_runtime", "promo_mypy"} & set(sys.modules)
        hooks = [type(finder).__name__ for finder in sys.meta_path if "Instrumented" in type(finder).__name__]
        plugins = [name for name, _ in session.config.pluginmanager.list_name_plugin() if "promo" in name]
        print("\\nSEEN", sorted(names), hooks, plugins)
sys.exit(pytest.main(["-q", "-p", "promo_pytest", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[Look()]))
"""

    def seen(self, project: Project, *options: str) -> str:
        project.write("app.py", "")
        project.write("test_app.py", "def test_it(): import app\n")
        block = [f"-p no:{name}" for name in ("jaxtyping", "hypothesispytest")]
        command = [sys.executable, "-c", self.PROGRAM, *" ".join(block).split(), *options]
        run = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=True)
        return next(line for line in run.stdout.splitlines() if line.startswith("SEEN"))

    @pytest.mark.slow
    def test_nothing_is_imported(self, project: Project) -> None:
        assert self.seen(project) == "SEEN [] [] ['promo_pytest']"

    @pytest.mark.slow
    def test_an_import_is_found(self, project: Project) -> None:
        loaded = "['ml_dtypes', 'numpy', 'promo_mypy', 'promo_runtime'] ['InstrumentedImports']"
        assert self.seen(project, "--promo-check=app").startswith(f"SEEN {loaded}")


def test_compiled_functions_and_overloads_stay_unchanged() -> None:
    import ast

    source = """
import numba as nb
from numba import njit
import torch
import jax

@njit
def a(x: Array): pass

@nb.jit(nopython=True)
def b(x: Array): pass

@torch.jit.script
def c(x: Array): pass

@jax.jit
def d(x: Array): pass

@typing.overload
def e(x: Array): pass
"""
    changed = with_checks(ast.parse(source))
    decorators = {
        node.name: [ast.unparse(each) for each in node.decorator_list]
        for node in ast.walk(changed)
        if isinstance(node, ast.FunctionDef)
    }
    assert decorators == {
        "a": ["njit"],
        "b": ["nb.jit(nopython=True)"],
        "c": ["torch.jit.script"],
        "d": ["jax.jit", "__promo_checked__"],
        "e": ["typing.overload"],
    }
