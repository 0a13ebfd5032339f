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

# `weak_float32 | AlsoWeakFloat32`, qualified or not.
_SHOWN: Final = re.compile(r" \| (?:[\w.]+\.)?AlsoWeak\w+|(?:\b[\w.]+\.)?\bAlsoWeak\w+ \| ")


def promote(ctx: ClassDefContext) -> None:
    """Let the class stand where its strong dtype is asked for."""
    strong = DTYPES[ctx.cls.fullname].strong
    symbol = ctx.api.lookup_fully_qualified_or_none(f"{names.DTYPES}.{strong.__name__}")
    assert symbol is not None
    assert isinstance(symbol.node, TypeInfo)
    ctx.cls.info._promote = [Instance(symbol.node, [])]


def without(message: str) -> str:
    """A message without these classes."""
    return _SHOWN.sub("", message) if "AlsoWeak" in message else message
