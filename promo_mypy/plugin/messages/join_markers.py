"""Name each dtype once in a message: a union may have marker classes beside the dtypes (see `types.join_markers`)."""

import re
from typing import Final

from promo_mypy.plugin import names
from promo_mypy.plugin.types.join_markers import DTYPES
from promo_mypy.rules.join_markers import AlsoRare

# A union of dtypes with a marker class in it, its names qualified or not.
_UNION: Final = r"(?:[\w.]+ \| )*[\w.]*\bAlso(?:Weak\w+|Rare)(?: \| [\w.]+)*"


def without(message: str) -> str:
    """A message without marker classes: each dtype is named once."""
    return re.sub(_UNION, _said_once, message) if "Also" in message else message


def _said_once(union: re.Match[str]) -> str:
    parts = (part.rpartition(".") for part in union[0].split(" | "))
    said = (
        (names.DTYPES if module else "", dot, DTYPES[f"{names.JOIN_MARKERS}.{name}"].__name__)
        if name.startswith("AlsoWeak")
        else (module, dot, name)
        for module, dot, name in parts
        if name != AlsoRare.__name__
    )
    return " | ".join(dict.fromkeys(map("".join, said)))
