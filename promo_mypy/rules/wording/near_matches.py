"""Suggest the name that a user may have meant."""

import difflib
from collections.abc import Iterable


def meant(text: str, names: Iterable[str]) -> str:
    """`; did you mean float32 or float64?` for near matches, else nothing."""
    near = difflib.get_close_matches(text, list(names), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def suggestion(value: object, names: Iterable[str]) -> str:
    """`, did you mean "float32"?` for a near match of a text, else nothing."""
    near = difflib.get_close_matches(value, list(names), n=1) if isinstance(value, str) else []
    return f', did you mean "{near[0]}"?' if near else ""
