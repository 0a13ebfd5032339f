"""No row is missing: dtypes, systems, operators and diagnostics, by name and compared with Python and the libraries."""

import inspect
import operator
import re
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import BINARY, COMPARISONS, IN_PLACE, UNARY
from promo_mypy.rules.operators import ASSOCIATIVE, OPERATORS, Operator
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system, jax, numpy, paddle_apis, torch
from promo_mypy.rules.systems.paddle import PaddleSystem
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, Diagnostic
from tests.needed import imported
from tests.rules.golden_tables import GoldenFiles

DTYPES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 "
    "bfloat16 float16 float32 float64 complex64 complex128 "
    "int1 int2 int4 uint1 uint2 uint4 float4_e2m1fn float4_e2m1fn_x2 float6_e2m3fn float6_e3m2fn "
    "float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz "
    "float8_e8m0fnu float128 complex32 bcomplex32 complex256 key "
    "int32* int64* float32* float64* complex64* complex128*"
)
SYSTEMS = (
    "numpy jax jax-x32 jax-strict torch numpy-legacy jax-lax tensorflow tensorflow-numpy-all tensorflow-numpy-safe "
    "paddle array-api cupy dask option-0 option-1 option-2 option-3"
)
CATEGORIES = "Shaped Num Real Inexact Integer SignedInteger UnsignedInteger Float Complex"

# Code -> whether mypy reports it by default.
CODES = {
    "promo-undefined": True,
    "promo-overflow": True,
    "promo-inplace": True,
    "promo-annotation": True,
    "promo-truncation": True,
    "promo-carry": True,
    "promo-forbidden": True,  # only if the options `forbid` and `portable_to` ask for them
    "promo-portability": True,
    "promo-widening": False,
    "promo-precision": False,
    "promo-nonassociative": False,
    "promo-wrapping": False,
    "promo-write": False,
    "promo-mismatch": True,  # only for `promo-mypy check`
    "promo-unused-ignore": False,  # likewise
    "promo-failure": True,
}

# The special methods in Python's module `operator` that are not operators on numbers.
OF_CONTAINERS = {"__concat__", "__iconcat__", "__contains__", "__getitem__", "__setitem__", "__delitem__"}
NO_OPERATORS = {"__call__", "__index__", "__not__", "__inv__"}  # the last one is `invert` again


def test_dtypes() -> None:
    assert dt.DTYPES.keys() == set(DTYPES.split())
    assert dt.CATEGORIES.keys() == set(CATEGORIES.split())
    # No class has two names.
    assert (len(dt.DTYPES), len(set(dt.DTYPES.values()))) == (44, 44)
    assert [len(dt.ORDINARY), len(dt.SMALL), len(dt.FLOAT8), len(dt.WEAK)] == [15, 18, 8, 6]
    assert dt.PYTHON_SCALARS.keys() == {"py_bool", "py_int", "py_float", "py_complex"}


def test_every_numeric_dtype_of_numpy_is_there() -> None:
    theirs = {np.dtype(code).name for code in np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?"}
    assert len(theirs) >= 14
    assert theirs <= dt.DTYPES.keys()


def test_every_dtype_of_torch_is_there() -> None:
    torch_library = imported("torch")
    everything = {name for name, value in vars(torch_library).items() if isinstance(value, torch_library.dtype)}
    theirs = {str(getattr(torch_library, name)).removeprefix("torch.") for name in everything}
    # The rules leave out quantized dtypes, raw bits, and integers of odd widths, which have no kernels.
    theirs = {name for name in theirs if not re.fullmatch(r"bits.*|qu?int.*|u?int[3567]", name)}
    assert len(theirs) >= 27
    assert theirs <= dt.DTYPES.keys()


def test_systems(golden_files: GoldenFiles) -> None:
    assert tuple(SYSTEMS.split()) == SYSTEM_NAMES
    assert len(set(SYSTEM_NAMES)) == 18
    # Every system is measured except those on paper; CuPy on a host, and on a GPU.
    measured = golden_files.keys() - {"cupy-gpu"}
    assert len(measured) == len([name for name in SYSTEM_NAMES if not name.startswith("option-")]) == 14


def test_the_functions_of_paddles_document() -> None:
    """As counted in the document's table of 32: by rule between tensors, and between a tensor and a Python scalar."""
    assert len(paddle_apis.APIS) == 32
    assert Counter(row.tensors for row in paddle_apis.APIS) == {"common": 20, "logic": 9, "-": 3}
    assert Counter(row.scalars for row in paddle_apis.APIS) == {"common": 10, "logic": 9, "divide": 1, "-": 12}
    names = [row.name for row in paddle_apis.APIS]
    assert [name for name in names if names.count(name) > 1] == ["huber_loss", "huber_loss"]
    assert (names[0], names[3], names[15], names[24], names[31]) == (
        "add", "divide", "bitwise_and", "remainder", "mse_loss",
    )  # fmt: skip


# Paddle's operator -> the function that it calls.
PADDLE = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "pow": "pow",
    "mod": "remainder", "eq": "equal", "ne": "not_equal", "lt": "less_than", "le": "less_equal", "gt": "greater_than",
    "ge": "greater_equal", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
}  # fmt: skip


@pytest.mark.parametrize("operation", PADDLE)
def test_paddles_functions_promote_like_its_operators(operation: str) -> None:
    """Wherever the operator computes at all: the document's rules leave out cells without a kernel."""
    system = get_system("paddle")
    assert isinstance(system, PaddleSystem)
    computed = 0
    for one, other in product(system.dtypes, repeat=2):
        pair = Operand(one), Operand(other)
        result = system.verdict(operation, pair)
        if not isinstance(result, str):
            computed += 1
            assert system.function(PADDLE[operation], *pair) is result, (operation, one, other)
    assert computed >= 6


def test_operators_are_those_of_python() -> None:
    theirs = {name for name in dir(operator) if name.startswith("__") and inspect.isbuiltin(getattr(operator, name))}
    plain = {row.method for row in OPERATORS.values() if row.kind != "reflected"}
    assert plain - {"__divmod__"} == theirs - OF_CONTAINERS - NO_OPERATORS
    reflected = {f"__r{method[2:]}" for method in (*theirs, "__divmod__")}
    assert {row.method for row in OPERATORS.values() if row.kind == "reflected"} == reflected & set(dir(np.ndarray))


def test_operators_by_kind() -> None:
    assert Counter(row.kind for row in OPERATORS.values()) == {
        "binary": 14,
        "reflected": 14,
        "inplace": 13,
        "comparison": 6,
        "unary": 4,
    }
    assert [len(BINARY), len(UNARY), len(COMPARISONS), len(IN_PLACE)] == [20, 4, 6, 13]
    assert IN_PLACE.items() == {(f"i{plain}", plain) for plain in BINARY - COMPARISONS - {"divmod"}}
    assert BINARY >= ASSOCIATIVE


def called(row: Operator) -> object:
    """The special method that Python calls for the row's symbol, with the row's receiver on its side."""

    def recorder(method: str) -> Callable[..., str]:
        return lambda *_: method

    x = type("Recorder", (), {method: recorder(method) for method in OPERATORS})()
    names = {"x": x, "y": object()}
    left, right = ("y", "x") if row.kind == "reflected" else ("x", "y")
    if row.kind == "inplace":
        exec(f"x {row.symbol} y", {}, names)
        return names["x"]
    if row.symbol.endswith("()"):
        return eval(row.symbol.replace("()", "(x)" if row.kind == "unary" else f"({left}, {right})"), {}, names)
    return eval(f"{row.symbol}x" if row.kind == "unary" else f"{left} {row.symbol} {right}", {}, names)


@pytest.mark.parametrize("row", OPERATORS.values(), ids=lambda row: row.method)
def test_the_symbol_calls_the_method(row: Operator) -> None:
    assert called(row) == row.method


def test_the_symbol_of_another_row_is_found() -> None:
    assert called(Operator("__add__", "add", "-", "binary")) == "__sub__"


def test_every_operation_has_a_row_in_every_library() -> None:
    assert numpy.OPERATIONS.keys() == jax.OPERATIONS.keys() == BINARY | UNARY
    assert torch.OPERATIONS.keys() == (BINARY | UNARY) - {"divmod"}


@pytest.mark.parametrize(("file", "unmeasured"), [("numpy", set()), ("jax-x64", set()), ("torch", {"divmod"})])
def test_every_operation_was_measured(file: str, unmeasured: set[str], golden_files: GoldenFiles) -> None:
    sections = [name.split("/") for name in golden_files[file]]
    measured = {operation for section, operation in sections if section in ("ops", "functions")}
    assert measured == (BINARY | UNARY) - unmeasured


def test_diagnostics() -> None:
    assert {diagnostic.code: diagnostic.enabled for diagnostic in DIAGNOSTICS} == CODES
    assert len(DIAGNOSTICS) == len(CODES)
    assert set(DIAGNOSTICS) == {value for value in vars(diagnostics).values() if isinstance(value, Diagnostic)}
