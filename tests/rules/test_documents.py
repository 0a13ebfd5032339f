"""The promotion tables that design documents print, cell by cell.

000 is JAX's promotion of 2020, 001 the appendix of JAX's type promotion design, 002 the array API standard's tables,
003 PaddlePaddle's guide. "-" in a document stands for any rejection; i*, f*, c* are Python scalars, or weak arrays in
JAX. Where a library has changed since, DIFFERENCES has a row.
"""

import re
from dataclasses import dataclass

import pytest

from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from tests.rules.golden_tables import golden_tables

DOCUMENTS = golden_tables("documents")

# (table, system, question); several systems may claim a table.
CLAIMS = [
    ("000.jax_numpy", "jax", "add"),
    ("001.jax_numpy", "jax", "add"),
    ("001.jax_numpy", "jax", "promote"),
    ("001.jax_lax", "jax-lax", "add"),
    ("001.numpy", "numpy", "add"),
    ("001.numpy", "numpy-legacy", "add"),
    ("001.numpy", "cupy", "add"),
    ("001.numpy", "dask", "add"),
    ("001.torch", "torch", "add"),
    ("001.tensorflow", "tensorflow", "promote"),
    ("001.tensorflow", "tensorflow", "add"),
    ("002.array_api_float", "array-api", "add"),
    ("002.array_api_unsigned", "array-api", "add"),
    ("002.array_api_signed", "array-api", "add"),
    ("002.array_api_mixed", "array-api", "add"),
    ("003.paddle", "paddle", "add"),
    ("003.paddle_scalar", "paddle", "add"),
]

# Number of printed cells, so that a lost table is noticed.
CELLS = {
    "000.jax_numpy": 225, "001.jax_numpy": 324, "001.jax_lax": 324, "001.numpy": 324, "001.torch": 324,
    "001.tensorflow": 324, "002.array_api_float": 9, "002.array_api_unsigned": 16, "002.array_api_signed": 16,
    "002.array_api_mixed": 9, "003.paddle": 144, "003.paddle_scalar": 48,
}  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """Cells where a document and today's library differ: `cell` matches "left,right: printed -> ours"."""

    table: str
    systems: str
    asked: str
    cell: str
    cells: int
    reason: str


DIFFERENCES = (
    Difference(
        "000.jax_numpy", "jax", "add", r"(uint64,int\d+|int\d+,uint64): float64 -> float64\*", 8,
        "the result is a weak float today; jnp.promote_types still says float64",
    ),
    Difference(
        "001.numpy", "numpy numpy-legacy cupy dask", "add", r".*\bbfloat16\b.*: - -> \w+", 35,
        "NumPy knew no bfloat16; ml_dtypes gives it one",
    ),
    Difference(
        "001.tensorflow", "tensorflow", "add", r"[ifc]\*,\w+: - -> \w+", 19,
        "the reflected operator converts the scalar to the tensor's dtype, which tf.add(1, t) does not",
    ),
    Difference(
        "001.tensorflow", "tensorflow", "add", r"[fc]\*,[if]\*: \w+ -> -", 3,
        "two Python numbers are Python's to add; the document printed tf.add",
    ),
    Difference(
        "001.torch", "torch", "add",
        r"(uint(16|32|64),(bfloat16|float\d\d|[fc]\*)|(bfloat16|float\d\d|[fc]\*),uint(16|32|64)): - -> \w+", 36,
        "PyTorch has these unsigned integers now, and joins them to floats",
    ),
    Difference(
        "001.torch", "torch", "add", r"uint(16|32|64),uint(16|32|64): - -> uint\d+", 3,
        "one and the same dtype is no promotion; only the CPU lacks the kernels",
    ),
    Difference(
        "001.torch", "torch", "add", r"(uint(16|32|64),i\*|i\*,uint(16|32|64)): - -> uint\d+", 6,
        "a Python int yields to an integer tensor; only the CPU lacks the kernels",
    ),
    Difference(
        "001.torch", "torch", "add", r"(float16,c\*|c\*,float16): complex64 -> complex32", 2,
        "a complex scalar keeps the precision of a half tensor now",
    ),
    Difference(
        "001.torch", "torch", "add", r"(f\*,f\*: float64 -> float32|c\*,c\*: complex128 -> complex64)", 2,
        "the document added two Python numbers; torch.result_type gives the default dtype",
    ),
    Difference(
        "002.array_api_float", "array-api", "add", r".*\bfloat16\b.*: float\d\d -> -", 5,
        "the standard dropped float16",
    ),
    Difference(
        "003.paddle", "paddle", "add", r"(\w+),\1: - -> \1", 6,
        "one and the same dtype is no promotion, so the document leaves it out",
    ),
    Difference(
        "003.paddle", "paddle", "add",
        r"complex64,float64: complex64 -> complex128|complex64,int64: complex128 -> complex64", 2,
        "the document swaps the two; its transposed cells and its own example say what the library does",
    ),
)  # fmt: skip


def operand(system: PromotionSystem, name: str) -> Operand:
    """The operand for i*, f*, c* in the system: weak arrays if it has any, else Python scalars."""
    if not name.endswith("*"):
        return Operand.of(name)
    return next(operand for operand in system.operands[-3:] if operand.dtype.kind == name[0])


def differing(table: str, name: str, asked: str) -> list[str]:
    system = get_system(name)
    found = []
    for (one, other), printed in DOCUMENTS[f"tables/{table}"].cells.items():
        pair = operand(system, one), operand(system, other)
        verdict = system.verdict(asked, pair)
        ours = "-" if isinstance(verdict, str) else verdict.name
        expected = operand(system, printed).dtype.name if printed.endswith("*") else printed
        if ours != expected:
            found.append(f"{one},{other}: {printed} -> {ours}")
    return found


def explained(table: str, system: str, asked: str, cell: str) -> list[Difference]:
    return [
        row
        for row in DIFFERENCES
        if (row.table, row.asked) == (table, asked) and system in row.systems.split() and re.fullmatch(row.cell, cell)
    ]


@pytest.mark.parametrize(("table", "system", "asked"), CLAIMS)
def test_rules_reproduce_the_printed_table(table: str, system: str, asked: str) -> None:
    cells = differing(table, system, asked)
    assert [cell for cell in cells if not explained(table, system, asked, cell)] == []
    for row in DIFFERENCES:
        if (row.table, row.asked) == (table, asked) and system in row.systems.split():
            assert sum(row in explained(table, system, asked, cell) for cell in cells) == row.cells, row


def test_no_table_was_lost() -> None:
    assert {name.removeprefix("tables/"): len(table.cells) for name, table in DOCUMENTS.items()} == CELLS
    assert sum(CELLS.values()) == 2087
    assert {table for table, _, _ in CLAIMS} == CELLS.keys()


def test_a_rejection_where_a_dtype_is_printed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOCUMENTS["tables/001.jax_lax"].cells, ("int8", "int16"), "int16")
    assert differing("001.jax_lax", "jax-lax", "add") == ["int8,int16: int16 -> -"]
    assert isinstance(get_system("jax-lax").resolve("add", Operand.of("int8"), Operand.of("int16")), Refusal)
