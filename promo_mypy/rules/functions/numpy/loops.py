"""The rule of NumPy's ufuncs: the first loop that every operand casts to safely."""

from contextlib import suppress
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import not_cast
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.storing import casting_of
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule
from promo_mypy.rules.systems import get_system, root_of
from promo_mypy.rules.systems import numpy_extensions as ext
from promo_mypy.rules.systems.numpy import NumpySystem, Ufunc

#: Kinds of dtypes, in the order in which NumPy casts one to another.
_KINDS: Final = "bifc"


@rule
class Loop(Rule):
    """The dtype that a ufunc with these loops computes in, or returns."""

    ufunc: Ufunc
    names: str
    full: str = ""
    """The names of arguments whose Python numbers count as arrays of their default dtype."""
    always: DType | None = None
    """The result for every dtype that it accepts, including dtypes that the rules do not have."""
    casts: bool = False
    """Whether `dtype=` is the dtype of the result, and operands of every dtype are cast to those of its loop."""

    def answer(self, call: Call) -> DType:
        """None is skipped, as for bounds of clip. `dtype=` chooses the loop."""
        asked = call.dtype("dtype") if "dtype" in call.bound else None
        try:
            operands = self._operands(call)
        except Unresolved:
            if self.always is None or asked is not None:
                raise
            return self.always
        if asked is not None:
            return self._asked(call, operands, asked)
        root = get_system(root_of(call.system.name))
        base = root if isinstance(root, NumpySystem) else get_system("numpy")
        assert isinstance(base, NumpySystem), "that is its name"
        if base is not call.system:  # other rules join the operands first; the loop is that of the join
            operands = (Operand(call.promoted(*operands).strong),) * len(operands)
        result = call.dtype_of(base._call(call.function, self.ufunc, operands))
        if self.ufunc.gives == "loop" and "casting" in call.bound:
            self._check(call, operands, result)
        return result

    def _operands(self, call: Call) -> tuple[Operand, ...]:
        names = [name for name in self.names.split() if call.given(name)]
        full = self.full.split()
        operands = call.operands(*names, operation=call.function.removesuffix(".outer"))
        pairs = zip(names, operands, strict=True)
        return tuple(call.operands(name, full=True)[0] if name in full else operand for name, operand in pairs)

    def _asked(self, call: Call, operands: tuple[Operand, ...], dtype: DType) -> DType:
        if self.casts:
            return dtype if self._gives(dtype) and not self._exceed(operands, dtype) else call.refuse(dtype)
        if self.ufunc.gives != "loop" or dtype.name in ext.CASTS:
            raise Unresolved
        if dtype.kind not in self.ufunc.kinds or (dtype.kind == "b" and self.ufunc.refuses_bool):
            call.refuse(dtype)
        self._check(call, operands, dtype)
        return dtype

    def _check(self, call: Call, operands: tuple[Operand, ...], dtype: DType) -> None:
        """The operands are cast to the dtype of the loop."""
        with suppress(Unresolved):
            casting = casting_of(call)
            for source in (operand.dtype for operand in operands):
                fits = (
                    call.system.casts(source, dtype, casting) if issubclass(source, dt.Shaped) else _fits(source, dtype)
                )
                if not fits and casting != "unsafe":
                    raise Refused(not_cast(call.system.dialect.library, source, dtype))

    def _exceed(self, operands: tuple[Operand, ...], dtype: DType) -> bool:
        """Whether a complex number is to be cast to a real dtype."""
        numbers = (operand.dtype for operand in operands if issubclass(operand.dtype, dt.PythonScalar))
        return self.ufunc.gives == "loop" and dtype.kind != "c" and any(number.kind == "c" for number in numbers)

    def _gives(self, dtype: DType) -> bool:
        if self.ufunc.gives == "bool":
            return dtype.kind == "b"
        if dtype.name in ext.CASTS:
            return dtype.name in self.ufunc.extensions
        kinds = self.ufunc.kinds.replace("c", "") if self.ufunc.gives == "real part" else self.ufunc.kinds
        return dtype.kind in kinds and not (dtype.kind == "b" and self.ufunc.refuses_bool)


def _fits(number: dt.OperandType, dtype: DType) -> bool:
    """Whether a Python number may be of the kind of a dtype."""
    return _KINDS.index(number.kind) <= _KINDS.index(dtype.kind.replace("u", "i"))


@rule
class SinceTwo(Rule):
    """The rules of NumPy 2 and of NumPy 1, whose system is numpy-legacy."""

    rule: Rule
    before: Rule

    def answer(self, call: Call) -> Answer:
        """The rule of the system in use."""
        return (self.before if root_of(call.system.name) == "numpy-legacy" else self.rule).answer(call)


OWN: Final[frozenset[str]] = frozenset()
"""A ufunc without loops for the dtypes of ml_dtypes."""
