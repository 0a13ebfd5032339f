"""NumPy 1.x: the value of a number in a call of NumPy decides the dtype, too.

The table was measured under NumPy 1.26.4, for `x` of two elements; "!" marks calls that raise.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.examples.agreement import dtype_named
from tests.mypy_runs import override, run_mypy

DTYPES: Final = ("uint8", "int16", "float16", "float32", "float64", "complex64")
MEASURED: Final = """
    np.add(x, 300)                   u16  i16  f32  f32  f64  c64
    np.subtract(-1, x)               i16  i16  f16  f32  f64  c64
    np.multiply(x, 70000)            u32  i32  f64  f64  f64  c128
    np.add(x, 1e10)                  f64  f64  f32  f32  f64  c64
    np.maximum(1e39, x)              f64  f64  f64  f64  f64  c128
    np.where(x > 1, x, 1e10)         f64  f64  f32  f32  f64  c64
    np.where(x > 1, x, 0.5)          f64  f64  f16  f32  f64  c64
    np.clip(x, 0, 1e10)              f64  f64  f32  f32  f64  c64
    x.clip(0, 300)                   u16  i16  f32  f32  f64  c64
    np.arctan2(x, 1e39)              f64  f64  f64  f64  f64  !
    np.power(x, 1e10)                f64  f64  f32  f32  f64  c64
    np.multiply(x, 1j)               c128 c128 c64  c64  c128 c64
    np.multiply(x, 1e39j)            c128 c128 c128 c128 c128 c128
    np.divide(x, 70000)              f64  f64  f64  f64  f64  c128
    np.float_power(x, 1e39)          f64  f64  f64  f64  f64  c128
    np.outer(x, 1e39)                f64  f64  f64  f64  f64  c128
    np.full_like(x, 1e39)            u8   i16  f16  f32  f64  c64
    np.add(x, 1 << 20)               u32  i32  f64  f64  f64  c128
    np.add(x, 2.0 ** 100)            f64  f64  f32  f32  f64  c64
    np.select([x > 1], [x], 1e10)    f64  f64  f32  f32  f64  c64
    np.linspace(x, 1e39, 3)          f64  f64  f64  f64  f64  c128
    np.greater(x, 1e39)              bool bool bool bool bool bool
    np.hypot(x, 1e10)                f64  f64  f32  f32  f64  !
    np.copysign(x, 1e10)             f64  f64  f32  f32  f64  !
    np.fmod(x, 300)                  i16  i16  f32  f32  f64  !
    np.dot(x, 1e10)                  f64  f64  f64  f64  f64  c128
    np.add.outer(x, 300)             u16  i16  f32  f32  f64  c64
    np.append(x, 300)                i64  i64  f64  f64  f64  c128
    np.insert(x, 0, 300)             u8   i16  f16  f32  f64  c64
    np.nan_to_num(x, nan=1e10)       u8   i16  f16  f32  f64  c64
    np.heaviside(x, 1e10)            f64  f64  f32  f32  f64  !
    np.isclose(x, 1e39)              bool bool bool bool bool bool
    np.divmod(x, 300)[0]             i16  i16  f32  f32  f64  !
    np.floor_divide(x, 1e10)         f64  f64  f32  f32  f64  !
    np.logaddexp(x, 1e39)            f64  f64  f64  f64  f64  !
    np.ldexp(x, 300)                 f16  f32  f16  f32  f64  !
    np.concatenate([x, [300]])       i64  i64  f64  f64  f64  c128
"""
#: Numbers of unknown value: every value gives the same dtype beside some dtypes only.
UNKNOWN: Final = """
    np.add(x, number)                float64 float64 ! ! float64 !
    np.where(x > 1, x, number)       float64 float64 ! ! float64 !
    np.maximum(count, x)             ! ! ! ! float64 !
    np.greater(x, number)            bool bool bool bool bool bool
"""
HEADER: Final = "import numpy as np\nimport numpy.typing as npt\n"
SHORT: Final = {"u": "uint", "i": "int", "f": "float", "c": "complex"}


def rows(table: str) -> Iterator[tuple[str, list[str]]]:
    for line in table.strip().splitlines():
        *call, cells = re.split(r"  +", line.strip(), maxsplit=1)
        yield call[0], cells.split()


def long(name: str) -> str:
    return SHORT[name[0]] + name[1:] if name[1:].isdigit() else name


def test_the_dtypes_are_those_of_numpy(tmp_path: Path, plugin_cache: Path) -> None:
    asked = [*rows(MEASURED), *rows(UNKNOWN)]
    parameters = ", ".join(f"{name}_: npt.NDArray[np.{name}]" for name in DTYPES)
    calls = [re.sub(r"\bx\b", f"{name}_", call) for call, _ in asked for name in DTYPES]
    lines = [
        f"{HEADER}def f({parameters}, number: float, count: int) -> None:",
        *(f"    reveal_type({call})" for call in calls),
    ]
    (tmp_path / "old.py").write_text("\n".join(lines) + "\n")
    run = run_mypy(tmp_path, "old.py", cache=plugin_cache, options=override("old", 'system = "numpy-legacy"'))
    shown = [dtype_named(each) or "!" for each in run.revealed().values()]
    wanted = [long(name) for _, cells in asked for name in cells]
    assert dict(zip(calls, shown, strict=True)) == dict(zip(calls, wanted, strict=True))
