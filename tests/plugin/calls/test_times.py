"""Arrays of times and durations have the class that the text of their dtype names, and NumPy's operators."""

import inspect
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from promo_mypy.rules.dtype_names import time_class
from tests.plugin.calls.cases import copied_and_checked, loaded
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

PROGRAM: Final = Path(__file__).parent / "times.py.txt"


def _class(value: np.ndarray[Any, Any]) -> str:
    kind = value.dtype.name.partition("[")[0]
    return f"dtype[numpy.{kind}[" if value.dtype.kind in "mM" else f"dtype[{NUMPY_SPELLINGS[kind]}]"


def test_the_types_and_errors_are_those_of_the_execution(tmp_path: Path, plugin_cache: Path) -> None:
    run = copied_and_checked([PROGRAM], tmp_path, plugin_cache)
    names, seen = loaded(PROGRAM, _class)
    names["accepted"]()
    revealed = run.revealed()
    assert revealed.keys() == seen.keys()
    assert {line: typ for line, typ in revealed.items() if seen[line] not in typ} == {}
    refused = {name: function for name, function in names.items() if name.startswith("refused")}
    for function in refused.values():
        with pytest.raises(TypeError):
            function()
    starts = {
        function.__code__.co_firstlineno: name for name, function in names.items() if inspect.isfunction(function)
    }
    reported = [starts[max(start for start in starts if start <= error.line)] for error in run.errors()]
    assert sorted(reported) == sorted(refused)


@pytest.mark.parametrize("text", ["datetime64", "datetime64[h]", "<M8[ns]", "timedelta64[s]", "m8", "=m8[10s]", "M"])
def test_a_text_names_a_class(text: str) -> None:
    assert np.dtype(text).type is getattr(np, time_class(text) or "")


@pytest.mark.parametrize("text", ["int64", "str", "M8x", "datetime", "timedelta64[", "?"])
def test_other_texts_name_none(text: str) -> None:
    assert time_class(text) is None
