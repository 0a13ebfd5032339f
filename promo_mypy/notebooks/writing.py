"""Change lines of cells in the JSON text of a notebook. Every other byte stays: outputs, metadata, the JSON's form."""

import json
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final

_DECODER: Final = json.JSONDecoder()
#: The first and the last character of a JSON value, as places in the text.
_Span = tuple[int, int]


class NotWritableError(Exception):
    """The notebook is not in the form that is written today: version 4."""


def merged(source: str, before: str, after: str) -> str:
    """The text of a cell with the changes of its Python.

    Args:
        source: the text of the cell.
        before: the Python in it, which has as many lines.
        after: that Python with changes.
    """
    of_cell, old, new = source.split("\n"), before.split("\n"), after.split("\n")
    lines: list[str] = []
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines += of_cell[first:last] if kind == "equal" else new[start:end]
    return "\n".join(lines)


def with_sources(text: str, sources: Mapping[int, str]) -> str:
    """The JSON text of a notebook with other texts of some cells: number of the cell, from 1 -> its text.

    Raises:
        NotWritableError: the text is no notebook of version 4.
    """
    places = list(_source_places(text))
    if max(sources, default=0) > len(places):
        raise NotWritableError
    for number in sorted(sources, reverse=True):
        start, end = places[number - 1]
        text = text[:start] + _with_source(text[start:end], sources[number]) + text[end:]
    return text


def _source_places(text: str) -> Iterator[_Span]:
    """The text of each cell: a string, or a list with a string for each line."""
    cells = dict(_members(text, _skip(text, 0))).get("cells")
    if cells is None:
        raise NotWritableError
    for start, _ in _items(text, cells[0]):
        source = dict(_members(text, start)).get("source")
        if source is None:
            raise NotWritableError
        yield source


def _with_source(value: str, source: str) -> str:
    if value.startswith('"'):
        return _string(source, value)
    items = list(_items(value, 0))
    before = [json.loads(value[start:end]) for start, end in items]
    after = _lines(source)
    if not items or not after:
        return json.dumps(after)
    known = {line: value[start:end] for line, (start, end) in zip(before, items, strict=True)}
    between = value[items[0][1] : items[1][0]] if len(items) > 1 else ", "
    lines = between.join(known.get(line) or _string(line, value) for line in after)
    return value[: items[0][0]] + lines + value[items[-1][1] :]


def _lines(source: str) -> list[str]:
    lines = source.split("\n")
    return [*(f"{line}\n" for line in lines[:-1]), *([lines[-1]] if lines[-1] else [])]


def _string(text: str, like: str) -> str:
    """A JSON string, with characters outside ASCII escaped unless another text has some."""
    return json.dumps(text, ensure_ascii="\\u" in like)


def _members(text: str, start: int) -> Iterator[tuple[str, _Span]]:
    """The keys of a JSON object, and where their values are."""
    if not text.startswith("{", start):
        raise NotWritableError
    place = _skip(text, start + 1)
    while not text.startswith("}", place):
        key, place = _DECODER.raw_decode(text, place)
        first = _skip(text, _skip(text, place) + 1)
        _, place = _DECODER.raw_decode(text, first)
        yield key, (first, place)
        place = _after_comma(text, place)


def _items(text: str, start: int) -> Iterator[_Span]:
    """Where the items of a JSON array are."""
    if not text.startswith("[", start):
        raise NotWritableError
    place = _skip(text, start + 1)
    while not text.startswith("]", place):
        _, end = _DECODER.raw_decode(text, place)
        yield place, end
        place = _after_comma(text, end)


def _after_comma(text: str, place: int) -> int:
    place = _skip(text, place)
    return _skip(text, place + 1) if text.startswith(",", place) else place


def _skip(text: str, place: int) -> int:
    """The next place that is not blank."""
    while text[place : place + 1] in (" ", "\t", "\r", "\n"):
        place += 1
    return place
