"""The input and output of promotion systems: operands, and a dtype or a `Refusal`."""

import enum
from collections.abc import Callable
from dataclasses import field
from typing import Self

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.dtypes import PYTHON_SCALARS, PythonScalar, Shaped, parse
from promo_mypy.rules.records import record


class Form(enum.Enum):
    """The form of an operand. It matters if a 0-d array or a scalar yields to an n-d array."""

    ARRAY = "array"
    ZERO_D = "0-d array"
    SCALAR = "library scalar"
    PYTHON = "Python scalar"

    # Enum hashes the name, in Python; forms are looked up for every expression that mypy checks.
    __hash__ = object.__hash__


@record
class Operand:
    """One side of an operation: an exact dtype (or the class of a Python scalar) and its form.

    A Python scalar always has the form PYTHON.
    """

    dtype: type[Shaped] | type[PythonScalar]
    form: Form = Form.ARRAY
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if issubclass(self.dtype, PythonScalar):
            object.__setattr__(self, "form", Form.PYTHON)
        # Computed once: operands are hashed for every expression that mypy checks.
        object.__setattr__(self, "_hash", hash((self.dtype, self.form)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Self], tuple[object, Form]]:
        # Hashes of classes differ from process to process: a copy computes its hash anew.
        return type(self), (self.dtype, self.form)

    @classmethod
    def of(cls, name: str, form: Form = Form.ARRAY) -> Self:
        """The operand of that name: "float32", "float32*", "py_int". Raises UnknownDtypeError."""
        return cls(PYTHON_SCALARS[name] if name in PYTHON_SCALARS else parse(name), form)

    @property
    def name(self) -> str:
        """The dtype's name, or Python's for a Python scalar: "float32", "float32*", "int"."""
        return self.dtype.name if issubclass(self.dtype, Shaped) else self.dtype.name.removeprefix("py_")


@record
class Refusal:
    """An error of the library. Reason and remedy are sentences without capital and full stop, ready for a message."""

    system: str
    operation: str
    operands: tuple[Operand, ...]
    reason: str
    advice_or_finder: Remedy | Callable[[], Remedy] = field(repr=False, compare=False)
    """The remedy, or a function that finds it: most refusals are caught or counted, and never need a remedy."""

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), (self.system, self.operation, self.operands, self.reason, self.advice)

    @property
    def advice(self) -> Remedy:
        """What to write instead. It is not compared: it follows from the other fields."""
        if not isinstance(self.advice_or_finder, Remedy):
            object.__setattr__(self, "advice_or_finder", self.advice_or_finder())
        assert isinstance(self.advice_or_finder, Remedy), "it was found"
        return self.advice_or_finder

    @property
    def remedy(self) -> str:
        """The same as a sentence."""
        return self.advice.sentence


Result = type[Shaped] | Refusal

Verdict = type[Shaped] | str
"""A dtype, or the reason of an error."""
