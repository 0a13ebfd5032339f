"""Keys of operands are written out where a call would cost too much: every spelling agrees with `call_keys.kind`."""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

import ml_dtypes
import numpy as np
import pytest

from promo_runtime import Array, asarray
from promo_runtime.namespaces import elementwise, joining
from promo_runtime.plans import call_keys, function_calls
from tests.needed import imported

da = imported("dask.array")

MODULES = (elementwise, joining, function_calls, call_keys)


class OwnArray(np.ndarray):
    """NumPy's array, of a class of a user's own."""


class OwnNumber(int):
    """An int of a class of a user's own."""


OPERANDS = {
    "Array": asarray([1.0, 2.0], system="jax"),
    "Array without dimensions": asarray(1.0, system="jax"),
    "array": np.ones(2, np.int8),
    "array without dimensions": np.array(1, np.int8),
    "array of ml_dtypes": np.ones(2, ml_dtypes.bfloat16),
    "array of an own class": np.ones(2).view(OwnArray),
    "array of Dask": da.ones(2, chunks=1),
    "array of Dask without dimensions": da.ones(2, chunks=1).sum(),
    "scalar": np.float32(1),
    "scalar of ml_dtypes": ml_dtypes.bfloat16(1),
    "bool": True, "int": 1, "float": 1.0, "complex": 1j, "own int": OwnNumber(1),
    "None": None, "str": "x", "list": [1], "tuple": (1,), "object": object(), "dtype": np.dtype(np.int8),
}  # fmt: skip


def spellings(module: ModuleType) -> Iterator[ast.IfExp]:
    """The conditional expressions in a module that give the key of an operand."""
    inner: set[ast.AST] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.IfExp) and node not in inner and "BY_CLASS" in ast.unparse(node):
            inner |= set(ast.walk(node))
            yield node


def evaluated(spelling: ast.IfExp, operand: object) -> object:
    """The key that a spelling gives to an operand: the only name in it that it takes attributes of."""
    inside = list(ast.walk(spelling))
    (name,) = {node.value.id for node in inside if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)}
    known = {"BY_CLASS", "other_kind", "wrapper", "Array", "ndarray", "_ndarray", name}
    classes = {node.id for node in inside if isinstance(node, ast.Name)} - known
    values = {
        "BY_CLASS": call_keys.BY_CLASS, "other_kind": call_keys.other_kind, "wrapper": Array, "Array": Array,
        "ndarray": np.ndarray, "_ndarray": np.ndarray, name: operand, **dict.fromkeys(classes, operand.__class__),
    }  # fmt: skip
    return eval(ast.unparse(spelling), values)


SPELLINGS = {
    f"{module.__name__.rpartition('.')[2]}:{spelling.lineno}:{spelling.col_offset}": spelling
    for module in MODULES
    for spelling in spellings(module)
}


def test_all_spellings_are_found() -> None:
    assert len(SPELLINGS) == 11


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("operand", OPERANDS)
def test_every_spelling_agrees(spelling: str, operand: str) -> None:
    value = OPERANDS[operand]
    assert evaluated(SPELLINGS[spelling], value) == call_keys.kind(value)


def test_operands_with_different_plans_have_different_keys() -> None:
    named = ("Array", "Array without dimensions", "array", "array without dimensions", "scalar", "int", "float")
    assert len({call_keys.kind(OPERANDS[name]) for name in named}) == len(named)
