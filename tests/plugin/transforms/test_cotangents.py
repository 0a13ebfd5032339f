"""A tangent or cotangent of another dtype is reported, and what JAX casts is accepted."""

from pathlib import Path
from typing import Final

import pytest

from tests.needed import needs
from tests.plugin.calls.cases import copied_and_checked, loaded

PROGRAM: Final = Path(__file__).parent / "rejected" / "cotangents.py.txt"


def test_what_raises_is_reported(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax")
    run = copied_and_checked([PROGRAM], tmp_path, plugin_cache)
    names, _ = loaded(PROGRAM, type)
    names["accepted"]()
    rejected = {name: function for name, function in names.items() if name.startswith("rejected")}
    for function in rejected.values():
        with pytest.raises(ValueError, match=r"expected|inconsistent"):
            function()
    starts = {names[name].__code__.co_firstlineno: name for name in ("accepted", *rejected)}
    reported = [starts[max(start for start in starts if start <= error.line)] for error in run.errors()]
    assert sorted(reported) == sorted(rejected)
    assert {error.code for error in run.errors()} == {"arg-type"}
