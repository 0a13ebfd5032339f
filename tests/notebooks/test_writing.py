"""Changed cells are written into the JSON of a notebook, and nothing else in it changes."""

import json
import random
from typing import Any

import pytest

from promo_mypy.notebooks.writing import NotWritableError, merged, with_sources
from tests.notebooks.notebook_files import stored


def test_only_changed_lines_change() -> None:
    before = stored("# \ntext", "a\nb é\nc", "d\n")
    after = with_sources(before, {2: "a\nB é\nc"})
    changed = [pair for pair in zip(before.split("\n"), after.split("\n"), strict=True) if pair[0] != pair[1]]
    assert changed == [('    "b é\\n",', '    "B é\\n",')]
    assert with_sources(before, {2: "a\nb é\nc", 3: "d\n"}) == before
    assert with_sources(before, {}) == before


@pytest.mark.parametrize("indent", [1, 2, 0, None])
def test_lines_come_and_go(indent: int | None) -> None:
    before = stored("# \ntext", "a\nb\nc", "d", indent=indent)
    for source in ("a\nc", "a\nb\nb\nc\n", "x", "", 'a "quoted"\n\\\n\tü'):
        after = json.loads(with_sources(before, {2: source}))
        expected = json.loads(before)
        assert "".join(after["cells"][1].pop("source")) == source
        expected["cells"][1].pop("source")
        assert after == expected


def test_escapes_stay_as_they_are_written() -> None:
    text = '{"cells": [{"source": ["a = \'\\u00e9\'\\n", "b"], "metadata": {"\\u00e9": 1e3}}, {"source": "x\\ny"}]}'
    assert with_sources(text, {1: "a = 'é'\nb + 'ü'"}) == text.replace('"b"', "\"b + '\\u00fc'\"")
    assert with_sources(text, {2: "x\nz"}) == text.replace('"x\\ny"', '"x\\nz"')


@pytest.mark.parametrize("text", ['{"worksheets": []}', '{"cells": {}}', "[]", '{"cells": [{}]}', '{"cells": []}'])
def test_other_json_is_not_written(text: str) -> None:
    with pytest.raises(NotWritableError):
        with_sources(text, {1: "x"})


def test_changes_of_the_python_reach_the_cell() -> None:
    assert (
        merged("!ls\nx = a\n%time y", "pass\nx = a\nif 1: y", "pass\nx = (a).b()\nif 1: y")
        == "!ls\nx = (a).b()\n%time y"
    )
    assert merged("!ls\n# gone\n!ls", "pass\n# gone\npass", "pass\npass") == "!ls\n!ls"


def test_random_json_keeps_all_other_bytes() -> None:
    made = random.Random(5)

    def value(depth: int) -> Any:
        kind = made.randrange(6 if depth else 4)
        if kind < 4:
            return [made.random(), '\u2028 \\ " é', None, True][kind]
        inner = [value(depth - 1) for _ in range(made.randrange(4))]
        return inner if kind == 4 else {f"source{number}": each for number, each in enumerate(inner)}

    for number in range(200):
        cells = [{"x": value(3), "source": ["a\n", "b"], "y": value(2)} for _ in range(3)]
        text = json.dumps({"m": value(3), "cells": cells, "n": value(2)}, indent=made.choice([None, 1, 4]))
        after = with_sources(text, {2: f"a\nc{number}"})
        place = text.index('"b"', text.index('"source": [', text.index('"source": [') + 1))
        assert after == f'{text[:place]}"c{number}"{text[place + 3 :]}'
