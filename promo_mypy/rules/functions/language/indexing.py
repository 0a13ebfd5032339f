"""Check the dtypes of indices, and of values that are written into an array.

Most of these functions keep the dtype of the array. They are rows because the library rejects some arguments.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import ML_DTYPES_NAMES
from promo_mypy.rules.functions.language.arguments import Argument, Items, Many, Value, scalar_of
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.conversions import entries
from promo_mypy.rules.functions.language.function_reasons import (
    complex_number,
    unaccepted_index,
    unequal_write,
    unsafe_scatter,
)
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.storing import casts
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import rule
from promo_mypy.rules.wording import reasons


@rule
class Indexed(Rule):
    """The rule's result, if the indices have dtypes that the library accepts.

    `tables` have the indices that are rejected, as entries of `Converted`: one table for arrays, and a second one for
    0-d arrays and numbers if these differ. An index of unknown dtype is not checked.
    """

    rule: Rule
    names: str
    """The parameters, separated by spaces; "*key" stands for each item."""
    tables: tuple[str, ...]

    @property
    def checks(self) -> bool:
        """It rejects indices of other dtypes."""
        return True

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    @property
    def stores(self) -> bool:
        """Whether the rule stores."""
        return self.rule.stores

    @property
    def remedies(self) -> Mapping[str, str]:
        """Cast the index, or what the rule has cast."""
        return {**self.rule.remedies, **dict.fromkeys((name.removeprefix("*") for name in self.names.split()), "index")}

    def answer(self, call: Call) -> Answer:
        """An index in a list counts as an index."""
        for name in self.names.split():
            for operand in _leaves(call.bound.get(name.removeprefix("*"), Value(None))):
                self._check(operand, name, call)
        return self.rule.answer(call)

    def asks_rank(self, system: PromotionSystem) -> bool:
        """Whether a 0-d array is accepted as an index of another dtype than an array."""
        return len(self.tables) > 1 or self.rule.asks_rank(system)

    def _check(self, operand: Operand, name: str, call: Call) -> None:
        dtype, table = operand.dtype, entries(self.tables[0 if operand.form is Form.ARRAY else -1])
        exact = dtype.strong.name if issubclass(dtype, dt.Shaped) else dtype.name
        if "refused" in (table.get(exact), None if exact in table else table.get(f"kind {dtype.kind}")):
            raise Refused(unaccepted_index(call.system.dialect.library, operand, name))


def _leaves(argument: Argument) -> Iterator[Operand]:
    match argument:
        case Operand():
            yield argument
        case Items(items):
            for item in items:
                yield from _leaves(item)
        case Many(item):
            yield from _leaves(item)
        case Value(value) if (number := scalar_of(value)) is not None:
            yield number
        case _:
            pass


class _Write(Rule):
    """The rule's result, if a value may be written into an array."""

    __slots__ = ()
    rule: Rule
    target: str
    value: str

    @property
    def checks(self) -> bool:
        """It rejects values of other dtypes."""
        return True

    @property
    def stores(self) -> bool:
        """Always."""
        return True

    @property
    def remedies(self) -> Mapping[str, str]:
        """Cast the value."""
        return {self.value: "value"}

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """A value of unknown dtype is not checked."""
        try:
            target, value = call.operand(self.target), call.operand(self.value)
        except Unresolved:
            return self.rule.answer(call)
        if issubclass(target.dtype, dt.Shaped) and not self.is_list(call):
            self.check(call, target.dtype, value)
        return self.rule.answer(call)

    def is_list(self, call: Call) -> bool:
        """Whether the value is a sequence, whose numbers may be stored one by one."""
        return isinstance(call.bound[self.value], Items | Many)

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """Raise `Refused` if the library rejects the value."""
        raise NotImplementedError


def _refuse_complex(call: Call, target: DType, value: Operand) -> None:
    """Arrays of complex numbers lose their imaginary parts. A Python number is rejected."""
    if value.dtype is dt.py_complex and target.kind in "uif":
        raise Refused(complex_number(call.system.dialect.library, target))


def _refuse_unequal(call: Call, target: DType, value: Operand) -> None:
    _refuse_complex(call, target, value)
    if issubclass(value.dtype, dt.Shaped) and value.dtype is not target:
        raise Refused(unequal_write(call.system.dialect.library, call.function, value.dtype, target))


@rule
class Stored(_Write):
    """A write that casts every array. Only a complex Python number has no cast to a real dtype."""

    rule: Rule
    target: str
    value: str

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """Numbers that are out of range are looked at elsewhere: `stored_numbers`."""
        _refuse_complex(call, target, value)


@rule
class StoredSafely(_Write):
    """A write that casts arrays by one of NumPy's rules: to a dtype that holds all their values, or of their kind."""

    rule: Rule
    target: str
    value: str
    by_argument: bool = False
    """Whether the argument `casting` names the rule."""

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """With the rule "safe", numbers and scalars are stored as by any assignment. ml_dtypes has casts of its own."""
        if target.name in ML_DTYPES_NAMES or (value.form is Form.SCALAR and not self.by_argument):
            return
        if issubclass(value.dtype, dt.Shaped):
            holds = call.promoted(Operand(target), Operand(value.dtype)) is target
            if not (casts(call, value.dtype, target) if self.by_argument else holds):
                raise Refused(reasons.cannot_store(call.system.dialect.library, value.dtype, target))
        elif not self.by_argument:
            _refuse_complex(call, target, value)
        elif call.value("casting") != "unsafe" and "biufc".index(value.dtype.kind) > max(
            map("biufc".index, _WITH.get(target.kind, target.kind))
        ):
            raise Refused(reasons.cannot_store(call.system.dialect.library, call.default(value.dtype.kind), target))


#: Kinds of integers, which a Python int fits alike.
_WITH: Final = {"u": "iu", "i": "iu"}


@rule
class Scattered(_Write):
    """JAX's scatter: a value that the promotion with the array would widen is cast with a FutureWarning.

    The warning announces an error.
    """

    rule: Rule
    target: str
    value: str
    refused: str = ""
    """The kinds of arrays for which the update itself is not defined, whatever the dtype of the value."""

    @property
    def goes_on(self) -> Rule:
        """JAX warns, and returns what the rule says."""
        return self.rule

    @property
    def remedies(self) -> Mapping[str, str]:
        """Cast the array, so that nothing is lost."""
        return {}

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """A weak value, or a Python number, need not widen the array. A weak array counts as a strong one."""
        result = call.promoted(Operand(target.strong), value)
        if result.strong is not target.strong:
            raise Refused(unsafe_scatter(call.system.dialect.library, value, target))
        if target.kind in self.refused:
            call.refuse(target)


@rule
class StoredPromoted(_Write):
    """A write of what promotes with the array to the dtype of the array, as in an in-place operation."""

    rule: Rule
    target: str
    value: str

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """Other values are rejected."""
        result = call.promoted(Operand(target), value)
        if result is not target:
            raise Refused(reasons.cannot_store(call.system.dialect.library, result, target))


@rule
class StoredEqual(_Write):
    """A write of an array of the same dtype, or of a Python number."""

    rule: Rule
    target: str
    value: str

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """A function that takes no number is declared so."""
        _refuse_unequal(call, target, value)


@rule
class StoredByIndices(_Write):
    """A write that requires equal dtypes if an index is an array or a list, and casts otherwise.

    A 0-d value is cast, too, if a mask is the only array among the indices.
    """

    rule: Rule
    target: str
    value: str
    indices: str = "key"

    def check(self, call: Call, target: DType, value: Operand) -> None:
        """A part of unknown kind may be an array. `x[i]` with a 0-d integer is no array: it selects."""
        arrays = [part for part in _parts(call.bound[self.indices]) if _is_array(part)]
        is_mask = len(arrays) == 1 and _is_mask(arrays[0])
        if arrays and not (is_mask and value.form is not Form.ARRAY):
            _refuse_unequal(call, target, value)
        else:
            _refuse_complex(call, target, value)

    def asks_rank(self, system: PromotionSystem) -> bool:  # noqa: ARG002 (the interface)
        """Whether the value, or an index, has dimensions."""
        return True


def _parts(indices: Argument) -> tuple[Argument, ...]:
    return indices.items if isinstance(indices, Items) else (indices,)


def _is_array(part: Argument) -> bool:
    if isinstance(part, Items | Many):
        return True
    return isinstance(part, Operand) and part.form is Form.ARRAY


def _is_mask(part: Argument) -> bool:
    leaves = list(_leaves(part))
    return bool(leaves) and all(leaf.dtype.kind == "b" for leaf in leaves)
