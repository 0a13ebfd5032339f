"""The line of every path of a TOML document; the paths are those of tomllib."""

import json
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promo_mypy.rules.lattices.toml_lines import Path, lines_of

DOCUMENT = '''\
# a comment with [brackets] and = signs
title = "a # that is no comment"  # [one.that] = is

[tool.promo-mypy.systems.mine]
extends = "jax"
add = [
    "int32 -> float32",  # ["x"]

    "int64 -> float64", 'a]b',
    [1, { "deep.er" = 2.5, b = [1979-05-27T07:32:00Z] }],
]
text = """
[not.a.header]
key = "\\""" = ""
"""""
"quoted \\u0041".'literal "' . bare = 1

[[tool.promo-mypy.overrides]]
module = \'\'\'a
b\'\'\'\'\'
[[tool.promo-mypy.overrides]]
  [tool.promo-mypy.overrides.sub]
  x = {}
  [[tool.promo-mypy.overrides.more]]
  y = { z = { w = -1e5 } }
[ "last" . table ]
after = inf
'''

EXPECTED = {
    ("title",): 2,
    ("tool",): 4,
    ("tool", "promo-mypy"): 4,
    ("tool", "promo-mypy", "systems"): 4,
    ("tool", "promo-mypy", "systems", "mine"): 4,
    ("tool", "promo-mypy", "systems", "mine", "extends"): 5,
    ("tool", "promo-mypy", "systems", "mine", "add"): 6,
    ("tool", "promo-mypy", "systems", "mine", "add", 0): 7,
    ("tool", "promo-mypy", "systems", "mine", "add", 1): 9,
    ("tool", "promo-mypy", "systems", "mine", "add", 2): 9,
    ("tool", "promo-mypy", "systems", "mine", "add", 3): 10,
    ("tool", "promo-mypy", "systems", "mine", "add", 3, 0): 10,
    ("tool", "promo-mypy", "systems", "mine", "add", 3, 1): 10,
    ("tool", "promo-mypy", "systems", "mine", "add", 3, 1, "deep.er"): 10,
    ("tool", "promo-mypy", "systems", "mine", "add", 3, 1, "b"): 10,
    ("tool", "promo-mypy", "systems", "mine", "add", 3, 1, "b", 0): 10,
    ("tool", "promo-mypy", "systems", "mine", "text"): 12,
    ("tool", "promo-mypy", "systems", "mine", "quoted A"): 16,
    ("tool", "promo-mypy", "systems", "mine", "quoted A", 'literal "'): 16,
    ("tool", "promo-mypy", "systems", "mine", "quoted A", 'literal "', "bare"): 16,
    ("tool", "promo-mypy", "overrides"): 18,
    ("tool", "promo-mypy", "overrides", 0): 18,
    ("tool", "promo-mypy", "overrides", 0, "module"): 19,
    ("tool", "promo-mypy", "overrides", 1): 21,
    ("tool", "promo-mypy", "overrides", 1, "sub"): 22,
    ("tool", "promo-mypy", "overrides", 1, "sub", "x"): 23,
    ("tool", "promo-mypy", "overrides", 1, "more"): 24,
    ("tool", "promo-mypy", "overrides", 1, "more", 0): 24,
    ("tool", "promo-mypy", "overrides", 1, "more", 0, "y"): 25,
    ("tool", "promo-mypy", "overrides", 1, "more", 0, "y", "z"): 25,
    ("tool", "promo-mypy", "overrides", 1, "more", 0, "y", "z", "w"): 25,
    ("last",): 26,
    ("last", "table"): 26,
    ("last", "table", "after"): 27,
}


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Every path of a document as tomllib reads it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths(item, (*path, key))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_path_of_a_document_has_its_line(newline: str) -> None:
    assert set(paths(tomllib.loads(DOCUMENT))) == EXPECTED.keys()
    assert lines_of(DOCUMENT.replace("\n", newline)) == EXPECTED


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "x = 1", "[t]"])
def test_small_documents(text: str) -> None:
    assert set(lines_of(text)) == set(paths(tomllib.loads(text)))


_scalars = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text("ab[]{}=.,#'\"\\\n é", max_size=6),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.#'\"= ", max_size=3), inner, max_size=3),
    max_leaves=8,
)


def written(value: object, newlines: bool) -> str:
    """A value in TOML, with arrays over several lines if `newlines`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {written(each, newlines)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        between = ",\n" if newlines else ", "
        return "[" + between.join(written(each, newlines) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


_tables = st.dictionaries(st.text("ab= ", max_size=2), _values, max_size=3)


@given(tables=st.dictionaries(st.text("xy.]# ", max_size=3), _tables), newlines=st.booleans())
def test_the_paths_are_those_that_tomllib_finds(tables: dict[str, dict[str, object]], newlines: bool) -> None:
    lines: list[str] = []
    expected: dict[Path, int] = {}
    for name, table in tables.items():
        expected[name,] = len(lines) + 1
        lines.append(f"[{json.dumps(name)}]  # = [x]")
        for key, value in table.items():
            expected[name, key] = len(lines) + 1
            lines += f"{json.dumps(key)} = {written(value, newlines)}".split("\n")
    found = lines_of("\n".join(lines))
    assert set(found) == set(paths(tomllib.loads("\n".join(lines))))
    assert {path: line for path, line in found.items() if len(path) < 3} == expected
