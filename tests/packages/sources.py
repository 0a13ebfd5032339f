"""Fetch the released sources of the packages in the table with pip."""

import ast
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "packages.toml"


class FetchError(Exception):
    """A package could not be fetched; the message names it, and holds pip's output."""


@dataclass(frozen=True, slots=True)
class Package:
    """A release to check.

    Attributes:
        name: the distribution.
        version: its release.
        module: its import package.
        needs: distributions of the table that it imports, and that mypy follows.
        quick: whether the normal tests check it.
    """

    name: str
    version: str
    module: str
    needs: tuple[str, ...] = ()
    quick: bool = False

    @property
    def folder(self) -> str:
        """Its folder below the folder of all sources."""
        return f"{self.name}-{self.version}"


def table() -> tuple[Package, ...]:
    """Every package of the table, in order."""
    return tuple(
        Package(**{"module": row["name"], **row, "needs": tuple(row.get("needs", ()))}) for row in _content()["package"]
    )


def with_needed(packages: Iterable[Package]) -> tuple[Package, ...]:
    """These packages, and before them the packages that they need."""
    every = {package.name: package for package in table()}
    chosen = list(packages)
    needed = [every[name] for package in chosen for name in package.needs if every[name] not in chosen]
    return (*dict.fromkeys(needed), *chosen)


def fetch(packages: Sequence[Package], folder: Path) -> None:
    """Put the sources of each package into `folder`, unless they are there already.

    Dependencies are left out: libraries that are not installed are Any to mypy, with the plugin and without it.

    Raises:
        FetchError: pip failed, as it does without a network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages:
        if not (folder / package.folder).exists():
            _install(package, folder)


def foreign(packages: Sequence[Package], folder: Path) -> frozenset[str]:
    """The top-level modules that the sources import and that mypy must not follow."""
    found = {module.partition(".")[0] for package in packages for module in imported(package, folder)}
    own = {package.module for package in packages}
    return frozenset(found - sys.stdlib_module_names - set(_content()["followed"]) - own)


def followed(packages: Sequence[Package], folder: Path) -> frozenset[str]:
    """The modules of libraries that the sources import and that mypy follows."""
    libraries = set(_content()["followed"])
    return frozenset(
        module for package in packages for module in imported(package, folder) if module.partition(".")[0] in libraries
    )


def imported(package: Package, folder: Path) -> Iterator[str]:
    """The modules that the sources of a package import by absolute names."""
    for file in (folder / package.folder / package.module).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def _content() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _install(package: Package, folder: Path) -> None:
    # pip fills a scratch folder that is renamed at the end: a folder that exists is complete.
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        target = Path(scratch) / package.folder
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--no-deps", "--no-compile", "--target", str(target), f"{package.name}=={package.version}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise FetchError(
                f"{package.name} {package.version} was not fetched, so nothing was checked. This check needs a network "
                f"and a package index that pip can reach. pip said:\n{(done.stdout + done.stderr).strip()}"
            )
        shutil.rmtree(target / "bin", ignore_errors=True)
        target.rename(folder / package.folder)
