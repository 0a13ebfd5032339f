"""The results of the sessions and the requirements of the package to the README's table of supported versions."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.versions.results import Result

#: Library -> its name in the table, in the order of the rows; below Python.
LIBRARIES: Final = {
    "mypy": "mypy",
    "numpy": "NumPy",
    "typer": "Typer",
    "rich": "Rich",
    "ml_dtypes": "ml_dtypes",
    "jax": "JAX",
    "jaxtyping": "jaxtyping",
    "equinox": "Equinox",
    "torch": "PyTorch",
    "dask": "Dask",
    "array-api-strict": "array-api-strict",
    "types-tensorflow": "types-tensorflow",
}

_BEGIN: Final = "<!-- versions: written by `nox -s table` -->\n"
_END: Final = "<!-- end of versions -->\n"
_REQUIREMENT: Final = r"([\w-]+)(?:\[[\w,]+\])?(.*)"


def written(readme: str, project: Mapping[str, Any], results: Iterable[Result]) -> str:
    """The README with the table of these results between its two comments."""
    before, rest = readme.split(_BEGIN)
    _, after = rest.split(_END)
    return f"{before}{_BEGIN}\n{table(project, list(results))}\n{_END}{after}"


def table(project: Mapping[str, Any], results: list[Result]) -> str:
    """What is required, and what sessions ran with in which every test passed."""
    bounds = required(project)
    green = [result for result in results if not result.failed]
    lines = ["| | Required | Tested with |", "|---|---|---|"]
    for library, label in {"python": "Python", **LIBRARIES}.items():
        tested = sorted(
            {_release(result.versions[library]) for result in green if library in result.versions}, key=_numbers
        )
        if library in bounds:
            lines.append(f"| {label} | {bounds[library]} | {', '.join(tested)} |")
    dates = sorted({result.date for result in green})
    days = dates[-1] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    full = [result.session for result in green if result.profile == "full"]
    whole = ", ".join(full) or "none"
    lines += ["", f"Tested in {len(green)} sessions of `nox`, {days}; with the profile `full`: {whole}."]
    return "\n".join(lines) + "\n"


def required(project: Mapping[str, Any]) -> dict[str, str]:
    """Library -> the versions that the package asks for, as the table shows them."""
    shown = {"python": _spaced(project["requires-python"]), **dict(_requirements(project["dependencies"]))}
    for extra in project["optional-dependencies"].values():
        for name, bounds in _requirements(extra):
            shown.setdefault(name, f"optional, {bounds}")
    return shown


def _requirements(requirements: Iterable[str]) -> Iterator[tuple[str, str]]:
    for requirement in requirements:
        match = re.fullmatch(_REQUIREMENT, requirement.replace(" ", ""))
        assert match is not None, requirement
        yield match[1], _spaced(match[2])


def _spaced(bounds: str) -> str:
    return ", ".join(re.sub(r"(<=|>=|==|<|>)", r"\1 ", bound.strip()) for bound in bounds.split(","))


def _release(version: str) -> str:
    """Without the date in the versions of types."""
    return ".".join(version.split(".")[:3])


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def project_table(root: Path) -> Mapping[str, Any]:
    """The table `project` of `pyproject.toml`."""
    project: Mapping[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project
