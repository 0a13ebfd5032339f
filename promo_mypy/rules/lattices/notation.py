"""Parse the notation of lattices: nodes, edges, pairs and floors.

    "bool -> i* -> uint8 int8 -> int16"     edges, from each name of a group to each name of the next group
    "int64 uint64 + float32"                pairs of dtypes, each of the left group with each of the right one
    "float beside int32 int64 -> float64"   the node that a Python number counts as beside these dtypes

Names in a group are separated by spaces or commas.
"""

import itertools
import re
from collections.abc import Mapping
from typing import Final

from promo_mypy.rules.dtypes import CATEGORIES, DTYPES, ORDINARY
from promo_mypy.rules.wording.near_matches import suggestion

WEAK_NODES: Final = ("i*", "f*", "c*")

NODES: Final = (*(name for name, dtype in DTYPES.items() if dtype.kind in "buifc"), *WEAK_NODES)
"""Every name of a node."""

_ALLOWED: Final = ", ".join(dtype.name for dtype in ORDINARY) + ", the smaller dtypes, and i*, f*, c* for weak numbers"

_SCALARS: Final[Mapping[str, str]] = {"bool": "b", "int": "i", "float": "f", "complex": "c"}
#: Words that stand for a kind of dtype, or for no dtype -> that kind.
_BESIDE: Final[Mapping[str, str]] = {**_SCALARS, "uint": "u", "nothing": ""}
#: Words that replace a node in a row of floors -> their value.
_COUNTED: Final[Mapping[str, str | None]] = {"itself": "", "refused": None}


class NotationError(ValueError):
    """Invalid notation. The message names the text and the allowed forms."""


def nodes(text: str) -> tuple[str, ...]:
    """The names of one group. Raises NotationError for an empty group and for an unknown name."""
    names = tuple(dict.fromkeys(re.split(r"[,\s]+", text.strip(", \t\n"))))
    if names == ("",):
        raise NotationError("a name is missing")
    for name in names:
        if name not in NODES:
            raise NotationError(_unknown(name))
    return names


def edges(text: str) -> tuple[tuple[str, str], ...]:
    """The edges of a chain of groups. Raises NotationError."""
    groups = [nodes(group) for group in text.split("->")] if "->" in text else []
    if not groups:
        raise NotationError(f'"{text}" is not an edge; write "int32 -> float32"')
    found = tuple((low, high) for lows, highs in itertools.pairwise(groups) for low in lows for high in highs)
    for low, high in found:
        if low == high:
            raise NotationError(f"an edge leads from {low} to itself")
    return found


def pairs(text: str) -> tuple[frozenset[str], ...]:
    """The pairs of different names in two groups. Raises NotationError."""
    groups = [nodes(group) for group in text.split("+")] if "+" in text else []
    if len(groups) != 2:
        raise NotationError(f'"{text}" is not a pair; write "int64 + float32"')
    found = dict.fromkeys(frozenset({one, other}) for one in groups[0] for other in groups[1] if one != other)
    if not found:
        raise NotationError(f"a dtype always promotes with itself, {groups[0][0]} too")
    return tuple(found)


def floors(text: str) -> Mapping[tuple[str, str], str | None]:
    """Rows of `Lattice.floors`. Raises NotationError."""
    match = re.fullmatch(r"\s*(?P<scalars>.+?)\s+beside\s+(?P<dtypes>.+?)\s*->\s*(?P<counts_as>.+?)\s*", text)
    if match is None:
        raise NotationError(f'"{text}" is not a floor; write "float beside int32 -> float64"')
    scalars = [_word(name, _SCALARS, "a Python number") for name in match["scalars"].replace(",", " ").split()]
    beside = [
        _BESIDE[name] if name in _BESIDE else nodes(name)[0] for name in match["dtypes"].replace(",", " ").split()
    ]
    counted = match["counts_as"]
    node = _COUNTED[counted] if counted in _COUNTED else nodes(counted)[0]
    if counted not in _COUNTED and len(nodes(counted)) > 1:
        raise NotationError(f"a number counts as one node, not as {counted}")
    if node == "" and "" in beside:
        raise NotationError('"itself" is the dtype beside the number, so it needs a dtype there')
    return {(scalar, dtype): node for scalar in scalars for dtype in beside}


def _word(name: str, words: Mapping[str, str], what: str) -> str:
    if name not in words:
        raise NotationError(f'"{name}" is not {what}{suggestion(name, words)}; allowed: {", ".join(words)}')
    return words[name]


def _unknown(name: str) -> str:
    if name in CATEGORIES:
        return f'"{name}" is a category of dtypes: name dtypes; allowed: {_ALLOWED}'
    return f'no dtype is called "{name}"{suggestion(name, NODES)}; allowed: {_ALLOWED}'
