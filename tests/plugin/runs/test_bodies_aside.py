"""A check of a function's body aside costs what the body costs: the file around it is read once."""

from collections import Counter
from pathlib import Path

import pytest
from mypy import api
from mypy.nodes import MypyFile

from promo_mypy.plugin.mypy_api.checker import body_checking
from promo_mypy.plugin.trees import rebindings
from tests.plugin.annotations.miniature import write, write_libraries

CALLS = 5
PROGRAM = f"""\
from jax import Array
from jaxtyping import Float16, Float32

def scale(x, factor):
    y = x * factor
    y = y * 2
    return y

def use(x: Float32[Array, "n"], y: Float16[Array, "n"]) -> None:
    {"; ".join(f"scale(x, {number}.5)" for number in range(CALLS))}
    scale(y, y)
"""


def test_the_statements_of_a_file_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_libraries(tmp_path)
    write(tmp_path, {"mypy.ini": "[mypy]\nplugins = promo_mypy.plugin\n", "program.py": PROGRAM})
    monkeypatch.chdir(tmp_path)
    counts: Counter[str] = Counter()
    read, check = rebindings._rebindings, body_checking._check

    def counted_read(tree: MypyFile) -> rebindings.Rebindings:
        counts[tree.fullname] += 1
        return read(tree)

    def counted_check(*arguments: object, **options: object) -> None:
        counts["bodies"] += 1
        check(*arguments, **options)  # type: ignore[arg-type]  # passed on as they come

    monkeypatch.setattr(rebindings, "_rebindings", counted_read)
    monkeypatch.setattr(body_checking, "_check", counted_check)
    assert api.run(["--cache-dir", "cache", "program.py"])[2] == 0
    assert counts["bodies"] > 1
    assert counts["program"] == 1
