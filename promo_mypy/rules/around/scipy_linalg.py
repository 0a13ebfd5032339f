"""What functions of scipy.linalg return. Source: running SciPy 1.17, for dtypes that all its versions treat alike.

SciPy declares no types, so mypy calls no hook for it. `promo-mypy infer` and `coverage` read this table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.records import record

_DType = type[dt.Shaped]

_SOLVED: Final[Mapping[_DType, _DType]] = {
    **dict.fromkeys((dt.int32, dt.int64, dt.uint32, dt.uint64, dt.float64), dt.float64),
    dt.float32: dt.float32,
    dt.complex64: dt.complex64,
    dt.complex128: dt.complex128,
}
_REAL: Final[Mapping[_DType, _DType]] = {dt.complex64: dt.float32, dt.complex128: dt.float64}
_COMPLEX: Final[Mapping[_DType, _DType]] = {dt.float32: dt.complex64, dt.float64: dt.complex128}
_WIDE: Final[Mapping[_DType, _DType]] = {dt.float32: dt.float64, dt.complex64: dt.complex128}

HARMLESS: Final = frozenset({"lower", "check_finite", "overwrite_a", "overwrite_b", "assume_a", "full_matrices"})
"""The keywords that change no dtype, nor how many results there are."""


@record
class Row:
    """A function: how many of its first arguments are arrays that decide, and what it returns, in order."""

    arrays: int
    results: tuple[Callable[[_DType], _DType], ...]


def find(full_name: str) -> Row | None:
    """The row of a function by its full name."""
    return _ROWS.get(full_name)


def results(row: Row, arrays: Sequence[_DType]) -> tuple[_DType, ...] | None:
    """The dtypes that a function returns for arrays of these dtypes; None for dtypes that the table leaves out."""
    if len(arrays) != row.arrays or any(each not in _SOLVED for each in arrays):
        return None
    solved = _joined(_SOLVED[each] for each in arrays)
    return tuple(result(solved) for result in row.results)


def _joined(solved: Iterable[_DType]) -> _DType:
    every = set(solved)
    if len(every) == 1:
        return every.pop()
    is_wide = not every.isdisjoint((dt.float64, dt.complex128))
    is_complex = not every.isdisjoint((dt.complex64, dt.complex128))
    if is_wide:
        return dt.complex128 if is_complex else dt.float64
    return dt.complex64


def _same(solved: _DType) -> _DType:
    return solved


def _real(solved: _DType) -> _DType:
    return _REAL.get(solved, solved)


def _complex(solved: _DType) -> _DType:
    return _COMPLEX.get(solved, solved)


def _wide(solved: _DType) -> _DType:
    return _WIDE.get(solved, solved)


def _table() -> dict[str, Row]:
    found = {}
    for names, row in (
        ("inv pinv cholesky orth null_space expm", Row(1, (_same,))),
        ("eigvalsh svdvals", Row(1, (_real,))),
        ("eigvals", Row(1, (_complex,))),
        ("solve solve_triangular", Row(2, (_same,))),
        ("solve_discrete_lyapunov", Row(2, (_wide,))),
        ("solve_discrete_are", Row(4, (_wide,))),
        ("eigh", Row(1, (_real, _same))),
        ("svd", Row(1, (_same, _real, _same))),
        ("qr", Row(1, (_same, _same))),
        ("lu", Row(1, (_real, _same, _same))),
    ):
        found.update({f"scipy.linalg.{name}": row for name in names.split()})
    return found


_ROWS: Final = _table()
