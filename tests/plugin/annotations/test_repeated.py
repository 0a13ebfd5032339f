"""An annotation is read once; a repeated one gets the same type if its names mean the same."""

from collections import Counter
from pathlib import Path

import pytest
from mypy import api
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type

from promo_mypy.plugin.mypy_api.hook_tables import TypeTable
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from tests.mypy_runs import run_mypy
from tests.plugin.annotations.miniature import write, write_libraries

PROGRAM = """\
import jax
from jax import Array
from jaxtyping import Float16, Float32, Float64

def first(x: Float32[Array, "n"], y: Float32[Array, "n"], z: Float32[jax.Array, "n"], w: Float16[Array, "n"]) -> None:
    reveal_type(y)  # float32
    reveal_type(z)  # float32
    reveal_type(w)  # float16

def local() -> None:
    from jaxtyping import Float16 as Float32
    def inner(x: Float32[Array, "n"], y: Float32[Array, "n"]) -> None:
        reveal_type(x)  # float16
        reveal_type(y)  # float16

class Model:
    from jaxtyping import Int32 as Float32
    def __call__(self, x: Float16[Array, "n"]) -> None:
        reveal_type(x)  # float16

class Other:
    class Array: ...
    weight: Float32[Array, "n"]

def last(x: Float32[Array, "n"], other: Other) -> None:
    reveal_type(x)  # float32
    reveal_type(other.weight)  # Other.Array
"""
FAULTS = """\
from jax import Array
from jaxtyping import Float32, Float64
def wide(
    x: Float64[Array, "n"],
    y: Float64[Array, "n"],
) -> None: ...
def strange(
    x: Float32[Array, "*n *m"],
    y: Float32[Array, "*n *m"],
) -> None: ...
"""


def test_names_are_resolved_in_their_scope(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    write(tmp_path, {"program.py": PROGRAM})
    found = run_mypy(tmp_path, "program.py", cache=tmp_path / "cache")
    expected = {
        number: line.partition("  # ")[2]
        for number, line in enumerate(PROGRAM.splitlines(), start=1)
        if "reveal_type" in line
    }
    shown = {number: typ.removeprefix("program.") for number, typ in found.revealed().items()}
    assert shown == {number: name if "." in name else f"Array[{name}]" for number, name in expected.items()}, (
        found.output
    )


def test_its_errors_are_reported_each_time(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    write(tmp_path, {"program.py": FAULTS})
    found = run_mypy(tmp_path, "program.py", cache=tmp_path / "cache")
    assert [(error.line, error.code) for error in found.errors()] == [
        (4, "promo-truncation"),
        (5, "promo-truncation"),
        (8, "promo-annotation"),
        (9, "promo-annotation"),
    ], found.output


def test_it_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_libraries(tmp_path)
    parameters = ", ".join(f'x{number}: Float32[Array, "n"]' for number in range(50))
    write(
        tmp_path,
        {
            "program.py": f"from jax import Array\nfrom jaxtyping import Float32\ndef f({parameters}) -> None: ...\n",
            "mypy.ini": "[mypy]\nplugins = promo_mypy.plugin\n",
        },
    )
    asked: Counter[str] = Counter()
    stock_type = semantic_analysis.stock_type

    def counted(ctx: AnalyzeTypeContext, fullname: str, table: TypeTable) -> Type:
        asked[fullname] += 1
        return stock_type(ctx, fullname, table)

    monkeypatch.setattr(semantic_analysis, "stock_type", counted)
    monkeypatch.chdir(tmp_path)
    output, errors, status = api.run(["--cache-dir", "cache", "program.py"])
    assert status == 0, output + errors
    assert asked["typing.Annotated"] == 1
