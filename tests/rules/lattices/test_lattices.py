"""Lattices as values: the options of the design document, the effect of changes, and the meaning of covers."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.order import NotAnOrderError
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import BINARY
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_mypy.rules.systems.lattices import LatticeSystem

SIGNED = "int8 int16 int32 int64"
FLOATS = "float16 float32 float64"
INEXACT = f"float64* complex128* {FLOATS} complex64 complex128"


def undefined(system: PromotionSystem) -> set[frozenset[str]]:
    pairs = combinations(system.dtypes, 2)
    refused = (
        pair for pair in pairs if isinstance(system.verdict("promote", (Operand(pair[0]), Operand(pair[1]))), str)
    )
    return {frozenset(dtype.name for dtype in pair) for pair in refused}


def pairs(one: str, other: str) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in product(one.split(), other.split())}


# Pairs without a common upper bound in the document's figures; the text of option 1 omits uint32, whose only signed
# neighbour is int64.
UNDEFINED = {
    "option-0": pairs(f"uint8 uint16 uint32 {SIGNED} uint64", INEXACT) | pairs("uint64", SIGNED),
    "option-1": pairs("uint32 int64 uint64", INEXACT) | pairs("uint64", SIGNED),
    "option-2": pairs("uint64", INEXACT) | pairs("uint64", SIGNED),
    "option-3": pairs("uint64", f"{INEXACT} bfloat16") | pairs("uint64", SIGNED),
}

# Statements of the document about single results.
RESULTS = [
    ("option-0", "int8 uint8", "int16"),
    ("option-0", "uint32 int8", "int64"),
    ("option-0", "float64 complex64", "complex128"),
    ("option-0", "int64* float16", "float16"),
    ("option-1", "int8 uint8", "int16"),
    ("option-1", "uint16 float16", "float64"),  # much wider than necessary
    ("option-1", "int16 float16", "float32"),
    ("option-2", "float32 uint32", "float64"),
    ("option-2", "int16 float16", "float16"),
    ("option-2", "int64 float32", "float64"),
    ("option-3", "int64 float16", "float16"),
    ("option-3", "bfloat16 float16", "float32"),
    ("option-3", "int64 float64*", "float64*"),
]


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_an_option_leaves_undefined(name: str) -> None:
    assert undefined(get_system(name)) == UNDEFINED[name]


@pytest.mark.parametrize(("name", "operands", "result"), RESULTS)
def test_an_option_gives_the_results_of_the_document(name: str, operands: str, result: str) -> None:
    found = get_system(name).promote(*(Operand.of(each) for each in operands.split()))
    assert found is dt.parse(result)


def test_jax_is_option_3_with_one_edge_more() -> None:
    option, jax = get_system("option-3").covers, get_system("jax").covers
    assert option is not None
    assert jax is not None
    shared = {node: tuple(above for above in jax[node] if above in option) for node in option}
    edges = {(node, above) for node, row in shared.items() for above in row}
    assert edges - {(node, above) for node, row in option.items() for above in row} == {("uint64", "f*")}


@pytest.mark.parametrize("name", ["jax", "jax-x32", "jax-strict", "torch", "array-api", "paddle", "tensorflow"])
def test_an_unchanged_lattice_changes_nothing(name: str) -> None:
    base = get_system(name)
    assert base.lattice is not None
    same = LatticeSystem("mine", base.lattice, base)
    operands = [*base.operands, *(Operand(scalar) for scalar in dt.PYTHON_SCALARS.values())]
    for operation in ("promote", "add", "truediv", "pow", "matmul", "and", "lt"):
        for pair in product(operands, repeat=2):
            ours, theirs = same.verdict(operation, pair), base.verdict(operation, pair)
            assert isinstance(ours, str) == isinstance(theirs, str), (operation, pair)
            assert isinstance(ours, str) or ours is theirs, (operation, pair)


def test_a_changed_lattice_changes_joins_and_nothing_else() -> None:
    jax = get_system("jax")
    assert jax.lattice is not None
    covers = {**jax.lattice.covers, "int64": ("float64",), "uint64": ("float64",)}
    mine = LatticeSystem("mine", replace(jax.lattice, covers=covers), jax)

    def asked(operation: str, names: str) -> object:
        return mine.verdict(operation, tuple(Operand.of(name) for name in names.split()))

    assert asked("promote", "int32 float32") is asked("add", "int32 float32") is dt.float64
    assert asked("truediv", "int32 int32") is dt.float32  # joins as before, so it is JAX's
    assert asked("lt", "int32 float32") is dt.bool_
    assert asked("add", "int8 py_int") is dt.int8
    assert asked("add", "bfloat16 py_float") is dt.bfloat16
    assert mine.name == mine.dialect.library == "mine"
    assert mine.in_place == jax.in_place


def test_floors_and_rejected_pairs() -> None:
    jax = get_system("jax")
    assert jax.lattice is not None
    lattice = replace(
        jax.lattice,
        floors={("f", "i"): "float32", ("f", "int8"): "float16", ("c", "b"): None},
        refused=frozenset({frozenset({"int8", "float32"})}),
    )
    mine = LatticeSystem("mine", lattice, jax)

    def add(one: str, other: str) -> object:
        return mine.verdict("add", (Operand.of(one), Operand.of(other)))

    assert add("int16", "py_float") is dt.float32
    assert add("int8", "py_float") is dt.float16
    assert add("uint8", "py_float") is dt.weak_float64
    assert add("float16", "py_float") is dt.float16
    assert isinstance(add("bool", "py_complex"), str)
    assert isinstance(add("int8", "float32"), str)
    assert add("int16", "float32") is dt.float32


def test_fewer_dtypes() -> None:
    mine = LatticeSystem("mine", Lattice.of({"int8": "float32", "float32": ""}), get_system("numpy"))
    assert [dtype.name for dtype in mine.dtypes] == ["int8", "float32"]
    assert isinstance(mine.verdict("add", (Operand.of("int8"), Operand.of("int16"))), str)
    assert mine.promote(Operand.of("int8"), Operand.of("float32")) is dt.float32


def test_invalid_lattices_make_no_system() -> None:
    numpy = get_system("numpy")
    with pytest.raises(NotAnOrderError, match="cycle: int8 -> int16 -> int8"):
        LatticeSystem("mine", Lattice.of({"int8": "int16", "int16": "int8"}), numpy)
    with pytest.raises(dt.UnknownDtypeError, match="int9"):
        LatticeSystem("mine", Lattice.of({"int9": ""}), numpy)


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_covers_dtypes_and_operands(name: str) -> None:
    system = get_system(name)
    assert system.lattice is not None
    assert system.covers is not None
    nodes = list(system.covers)
    # From the bottom up.
    assert all(nodes.index(node) < nodes.index(above) for node, row in system.covers.items() for above in row)
    for dtype in system.dtypes:
        node = system.node_of(dtype)
        assert node in system.covers or dtype is dt.bfloat16, dtype
        if node in system.covers:
            assert system.dtype_of(node) is dtype
    strong = [dtype for dtype in system.dtypes if not dtype.weak]
    assert strong == [dtype for dtype in dt.ORDINARY if dtype in strong]
    assert len(system.operands) == len(strong) + (5 if name.startswith("tensorflow-numpy") else 3)
    assert system.is_lattice == (name not in ("numpy", "numpy-legacy", "cupy", "dask"))


def test_numpys_order_is_not_a_lattice() -> None:
    lattice = get_system("numpy").lattice
    assert lattice is not None
    competing = {
        pair: bounds
        for pair in combinations(lattice.covers, 2)
        if len(bounds := lattice.order.minimal_bounds(pair)) > 1
    }
    # Of these bounds the lowest kind wins.
    assert competing[("int8", "uint8")] == ("int16", "float16")
    assert all(lattice.join(pair) == bounds[0] for pair, bounds in competing.items())
    assert competing.keys() == {("int8", "uint8"), ("int8", "uint16"), ("int16", "uint16")}


def test_every_operation_of_the_derived_systems_answers() -> None:
    for name in ("option-0", "dask", "cupy"):
        system = get_system(name)
        pair = Operand.of("float32"), Operand.of("float32")
        assert {operation for operation in BINARY if not isinstance(system.verdict(operation, pair), str)} >= {
            "add",
            "lt",
        }
