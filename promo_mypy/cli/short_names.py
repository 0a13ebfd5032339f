"""Short names of operands and results, as tables show them: u8, i32, bf16, f*, 1.0."""

from collections.abc import Iterable, Mapping
from typing import Final

from promo_mypy.rules.dtypes import DTYPES, PYTHON_SCALARS, PythonScalar, Shaped

#: Python's numbers stand as one of their kind, which no dtype can be taken for.
LITERALS: Final[Mapping[str, str]] = {"py_bool": "True", "py_int": "1", "py_float": "1.0", "py_complex": "1j"}

_KINDS: Final = (("bfloat", "bf"), ("bcomplex", "bc"), ("float", "f"), ("complex", "c"), ("uint", "u"), ("int", "i"))


def short(dtype: type[Shaped] | type[PythonScalar], *, width: bool = False) -> str:
    """The short name: "f32", "f8_e4m3fn", "1.0" for a Python float.

    A weak integer is "i*", or "i64*" where its width has to be told.
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
    """The short names of all that one table shows; weak dtypes of one kind and several widths tell their width."""
    shown = set(dtypes)
    weak = [dtype.kind for dtype in shown if issubclass(dtype, Shaped) and dtype.weak]
    return {dtype: short(dtype, width=weak.count(dtype.kind) > 1) for dtype in shown}


#: Short name -> the operand. A weak one is that of 64 bits, which systems without 64-bit dtypes narrow by themselves.
OPERANDS: Final[Mapping[str, type[Shaped] | type[PythonScalar]]] = {
    **{short(scalar): scalar for scalar in PYTHON_SCALARS.values()},
    **{short(dtype, width=True): dtype for dtype in DTYPES.values()},
    "c*": DTYPES["complex128*"],
    "f*": DTYPES["float64*"],
    "i*": DTYPES["int64*"],
}
