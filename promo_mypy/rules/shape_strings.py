"""Read ranks from jaxtyping's shape strings: `"b n"` has two dimensions, `""` has none, `"..."` any number.

An axis is a name, a size (`3`, `rows=3`) or an expression (`n+1`), with marks before it: `#` for an axis that
broadcasts, `_` for one that binds no name, `?` for one that differs between the leaves of a tree, `*` for any number of
axes, as `...` is. Only the number of axes matters here. Strings that jaxtyping rejects are rejected.
"""

from functools import cache
from typing import Final

from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts

_BROADCASTS: Final = "#"
_ANONYMOUS: Final = "_"
_PER_LEAF: Final = "?"
_VARIADIC: Final = "*"
_MARKS: Final = frozenset({_BROADCASTS, _ANONYMOUS, _PER_LEAF, _VARIADIC})


class ShapeStringError(ValueError):
    """A shape string that jaxtyping rejects when the annotation is evaluated. The message is the reason."""


@cache
def rank_of(text: str) -> RankFacts:
    """The rank of a shape string. Raises ShapeStringError."""
    variadic = [_is_variadic(axis) for axis in text.split()]
    if variadic.count(True) > 1:
        raise ShapeStringError("only one axis may stand for any number of axes")
    if not any(variadic):
        return RankFacts.of(len(variadic))
    return AT_LEAST_ONE if len(variadic) > 1 else UNKNOWN_RANK


def nested(outer: RankFacts, inner: RankFacts) -> RankFacts:
    """The rank of `Float[Float[Array, inner], outer]`: the axes of both."""
    if outer.exact is not None and inner.exact is not None:
        return RankFacts.of(outer.exact + inner.exact)
    return AT_LEAST_ONE if outer.positive or inner.positive else UNKNOWN_RANK


def _is_variadic(axis: str) -> bool:
    if "," in axis and "(" not in axis:
        raise ShapeStringError("axes are separated by spaces, not by commas")
    if axis.endswith("#"):
        raise ShapeStringError(f'the "#" of a broadcasting axis stands before its name, not after it as in "{axis}"')
    if "..." in axis:
        if axis != "...":
            raise ShapeStringError(f'"..." stands alone, not inside "{axis}"')
        return True
    marks, axis_size = _without_marks(axis)
    if axis_size and not axis_size.isidentifier():
        kind = "a size" if _is_integer(axis_size) else "an expression"
        misplaced = [mark for mark in (_VARIADIC, _ANONYMOUS, _PER_LEAF) if mark in marks]
        if misplaced:
            raise ShapeStringError(f'"{misplaced[0]}" needs a name, not {kind} as in "{axis}"')
    elif _ANONYMOUS in marks and _BROADCASTS in marks:
        raise ShapeStringError(f'an axis without a name cannot broadcast as in "{axis}"')
    return _VARIADIC in marks


def _without_marks(axis: str) -> tuple[set[str], str]:
    marks: set[str] = set()
    rest = axis
    while rest:
        if rest[0] in _MARKS:
            if rest[0] in marks:
                raise ShapeStringError(f'"{rest[0]}" stands twice in "{axis}"')
            marks.add(rest[0])
            rest = rest[1:]
        elif rest.count("=") == 1:  # `rows=3` is 3
            rest = rest.partition("=")[2]
        else:
            break
    return marks, rest


def _is_integer(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True
