"""The content of the wheel: the three packages, the stubs, their markers, and nothing else of the repository."""

import re
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUBS = (ROOT / "stubs" / "cupy-stubs", ROOT / "stubs" / "ml_dtypes-stubs")
PACKAGES = (ROOT / "promo_mypy", ROOT / "runtime" / "promo_pytest", ROOT / "runtime" / "promo_runtime", *STUBS)

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def wheel(wheel_file: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(wheel_file)


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return HeaderParser().parsestr(wheel.read(name).decode())


def test_the_wheel_is_the_packages_and_stubs(wheel: zipfile.ZipFile) -> None:
    sources = {
        str(file.relative_to(package.parent))
        for package in PACKAGES
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    manual = f"promo_mypy-{metadata(wheel)['Version']}.data/data/share/man/man1/promo-mypy.1"
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == {*sources, manual}
    assert {
        "promo_mypy/py.typed",
        "promo_runtime/py.typed",
        "promo_pytest/py.typed",
        "ml_dtypes-stubs/__init__.pyi",
        "cupy-stubs/py.typed",
    } <= sources


def test_array_libraries_beyond_numpy_are_extras(wheel: zipfile.ZipFile) -> None:
    requirements = metadata(wheel).get_all("Requires-Dist", [])
    required = {re.split(r"[<>=]", line)[0] for line in requirements if "extra ==" not in line}
    assert required == {"mypy", "numpy", "ml-dtypes", "typer", "rich"}
    extras = set(metadata(wheel).get_all("Provides-Extra", []))
    of_users = {"jax", "torch", "dask", "array-api", "fast", "fix", "lsp", "notebook", "tensorflow"}
    assert extras == {*of_users, "test", "docs", "dev"}


def test_pytest_finds_the_plugin(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt")]
    assert "[pytest11]\npromo_pytest = promo_pytest\n" in wheel.read(name).decode()


def test_the_licence_goes_with_it(wheel: zipfile.ZipFile) -> None:
    assert metadata(wheel)["License-Expression"] == "MIT"
    (licence,) = [name for name in wheel.namelist() if name.endswith("/LICENSE")]
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()
