"""An array library that is too old for the plugin: one message that says what to do."""

import re
import tomllib
from pathlib import Path

import pytest

from promo_mypy.plugin.process.library_versions import NEEDED, fault
from tests.mypy_runs import ROOT, run_mypy
from tests.needed import imported


def _install(folder: Path, package: str, version: str, *modules: str) -> Path:
    """A package of the form of NumPy or JAX that says its version."""
    library = folder / package
    library.mkdir()
    variable = "version" if package == "numpy" else "_version"
    (library / "version.py").write_text(f'{variable} = "{version}"\n')
    for module in modules:
        path = library.joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir()
        path.touch()
    (library / "__init__.py").write_text("class ndarray: ...\n")
    return library / "__init__.py"


@pytest.mark.parametrize("package", NEEDED)
def test_the_oldest_version_is_that_of_the_package(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["jax"]]
    major, minor = NEEDED[package].oldest
    assert f"{package}>={major}.{minor}" in requirements


@pytest.mark.parametrize(("package", "version"), [("numpy", "1.26.4"), ("numpy", "2.1.3"), ("jax", "0.7.2")])
def test_an_old_version_is_rejected(package: str, version: str, tmp_path: Path) -> None:
    needed = NEEDED[package]
    message = fault(package, str(_install(tmp_path, package, version)))
    assert message is not None
    assert f"{needed.label} {version} has no {package}.{needed.module}" in message
    assert re.search(rf'pip install "{package}>=', message)


@pytest.mark.parametrize(("package", "version"), [("numpy", "2.2.0"), ("numpy", "2.10.1"), ("jax", "0.8.0")])
def test_a_newer_version_is_taken(package: str, version: str, tmp_path: Path) -> None:
    assert fault(package, str(_install(tmp_path, package, version))) is None


@pytest.mark.parametrize("package", NEEDED)
def test_a_version_that_has_the_names_is_taken(package: str, tmp_path: Path) -> None:
    assert fault(package, str(_install(tmp_path, package, "0.1.0", NEEDED[package].module))) is None


def test_types_without_a_version_are_taken(tmp_path: Path) -> None:
    stubs = _install(tmp_path, "numpy", "2.1.3")
    (stubs.parent / "version.py").unlink()
    assert fault("numpy", str(stubs)) is None


def test_the_installed_versions_are_taken() -> None:
    for package in NEEDED:
        module = imported(package)
        assert fault(package, module.__file__) is None


def test_mypy_ends_with_the_message(tmp_path: Path) -> None:
    _install(tmp_path, "numpy", "2.1.3")
    (tmp_path / "program.py").write_text("import numpy\n")
    run = run_mypy(tmp_path, "program.py", cache=tmp_path / "cache")
    assert run.status == 2
    assert run.output == (
        "promo-mypy needs NumPy 2.2 or newer: NumPy 2.1.3 has no numpy._typing._nbit_base; "
        'run python -m pip install "numpy>=2.2"\n'
    )
