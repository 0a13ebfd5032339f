"""Facts about dtypes and a namespace: `finfo`, `isdtype`, `__array_namespace_info__`, ..."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand
from promo_runtime.array.space import Space
from promo_runtime.namespaces.creation import default
from promo_runtime.numpy_dtypes import DTypeLike, numpy_dtype, read_dtype
from promo_runtime.plans.arguments import operand_of

#: The standard's name of a group of dtypes -> their kinds.
_KINDS: Final[Mapping[str, str]] = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "ui", "real floating": "f",
    "complex floating": "c", "numeric": "uifc",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """Limits of a float dtype, or of the parts of a complex one."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: type[dt.Shaped]


@dataclass(frozen=True, slots=True)
class IntInfo:
    """Limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: type[dt.Shaped]


def finfo(given: Any) -> FloatInfo:
    """The limits of a float or complex dtype, or of the dtype of an array. Raises TypeError for other dtypes."""
    dtype = operand_of(given).dtype
    if dtype.kind not in ("f", "c") or not issubclass(dtype, dt.Shaped):
        raise TypeError(f"finfo takes a float or complex dtype, not {dtype.name}")
    part = dt.REAL_PARTS.get(dtype.strong, dtype.strong)
    numpy = numpy_dtype(part)
    found: Any = np.finfo(numpy) if numpy.kind == "f" else ml_dtypes.finfo(numpy)
    return FloatInfo(
        part.bits, float(found.eps), float(found.max), float(found.min), float(found.smallest_normal), part
    )


def iinfo(given: Any) -> IntInfo:
    """The limits of an integer dtype, or of the dtype of an array. Raises TypeError for other dtypes."""
    dtype = operand_of(given).dtype
    if dtype.kind not in ("u", "i") or not issubclass(dtype, dt.Shaped):
        raise TypeError(f"iinfo takes an integer dtype, not {dtype.name}")
    return IntInfo(dtype.bits, int(dtype.maximum), int(dtype.minimum), dtype.strong)


def isdtype(dtype: DTypeLike, kind: DTypeLike | tuple[DTypeLike, ...]) -> bool:
    """Whether the dtype has a kind ("real floating", ...), equals another dtype, or matches one of several.

    Raises UnknownDtypeError for a name that is neither.
    """
    found = read_dtype(dtype).strong
    if isinstance(kind, tuple):
        return any(isdtype(found, each) for each in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return found.kind in _KINDS[kind]
    return found is read_dtype(kind).strong


def can_cast(space: Space, source: Any, target: DTypeLike) -> bool:
    """Whether the two dtypes promote to the second one."""
    wanted = read_dtype(target)
    return space.system.promote(operand_of(source), Operand(wanted)) is wanted


class Info:
    """The object that the standard's `__array_namespace_info__` returns."""

    def __init__(self, space: Space) -> None:
        self._space: Final = space

    def capabilities(self) -> dict[str, bool | int | None]:
        """NumPy's capabilities: NumPy computes unless arrays of another library are passed."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of new arrays."""
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """NumPy's device; another backend has its own."""
        return ("cpu",)

    def default_dtypes(self, *, device: Any = None) -> dict[str, type[dt.Shaped]]:
        """The default dtypes of creation functions. Raises TypeError if they were not measured."""
        _check_device(device)
        names = {"real floating": "f", "complex floating": "c", "integral": "i", "indexing": "i"}
        return {name: default(self._space, kind, "default_dtypes").strong for name, kind in names.items()}

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, type[dt.Shaped]]:
        """Name in the standard -> dtype, of one kind or several. Raises ValueError for an unknown kind."""
        _check_device(device)
        for each in kind if isinstance(kind, tuple) else (kind,):
            if each is not None and each not in _KINDS:
                raise ValueError(f"no kind of dtypes is called {each!r}; the kinds are {', '.join(_KINDS)}")
        system = self._space.system
        found = (dtype for dtype in dt.ORDINARY if system.has(dtype) and system.promote(Operand(dtype)) is dtype)
        standard = {dtype.name: dtype for dtype in found if dtype not in (dt.float16, dt.bfloat16)}
        return {name: dtype for name, dtype in standard.items() if kind is None or isdtype(dtype, kind)}


def _check_device(device: Any) -> None:
    if device not in (None, "cpu"):
        raise ValueError(f'there is no device {device!r}: NumPy computes on "cpu"')
