"""Structured dtypes: the fields that their text names (`"f4, (2,3)i8"`), and a text that a type may carry.

Source: running NumPy 2.4. tests/rules/test_structured.py executes every form.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from promo_mypy.rules.dtype_names import numpy_string, time_class
from promo_mypy.rules.records import record

#: What separates fields: a comma outside the parentheses of a shape and the brackets of a unit.
_COMMA: Final = re.compile(r",(?![^()\[\]]*[)\]])")
#: A field: a shape or a length before a dtype.
_FIELD: Final = re.compile(r"(?P<shape>\d+|\([\d\s,]*\))?\s*(?P<dtype>[<>=|]?[A-Za-z?]\w*(?:\[\w+\])?)")
#: Texts of fixed or any length.
_TEXT: Final = re.compile(r"[<>=|]?(?P<code>[US])\d*|(?P<name>str|bytes)")
_TEXTS: Final = {"U": "str_", "S": "bytes_", "str": "str_", "bytes": "bytes_"}


@record
class Field:
    """A field of a structured dtype.

    Attributes:
        name: its name.
        dtype: a dtype of the rules, a class of NumPy, or the `encoded` fields of a structure; empty if unknown.
        has_shape: whether each item of the field is an array.
    """

    name: str
    dtype: str
    has_shape: bool = False


def encoded(fields: Iterable[Field]) -> str:
    """The fields as a text: JSON, with other quotes than those that mypy puts around types in its messages."""
    text = json.dumps([(each.name, each.dtype, each.has_shape) for each in fields])
    return text.replace("`", "\\u0060").replace('"', "`")


@cache
def decoded(text: str) -> tuple[Field, ...]:
    """The fields of an encoded text."""
    return tuple(Field(*each) for each in json.loads(text.replace("`", '"')))


def named(text: str) -> str:
    """What a text of NumPy names, as the dtype of a field; empty for invalid texts and other dtypes."""
    dtype = numpy_string(text, swapped=True)
    match = _TEXT.fullmatch(text)
    cls = time_class(text) if match is None else _TEXTS[match["code"] or match["name"]]
    fields = fields_of(text)
    return dtype.name if dtype is not None else cls or (encoded(fields) if fields else "")


def fields_of(text: str) -> Sequence[Field]:
    """The fields that a text of NumPy names; empty if it names another dtype."""
    parts = [part.strip() for part in _COMMA.split(text)]
    found = [_FIELD.fullmatch(part) for part in parts] if len(parts) > 1 else []
    known = [
        Field(f"f{place}", named(match["dtype"]), match["shape"] is not None)
        for place, match in enumerate(found)
        if match is not None
    ]
    return known if len(known) == len(found) else ()


def is_structure(dtype: str) -> bool:
    """Whether a dtype of a field is a structure."""
    return dtype.startswith("[")


def part_of(text: str, key: str | Sequence[str]) -> Field | None:
    """The field of that name of an encoded text, or a structure of fields; None if one of them has no known dtype."""
    fields = {each.name: each for each in decoded(text)}
    if isinstance(key, str):
        return fields.get(key) if key in fields and fields[key].dtype else None
    chosen = [fields[name] for name in key if name in fields]
    return Field("", encoded(chosen)) if len(chosen) == len(key) else None
