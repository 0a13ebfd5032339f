"""NumPy 1.x: the magnitude of a Python float or complex number beside an array decides the dtype.

The tables were measured: `(np.ones(2, row) + value).dtype` under NumPy 1.26.4 and ml_dtypes 0.5.4. Scalars and 0-d
arrays beside a Python number have no such rule: there `float16(1) + 1.0` is a float64.
"""

from typing import Final

import pytest

from promo_mypy.rules.dtypes import parse, py_int
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.systems import get_system

LEGACY: Final = get_system("numpy-legacy")

FLOATS: Final = (0.0, 1e-50, 64999.0, -64999.0, 65000.0, -65000.0, 3.3e38, 3.4e38, -3.4e38, 1e308, float("inf"))
#: NumPy looks at the larger part of a complex number.
COMPLEX: Final = (0j, 70000j, 3.3e38 + 1j, 3.4e38j, 1 - 3.4e38j, complex(0, float("inf")))

BESIDE_FLOATS: Final = """
    uint8        f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    int64        f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    float16      f16 f16 f16 f16 f32 f32 f32 f64 f64 f64 f16
    bfloat16     f32 f32 f32 f32 f32 f32 f32 f64 f64 f64 f32
    float32      f32 f32 f32 f32 f32 f32 f32 f64 f64 f64 f32
    float64      f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    complex64    c64 c64 c64 c64 c64 c64 c64 c128 c128 c128 c64
    complex128   c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""
BESIDE_COMPLEX: Final = """
    uint8        c128 c128 c128 c128 c128 c128
    int64        c128 c128 c128 c128 c128 c128
    float16      c64 c64 c64 c128 c128 c128
    bfloat16     c64 c64 c64 c128 c128 c128
    float32      c64 c64 c64 c128 c128 c128
    float64      c128 c128 c128 c128 c128 c128
    complex64    c64 c64 c64 c128 c128 c128
    complex128   c128 c128 c128 c128 c128 c128
"""
SHORT: Final = {"f": "float", "c": "complex"}


def cells(table: str, values: tuple[complex, ...]) -> list[tuple[str, complex, str]]:
    rows = [line.split() for line in table.split("\n") if line.strip()]
    pairs = [(row, pair) for row, *shorts in rows for pair in zip(values, shorts, strict=True)]
    return [(row, value, SHORT[short[0]] + short[1:]) for row, (value, short) in pairs]


@pytest.mark.parametrize(("dtype", "value", "wanted"), [*cells(BESIDE_FLOATS, FLOATS), *cells(BESIDE_COMPLEX, COMPLEX)])
def test_array(dtype: str, value: complex, wanted: str) -> None:
    assert LEGACY.resolve_literal("add", Operand.of(dtype), value) is parse(wanted)
    assert LEGACY.resolve_literal("mul", Operand.of(dtype), value, reflected=True) is parse(wanted)


@pytest.mark.parametrize("form", [Form.SCALAR, Form.ZERO_D])
@pytest.mark.parametrize("value", FLOATS)
def test_scalar(form: Form, value: float) -> None:
    for dtype, wanted in {"float16": "float64", "float32": "float64", "complex64": "complex128"}.items():
        assert LEGACY.resolve_literal("add", Operand.of(dtype, form), value) is parse(wanted)


INTS: Final = (5, 255, 300, 40_000, 70_000, 2**33, 2**63, -1)
#: Beside an unsigned array, by operation: a sum promotes; most other operations take the first loop that holds both.
BESIDE_UNSIGNED: Final = {
    "add": {
        "uint8": "uint8 uint8 uint16 uint16 uint32 uint64 uint64 int16",
        "uint16": "uint16 uint16 uint16 uint16 uint32 uint64 uint64 int32",
        "uint32": "uint32 uint32 uint32 uint32 uint32 uint64 uint64 int64",
    },
    "floordiv": {
        "uint8": "uint8 uint8 int16 uint16 int32 int64 uint64 int16",
        "uint16": "uint16 uint16 uint16 uint16 int32 int64 uint64 int32",
        "uint32": "uint32 uint32 uint32 uint32 uint32 int64 uint64 int64",
    },
}
ALIKE: Final = {"add": ("sub", "mul"), "floordiv": ("mod", "divmod", "and", "or", "xor", "lshift", "rshift")}


@pytest.mark.parametrize("operation", BESIDE_UNSIGNED)
def test_unsigned(operation: str) -> None:
    for each in (operation, *ALIKE[operation]):
        for dtype, wanted in BESIDE_UNSIGNED[operation].items():
            found = [LEGACY.resolve_literal(each, Operand.of(dtype), value) for value in INTS]
            assert found == [parse(name) for name in wanted.split()], each


def test_negative_power() -> None:
    assert LEGACY.resolve_literal("pow", Operand.of("uint64"), -2) is parse("float64")
    assert not isinstance(LEGACY.resolve_literal("pow", Operand.of("uint32"), -2), type)


#: (np.ones(2, bool) ** value).dtype; np.power gives int64 and float64 for 2 and 2.0 under both versions.
SQUARES: Final = {
    "numpy-legacy": "2=int8 2.0=int8 3=int64 3.0=float64 True=int8 2+0j=complex128",
    "numpy": "2=int8 2.0=float64 3=int64 3.0=float64 True=int8 2+0j=complex128",
    "dask": "2=int8 2.0=float64 3=int64 True=int8",
    "cupy": "2=int64 3=int64",
}


@pytest.mark.parametrize("name", SQUARES)
def test_the_square_of_bools(name: str) -> None:
    system = get_system(name)
    for value, _, wanted in (cell.partition("=") for cell in SQUARES[name].split()):
        assert system.resolve_literal("pow", Operand.of("bool"), eval(value)) is parse(wanted), value
    assert system.resolve_literal("pow", Operand.of("bool"), 2, reflected=True) is parse("int64")
    assert system.resolve_literal("pow", Operand.of("bool", Form.SCALAR), 2) is parse("int64")
    assert (2 in dict(system.examples_of("pow")).get(py_int, ())) is (name != "cupy")


def test_a_bool_beside_an_array_keeps_its_dtype() -> None:
    for operation, wanted in {
        "add": "bool",
        "mul": "bool",
        "and": "bool",
        "floordiv": "int8",
        "lshift": "int8",
    }.items():
        assert LEGACY.resolve_literal(operation, Operand.of("bool"), True) is parse(wanted)
    assert LEGACY.resolve_literal("add", Operand.of("uint8"), True) is parse("uint8")


def test_no_other_value_matters_in_numpy_2() -> None:
    assert not get_system("numpy").examples
    assert get_system("numpy").resolve_literal("add", Operand.of("float16"), 1e10) is parse("float16")
