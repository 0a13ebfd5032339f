"""Turn what a backend computed into results of the right dtype: cast and wrapped."""

from functools import partial
from typing import Any

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.protocols import Answer
from promo_runtime.array.array import wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.numpy_dtypes import numpy_dtype
from promo_runtime.plans.elementwise_plans import Plan
from promo_runtime.plans.function_rules import dtype_of


def finishing(space: Space, backend: Backend, run: Plan, result: Answer, *, wraps: bool) -> Plan:
    """`run`, and then its results in their dtypes; `wraps`: as an `Array`."""
    if isinstance(result, type) and issubclass(result, dt.PythonScalar):
        return run
    finish = partial(_finished, space, backend, result=result, wraps=wraps)
    if result is None or isinstance(result, tuple) or backend is not NUMPY:
        return lambda *arguments, **keywords: finish(run(*arguments, **keywords))
    # A result of the right dtype is only wrapped.
    dtype = dtype_of(result)
    wanted, kind = numpy_dtype(dtype), array_type(space, dtype, backend)

    def plan(*arguments: Any, **keywords: Any) -> Any:
        made = run(*arguments, **keywords)
        return made if getattr(made, "dtype", None) is wanted else finish(made)

    def wrapping(*arguments: Any, **keywords: Any) -> Any:
        made = run(*arguments, **keywords)
        return wrap(made, kind) if getattr(made, "dtype", None) is wanted else finish(made)

    return wrapping if wraps else plan


def _finished(space: Space, backend: Backend, made: Any, result: Answer, *, wraps: bool) -> Any:
    """The results in their dtypes; named tuples keep their class."""
    if result is None:  # in NumPy's rules the values decide, and NumPy computed it
        if isinstance(made, tuple):
            return type(made)(*(_finished(space, backend, each, None, wraps=wraps) for each in made))
        made = made if hasattr(made, "dtype") else np.asarray(made, object)  # of Python objects
        result = backend.dtype(made)
    if isinstance(result, tuple):
        parts = [_finished(space, backend, each, dtype, wraps=wraps) for each, dtype in zip(made, result, strict=True)]
        return type(made)(*parts) if hasattr(made, "_fields") else tuple(parts)
    if isinstance(made, tuple | list):
        return tuple(_finished(space, backend, each, dtype_of(result), wraps=wraps) for each in made)
    dtype = dtype_of(result)
    cast = backend.asarray(made, dtype) if isinstance(made, int) else backend.cast(made, dtype)
    return wrap(cast, array_type(space, dtype, backend)) if wraps else cast
