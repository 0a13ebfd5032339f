"""Report an installed array library that is too old: its types lack names from which the plugin reads dtypes.

mypy's tree of the library's package shows where it is installed, which may be another environment than the plugin's.
Only files are read: the library is not imported. (tests/versions/test_library_versions.py)
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from promo_mypy.rules.records import record


@record
class Needed:
    """What a library must have.

    Attributes:
        label: the library's name in messages.
        oldest: the first supported version, as in `pyproject.toml`.
        module: a module of the library's package that was added in that version.
    """

    label: str
    oldest: tuple[int, int]
    module: str


#: Package -> what it must have: the classes of NumPy's widths; the module of JAX's transforms.
NEEDED: Final[Mapping[str, Needed]] = {
    "numpy": Needed("NumPy", (2, 2), "_typing._nbit_base"),
    "jax": Needed("JAX", (0, 8), "_src.pmap"),
}

_MESSAGE: Final = (
    "promo-mypy needs {label} {oldest} or newer: {label} {found} has no {package}.{module}; "
    'run python -m pip install "{package}>={oldest}"'
)


def fault(package: str, path: str) -> str | None:
    """The message about a package that mypy reads from `path`; None if its version is supported or unknown."""
    needed = NEEDED.get(package)
    if needed is None:
        return None
    folder = Path(path).parent
    module = folder.joinpath(*needed.module.split("."))
    found = _version(folder)
    if found is None or any(module.with_suffix(suffix).is_file() for suffix in (".py", ".pyi")):
        return None
    numbers = re.findall(r"\d+", found)[:2]
    if (int(numbers[0]), int(numbers[1])) >= needed.oldest:
        return None
    oldest = f"{needed.oldest[0]}.{needed.oldest[1]}"
    return _MESSAGE.format(label=needed.label, oldest=oldest, found=found, package=package, module=needed.module)


def _version(folder: Path) -> str | None:
    # Both libraries write their version into this module: `version = "2.1.3"`, `_version = "0.7.2"`.
    file = folder / "version.py"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    match = re.search(r'^_?version = "(\d+\.\d+[^"]*)"', text, re.MULTILINE)
    return match[1] if match is not None else None
