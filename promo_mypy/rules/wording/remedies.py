"""Suggest what to write instead of a rejected operation.

Every remedy is tried: the promotion system resolves the operation after each change below, the smallest first. The
first change that it accepts is the remedy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, Protocol

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import OperandCast, Remedy
from promo_mypy.rules.operands import Operand, Verdict
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.dialects import Dialect, holds
from promo_mypy.rules.wording.reasons import SYMBOLS, spelled

#: What a user probably means by subtracting or negating truth values.
_TRUTH_VALUES: Final = {"sub": "use ^ for truth values", "neg": "use ~ for truth values"}

#: What a user probably means by ordering or flooring complex numbers.
_COMPLEX: Final = {**dict.fromkeys(("lt", "le", "gt", "ge"), "compare abs(x)"), "floordiv": "use /"}

#: (operation, kind) -> the dtype to cast to first: it holds the results, not only the operands.
_FIRST: Final[Mapping[tuple[str, str], type[dt.Shaped]]] = {
    ("sub", "b"): dt.int8,
    ("neg", "b"): dt.int8,
    ("matmul", "b"): dt.float32,
}

#: The most operands that a remedy casts. Longer remedies are hard to read and slow to find.
_MOST_CASTS: Final = 3

#: Commutative operations.
_COMMUTATIVE: Final = frozenset({"add", "mul", "and", "or", "xor"})

#: Python scalar -> its replacements, nearest first.
_SCALARS: Final[Mapping[type[dt.PythonScalar], tuple[type[dt.PythonScalar], ...]]] = {
    dt.py_bool: (dt.py_int, dt.py_float),
    dt.py_int: (dt.py_float,),
    dt.py_float: (dt.py_int,),
    dt.py_complex: (dt.py_float, dt.py_int),
}


class System(Protocol):
    """The part of a promotion system that remedies need."""

    @property
    def dialect(self) -> Dialect:
        """The spelling of casts in its library."""

    @property
    def in_place(self) -> bool:
        """Whether its arrays are mutable."""

    def verdict(self, operation: str, operands: tuple[Operand, ...]) -> Verdict:
        """The dtype of an operation, or the reason of an error."""


@record
class _Change:
    """A changed operand and the text of the change; no text if the operand stays."""

    operand: Operand
    text: str = ""
    cast_to: type[dt.Shaped] | None = None
    """The target dtype of a plain cast."""
    is_lossy: bool = False
    """Whether the cast may lose more than digits: a fraction, an imaginary part, or an integer that is out of range."""


def remedy(system: System, operation: str, operands: tuple[Operand, ...]) -> Remedy:
    """What to write instead of an operation that a system rejects."""
    if any(operand.dtype is dt.key for operand in operands):
        return Remedy("draw numbers from the key, for example jax.random.uniform(key, shape)")
    if "matmul" in operation and any(operand.form.value != "array" for operand in operands):
        return Remedy("write * to multiply by a scalar")
    plain = IN_PLACE.get(operation, operation)
    if plain in system.dialect.instead:
        return Remedy(f"write {'x = ' if plain != operation else ''}{system.dialect.instead[plain]}")
    meant, tried = list(_meant(system, operation, operands)), _tried(system, operation, operands)
    if meant:
        return Remedy(", or ".join([*meant, *([tried.sentence] if tried is not None else [])]))
    if tried is not None:
        return tried
    if operation in _COMMUTATIVE and (swapped := _swapped(system, operation, operands)):
        return Remedy(swapped)
    if operation == "divmod":
        return Remedy("write x // y and x % y")
    if operation in IN_PLACE:  # no other operand helps, so the target must change
        return Remedy(f"write x = x {SYMBOLS[plain]} y and {remedy(system, plain, operands).sentence}")
    return Remedy("cast the operands to a dtype that supports it")


def _swapped(system: System, operation: str, operands: tuple[Operand, ...]) -> str | None:
    """Write a Python scalar on the other side, and change what is then still rejected; None if that does not help."""
    left, right = operands
    if issubclass(left.dtype, dt.PythonScalar) == issubclass(right.dtype, dt.PythonScalar):
        return None
    scalar, side = (left, "right") if issubclass(left.dtype, dt.PythonScalar) else (right, "left")
    swap = f"write the {spelled(scalar.dtype)} on the {side}"
    if not isinstance(system.verdict(operation, (right, left)), str):
        return swap
    more = _tried(system, operation, (right, left))
    return None if more is None else f"{swap} and {more.sentence}"


def _meant(system: System, operation: str, operands: tuple[Operand, ...]) -> Iterator[str]:
    plain = IN_PLACE.get(operation, operation)
    if plain in _TRUTH_VALUES and all(operand.dtype.kind == "b" for operand in operands):
        yield _TRUTH_VALUES[plain]
    if plain in _COMPLEX and any(operand.dtype in dt.REAL_PARTS for operand in operands):
        yield _COMPLEX[plain]
    if plain != operation:
        outcome = system.verdict(plain, operands)
        if not isinstance(outcome, str):
            yield f"write x = x {SYMBOLS[plain]} y for {spelled(outcome)}"


def _tried(system: System, operation: str, operands: tuple[Operand, ...]) -> Remedy | None:
    """The first changes that the system accepts, if there are any."""
    for changes in _attempts(system, operation, operands):
        if not isinstance(system.verdict(operation, tuple(change.operand for change in changes)), str):
            targets = {change.cast_to for change in changes}
            target = next(iter(targets))
            meant = " if losing values is meant" if any(change.is_lossy for change in changes) else ""
            if len(changes) > 1 and len(targets) == 1 and target is not None:
                return Remedy(f"cast the operands with {system.dialect.cast(target)}{meant}")
            sentence = " and ".join(dict.fromkeys(change.text for change in changes if change.text)) + meant
            return Remedy(sentence, _only_cast(changes))
    return None


def _only_cast(changes: Sequence[_Change]) -> OperandCast | None:
    """The cast among some changes, if nothing else changes, and it loses digits at most."""
    changed = [(place, change) for place, change in enumerate(changes) if change.text]
    if len(changed) != 1:
        return None
    ((place, change),) = changed
    return OperandCast(place, change.cast_to) if change.cast_to is not None and not change.is_lossy else None


def _attempts(system: System, operation: str, operands: tuple[Operand, ...]) -> Iterator[tuple[_Change, ...]]:
    """Changes that keep all values, of one operand and then of both; then those that lose digits, then the others."""
    # The target of an in-place operation keeps its dtype, whatever the other operand becomes.
    fixed = 1 if operation in IN_PLACE and system.in_place else 0
    stay = tuple(_Change(operand) for operand in operands)
    # The target is x, so the other operand is y. In other operations any array may be called x.
    called = "xy" if fixed else "x" * len(operands)
    places = range(len(operands))
    keeping = [list(_keeping(system, operation, operands, at, called)) if at >= fixed else [] for at in places]
    yield from _of_every_side(keeping, stay)
    target = operands[0].dtype if fixed else None
    losing = [list(_losing(system.dialect, operands, at, called, target)) if at >= fixed else [] for at in places]
    for allowed in (False, True):
        options = [
            [*kept, *(each for each in lost if allowed or not each.is_lossy)]
            for kept, lost in zip(keeping, losing, strict=True)
        ]
        yield from _of_every_side(options, stay)


def _of_every_side(options: Sequence[Sequence[_Change]], stay: tuple[_Change, ...]) -> Iterator[tuple[_Change, ...]]:
    """Changes of one operand, the cheapest of each side before the second cheapest; then changes of all operands."""
    for rank in range(max(map(len, options))):
        for place, choices in enumerate(options):
            if rank < len(choices):
                yield (*stay[:place], choices[rank], *stay[place + 1 :])
    if 1 < len(stay) <= _MOST_CASTS:
        yield from product(*options)


def _keeping(
    system: System, operation: str, operands: tuple[Operand, ...], place: int, called: str
) -> Iterator[_Change]:
    """Casts that keep every value of the operand, to the dtype of another operand first."""
    dtype = operands[place].dtype
    if issubclass(dtype, dt.PythonScalar):
        return
    first = _FIRST.get((operation, dtype.kind))
    others = [o.dtype.strong for o in operands if not issubclass(o.dtype, dt.PythonScalar) and holds(o.dtype, dtype)]
    # A half-precision float is no good remedy for an integer, even if it holds the values.
    wide = [d for d in system.dialect.suggested if dtype.kind == "f" or d.kind != "f" or d.bits >= 32]
    targets = [*([first] if first else []), *others, *(target for target in wide if holds(target, dtype))]
    for target in dict.fromkeys(targets):
        if target is not dtype:
            yield _cast(system.dialect, operands, place, target, called)


def _losing(
    dialect: Dialect, operands: tuple[Operand, ...], place: int, called: str, stored_in: dt.OperandType | None
) -> Iterator[_Change]:
    """Another kind of Python number, the real part of complex numbers, casts to a like kind and the nearest width.

    `stored_in`: the dtype that an in-place operation stores in, which comes before the nearest.
    """
    operand = operands[place]
    dtype = operand.dtype
    if issubclass(dtype, dt.PythonScalar):
        for other in _SCALARS[dtype]:
            article = "an" if other is dt.py_int else "a"
            text = f"write {article} {other.name.removeprefix('py_')} in place of the {spelled(dtype)}"
            yield _Change(replace(operand, dtype=other), text)
        return
    if dtype in dt.REAL_PARTS:
        part = dt.REAL_PARTS[dtype]
        text = f"take the real part of the {spelled(dtype)} operand with {dialect.real_part(called[place])}"
        yield _Change(replace(operand, dtype=part), text)
    nearest = sorted(
        (target for target in dialect.suggested if target.kind != "b"),
        key=lambda target: (
            target is not stored_in,
            target.kind not in _alike(dtype),
            target.kind == "c",
            abs(_width(target) - _width(dtype)),
            target.kind,
        ),
    )
    for target in nearest:
        if target is not dtype and not holds(target, dtype):
            yield _cast(dialect, operands, place, target, called)


def _alike(dtype: type[dt.Shaped]) -> str:
    return "ui" if dtype.kind in "ui" else dtype.kind


def _width(dtype: type[dt.Shaped]) -> int:
    return dtype.bits // 2 if dtype.kind == "c" else dtype.bits


def _cast(dialect: Dialect, operands: tuple[Operand, ...], place: int, target: type[dt.Shaped], called: str) -> _Change:
    operand = operands[place]
    whom = f"the {spelled(operand.dtype)} operand" if len(operands) > 1 else "it"
    name = called[place]
    source = operand.dtype
    is_lossy = issubclass(source, dt.Shaped) and not holds(target, source) and not _only_rounds(target, source)
    if operand.dtype.kind == "c" and target.kind != "c":
        real = dialect.real_part(name)
        return _Change(replace(operand, dtype=target), f"cast {whom} with {dialect.cast(target, real)}", None, is_lossy)
    return _Change(replace(operand, dtype=target), f"cast {whom} with {dialect.cast(target, name)}", target, is_lossy)


def _only_rounds(target: type[dt.Shaped], source: type[dt.Shaped]) -> bool:
    """Whether a cast loses digits at most: to a float or complex dtype with the range of the source."""
    return (
        (target.kind == "c" or (target.kind == "f" and source.kind != "c"))
        and target.minimum <= source.minimum
        and source.maximum <= target.maximum
    )
