"""Translate dtypes to their marker classes, which keep mypy from simplifying a union: see `rules.join_markers`."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from mypy.plugin import ClassDefContext

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.nodes.private_attributes import promote_to
from promo_mypy.plugin.types.dtype_classes import instance_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.join_markers import RARE, STANDS_FOR, AlsoRare

#: Full name of the class -> weak dtype, and back.
DTYPES: Final[Mapping[str, type[dt.Shaped]]] = {
    f"{names.JOIN_MARKERS}.{cls.__name__}": dtype for cls, dtype in STANDS_FOR.items()
}
NAMES: Final[Mapping[type[dt.Shaped], str]] = {dtype: name for name, dtype in DTYPES.items()}

#: The marker class of dtypes that are not ordinary, and all marker classes.
RARE_NAME: Final = f"{names.JOIN_MARKERS}.{AlsoRare.__name__}"
MARKERS: Final = (*DTYPES, RARE_NAME)


def promote(ctx: ClassDefContext) -> None:
    """Let a marker class be accepted where its strong dtype, or a dtype that is not ordinary, is expected."""
    weak = DTYPES.get(ctx.cls.fullname)
    dtypes = [weak.strong] if weak is not None else [dtype for dtype in dt.DTYPES.values() if dtype in RARE]
    promote_to(ctx.cls.info, [instance_of(dtype, ctx) for dtype in dtypes])


def beside(dtypes: Collection[type[dt.Shaped]]) -> Iterator[str]:
    """The names of the marker classes for some dtypes."""
    yield from (NAMES[dtype] for dtype in dtypes if dtype.weak)
    if not RARE.isdisjoint(dtypes):
        yield RARE_NAME
