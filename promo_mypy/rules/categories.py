"""Categories and the dtypes that they stand for."""

from collections.abc import Iterable

from promo_mypy.rules.dtypes import ORDINARY, Shaped


def members(cls: type[Shaped]) -> frozenset[type[Shaped]]:
    """The ordinary dtypes that a category stands for; an exact dtype stands for itself.

    Float stands for bfloat16 and float16 to float64. It does not stand for float4 or longdouble: those count only if
    they are named.
    """
    if cls.exact:
        return frozenset({cls})
    return frozenset(dtype for dtype in ORDINARY if issubclass(dtype, cls))


def smallest_category(dtypes: Iterable[type[Shaped]]) -> type[Shaped]:
    """The most derived class above all of them: the dtype itself for one, int32 for int32 and weak_int32, Real for
    int8 and float32. Raises ValueError for an empty collection.
    """
    listed = list(dtypes)
    if not listed:
        raise ValueError("no dtypes, no category")
    # The bases form a tree, except that Float is under Real and Inexact. Two dtypes share both only through Float,
    # so the first common class in any method resolution order is below every other common class.
    return next(
        base for base in listed[0].__mro__ if issubclass(base, Shaped) and all(issubclass(d, base) for d in listed)
    )
