"""Look up the types of dtype classes while mypy analyses definitions."""

from mypy.nodes import TypeInfo
from mypy.plugin import ClassDefContext
from mypy.types import Instance

from promo_mypy.plugin import names
from promo_mypy.rules import dtypes as dt


def instance_of(dtype: type[dt.Shaped], ctx: ClassDefContext) -> Instance:
    """The type of a dtype class. Every array library brings these classes into the build."""
    symbol = ctx.api.lookup_fully_qualified_or_none(f"{names.DTYPES}.{dtype.__name__}")
    assert symbol is not None
    assert isinstance(symbol.node, TypeInfo)
    return Instance(symbol.node, [])
