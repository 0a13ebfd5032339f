"""Weak dtypes to the classes beside them that mypy does not simplify away, and back: see `rules.weakness`."""

import re
from collections.abc import Mapping
from typing import Final

from mypy.nodes import TypeInfo
from mypy.plugin import ClassDefContext
from mypy.types import Instance

from promo_mypy.plugin import names
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.weakness import STANDS_FOR

#: Full name of the class -> weak dtype, and back.
DTYPES: Final[Mapping[str, type[dt.Shaped]]] = {
    f"{names.WEAKNESS}.{cls.__name__}": dtype for cls, dtype in STANDS_FOR.items()
}
NAMES: Final[Mapping[type[dt.Shaped], str]] = {dtype: name for name, dtype in DTYPES.items()}

# A union of dtypes with such a class in it, the names qualified or not.
_UNION: Final = re.compile(r"(?:[\w.]+ \| )*[\w.]*\bAlsoWeak\w+(?: \| [\w.]+)*")


def promote(ctx: ClassDefContext) -> None:
    """Let the class stand where its strong dtype is asked for."""
    strong = DTYPES[ctx.cls.fullname].strong
    symbol = ctx.api.lookup_fully_qualified_or_none(f"{names.DTYPES}.{strong.__name__}")
    assert symbol is not None
    assert isinstance(symbol.node, TypeInfo)
    ctx.cls.info._promote = [Instance(symbol.node, [])]


def without(message: str) -> str:
    """A message without these classes: the weak dtype is said once."""
    return _UNION.sub(_said_once, message) if "AlsoWeak" in message else message


def _said_once(union: re.Match[str]) -> str:
    parts = (part.rpartition(".") for part in union[0].split(" | "))
    said = (
        (names.DTYPES if module else "", dot, DTYPES[f"{names.WEAKNESS}.{name}"].__name__)
        if name.startswith("AlsoWeak")
        else (module, dot, name)
        for module, dot, name in parts
    )
    return " | ".join(dict.fromkeys(map("".join, said)))
