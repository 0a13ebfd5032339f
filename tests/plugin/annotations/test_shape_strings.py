"""Ranks of shape strings, compared with jaxtyping's own parser."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts
from promo_mypy.rules.shape_strings import ShapeStringError, nested, rank_of
from tests.needed import imported

jaxtyping: Any = imported("jaxtyping")


def shaped(array: Any, text: str) -> Any:
    """`Shaped[array, text]` at run time; type checkers see the array type."""
    return vars(jaxtyping)["Shaped"][array, text]


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("", RankFacts.of(0)),
        ("  ", RankFacts.of(0)),
        ("n", RankFacts.of(1)),
        ("b n", RankFacts.of(2)),
        (" b  n\tm ", RankFacts.of(3)),
        ("3 rows=4 _ _batch #c ?d #?e n+1 {size} min(a,b) 1,(2)", RankFacts.of(11)),
        ("...", UNKNOWN_RANK),
        ("*b", UNKNOWN_RANK),
        ("*#b", UNKNOWN_RANK),
        ("*_", UNKNOWN_RANK),
        ("n *b", AT_LEAST_ONE),
        ("... c", AT_LEAST_ONE),
        ("b ... h w", AT_LEAST_ONE),
    ],
)
def test_rank_of_a_shape_string(text: str, rank: RankFacts) -> None:
    assert rank_of(text) == rank


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b", "spaces"),
        ("a, b", "spaces"),
        ("n#", "before its name"),
        ("...n", "alone"),
        ("##n", "twice"),
        ("**n", "twice"),
        ("__n", "twice"),
        ("??n", "twice"),
        ("* ...", "one axis"),
        ("*a *b", "one axis"),
        ("*4", "a size"),
        ("_4", "a size"),
        ("?4", "a size"),
        ("#_", "cannot broadcast"),
        ("_n+1", "an expression"),
        ("*n+1", "an expression"),
        ("?n+1", "an expression"),
    ],
)
def test_a_rejected_shape_string_gives_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ShapeStringError, match=reason):
        rank_of(text)
    with pytest.raises(ValueError):  # noqa: PT011 -- only the rejection matters, not jaxtyping's words
        shaped(np.ndarray, text)


AXES = st.text(alphabet="#*_?=+,(.)ab3 ", max_size=12)


@given(AXES)
def test_ranks_and_rejections_are_those_of_jaxtyping(text: str) -> None:
    try:
        annotation = shaped(np.ndarray, text)
    except ValueError:
        with pytest.raises(ShapeStringError):
            rank_of(text)
        return
    rank = rank_of(text)
    if annotation.index_variadic is None:
        assert rank == RankFacts.of(len(annotation.dims))
    else:
        assert rank == (AT_LEAST_ONE if len(annotation.dims) > 1 else UNKNOWN_RANK)


RANKS = st.sampled_from(["", "a", "a b", "a b c", "...", "a ...", "... a b"])


@given(RANKS, RANKS.filter(lambda text: "..." not in text))
def test_nested_annotations_have_the_axes_of_both(outer: str, inner: str) -> None:
    annotation = shaped(shaped(np.ndarray, inner), outer)
    rank = nested(rank_of(outer), rank_of(inner))
    assert rank == nested(rank_of(inner), rank_of(outer)) == rank_of(f"{outer} {inner}")
    assert (rank.exact is None) is (annotation.index_variadic is not None)
    if rank.exact is not None:
        assert rank.exact == len(annotation.dims)
