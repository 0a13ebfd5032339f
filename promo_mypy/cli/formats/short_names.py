"""The short names of operands and results in tables: u8, i32, bf16, f*, 1.0."""

from collections.abc import Iterable, Mapping
from typing import Final

from promo_mypy.rules.dtypes import DTYPES, PYTHON_SCALARS, PythonScalar, Shaped

#: A Python number is written as a literal of its kind, which cannot be mistaken for a dtype.
LITERALS: Final[Mapping[str, str]] = {"py_bool": "True", "py_int": "1", "py_float": "1.0", "py_complex": "1j"}

_KINDS: Final = (("bfloat", "bf"), ("bcomplex", "bc"), ("float", "f"), ("complex", "c"), ("uint", "u"), ("int", "i"))


def short(dtype: type[Shaped] | type[PythonScalar], *, width: bool = False) -> str:
    """The short name: "f32", "f8_e4m3fn", "1.0" for a Python float.

    A weak integer is "i*", or "i64*" if its width matters.
    """
    if issubclass(dtype, PythonScalar):
        return LITERALS[dtype.name]
    if dtype.weak and not width:
        return f"{dtype.kind}*"
    for long, letter in _KINDS:
        if dtype.name.startswith(long):
            return letter + dtype.name.removeprefix(long)
    return dtype.name


def short_names(
    dtypes: Iterable[type[Shaped] | type[PythonScalar]],
) -> Mapping[type[Shaped] | type[PythonScalar], str]:
    """The short names of one table. Weak dtypes of one kind show their width if there are several widths."""
    shown = set(dtypes)
    weak = [dtype.kind for dtype in shown if issubclass(dtype, Shaped) and dtype.weak]
    return {dtype: short(dtype, width=weak.count(dtype.kind) > 1) for dtype in shown}


#: Short name -> the operand. A weak operand has 64 bits; systems without 64-bit dtypes narrow it themselves.
OPERANDS: Final[Mapping[str, type[Shaped] | type[PythonScalar]]] = {
    **{short(scalar): scalar for scalar in PYTHON_SCALARS.values()},
    **{short(dtype, width=True): dtype for dtype in DTYPES.values()},
    "c*": DTYPES["complex128*"],
    "f*": DTYPES["float64*"],
    "i*": DTYPES["int64*"],
}
