"""Evaluate `Promote[A, B]` in a call, by the rules of the library of the annotated array."""

import sys
from typing import Any, TypeVar

import numpy as np

from promo_mypy.rules.dtypes import WEAK, Shaped
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from promo_runtime.actual_dtypes import actual_dtype, library_of_class, named_dtype
from promo_runtime.array.array import Array
from promo_runtime.plans.arguments import PYTHON_NUMBERS, operand_of
from promo_runtime.validation.expectations import Promotion


def promised_dtype(promotion: Promotion, value: Any, bindings: dict[TypeVar | str, Any]) -> type[Shaped] | None:
    """The strong dtype; None if an operand is unknown or the library rejects the promotion."""
    system = _system_of(value)
    found = _promoted(promotion, system, bindings) if system is not None else None
    return found.strong if found is not None else None


def _promoted(promotion: Promotion, system: PromotionSystem, bindings: dict[TypeVar | str, Any]) -> type[Shaped] | None:
    operands = []
    for written in promotion.operands:
        operand = _operand(written, system, bindings)
        if operand is None:
            return None
        operands.append(operand)
    promoted = system.promote(*operands)
    return None if isinstance(promoted, Refusal) else promoted


def _operand(written: Any, system: PromotionSystem, bindings: dict[TypeVar | str, Any]) -> Operand | None:
    if isinstance(written, Promotion):
        dtype = _promoted(written, system, bindings)
        return Operand(dtype) if dtype is not None else None
    if isinstance(written, TypeVar | str):
        return _operand_of_value(bindings.get(written))
    dtype_named = named_dtype(written)
    exact = isinstance(dtype_named, type) and dtype_named.exact
    return Operand(dtype_named) if exact and isinstance(dtype_named, type) else None


def _operand_of_value(value: Any) -> Operand | None:
    if isinstance(value, Array) or type(value) in PYTHON_NUMBERS:
        return operand_of(value)
    dtype = actual_dtype(value)
    if not isinstance(dtype, type):
        return None
    if isinstance(value, np.generic):
        return Operand(dtype, Form.SCALAR)
    weak = getattr(value, "weak_type", False) is True
    return Operand(WEAK.get(dtype, dtype) if weak else dtype, Form.ARRAY if value.ndim else Form.ZERO_D)


def _system_of(value: Any) -> PromotionSystem | None:
    if isinstance(value, Array):
        return get_system(value.system)
    library = library_of_class(type(value))
    if library == "jax":
        config = sys.modules["jax"].config
        if config.jax_numpy_dtype_promotion == "strict":
            return get_system("jax-strict")
        return get_system("jax" if config.jax_enable_x64 else "jax-x32")
    return get_system(library) if library is not None else None
