"""Hide the differences between the supported versions of the array libraries, and report a version that is too old.

- `fault`: the types of an older version lack names from which the plugin reads dtypes. mypy's tree of the library's
  package shows where it is installed, which may be another environment than the plugin's. Only files are read: the
  library is not imported.
- `scalar_operator`: NumPy 2.2 declares most operators of its scalars as attributes of a protocol type. Since 2.3 they
  are methods.

Nothing compares versions to choose a rule. (tests/versions/test_library_versions.py)
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mypy.plugin import AttributeContext
from mypy.subtypes import find_member
from mypy.types import Instance, Type, get_proper_type

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

#: The module of the protocols.
_PROTOCOLS: Final = "numpy._typing._callable"

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


def scalar_operator(ctx: AttributeContext) -> Type:
    """The signatures of a scalar's operator. mypy asks the plugin about methods, and not about callable attributes."""
    declared = get_proper_type(ctx.default_attr_type)
    if not isinstance(declared, Instance) or declared.type.module_name != _PROTOCOLS:
        return ctx.default_attr_type
    return find_member("__call__", declared, declared, is_operator=True) or declared


def _version(folder: Path) -> str | None:
    # Both libraries write their version into this module: `version = "2.1.3"`, `_version = "0.7.2"`.
    file = folder / "version.py"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    match = re.search(r'^_?version = "(\d+\.\d+[^"]*)"', text, re.MULTILINE)
    return match[1] if match is not None else None
