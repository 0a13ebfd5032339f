"""Compare a function of a namespace with the call of the real library: equal dtypes, values within rounding."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import promo_runtime as pr
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.systems import get_system
from promo_runtime.functions.definitions import Function, library_of
from promo_runtime.kernels.numpy_kernels import NoLoopError
from tests.runtime.functions.function_samples import arity, imported, ours, parts, shape
from tests.runtime.samples import array, values

#: Where dtypes do not decide: shapes or JAX's version decide for weak arrays, the exponent decides, and the rank of a
#: vector has another dtype than that of a matrix.
OPEN = {
    ("jax", "linalg.diagonal"),
    ("jax", "diagonal"),
    ("jax", "linalg.matrix_power"),
    ("jax", "linalg.matrix_rank"),
    ("jax", "log2"),
}
#: NumPy has these only for real numbers.
NO_LOOP = {"atan2", "logaddexp", "logaddexp2", "deg2rad", "rad2deg", "copysign", "hypot", "nextafter", "heaviside"}
#: NumPy computes these only for integers, which their rows do not say.
OF_INTEGERS = {"packbits", "unpackbits", "unravel_index", "ravel_multi_index", "ldexp"}
#: CuPy takes the real parts; NumPy, which computes here, does not drop the imaginary ones.
OF_REALS = {"fft.rfft", "fft.rfft2", "fft.rfftn", "fft.ihfft"}
#: The basis may differ, NumPy's unique values have no order, PyTorch has no indices of first occurrences.
#: Between places that are one, any value is right.
NOT_COMPARED = {"interp", "linalg.svd", "linalg.qr", "linalg.eigh", "linalg.eig", "unique_all", "unique_values"}
#: Rounding of one operation in the narrowest float, and of some operations in the others.
TOLERANCE = {"bfloat16": 1e-2, "float16": 2e-3}

_NO_BOUNDS = "without bounds NumPy refuses bools, and PyTorch refuses everything"
_ABSTRACT = "abstract evaluation gives a dtype: executed, JAX refuses"
_COMPARED = "PyTorch compares only what it promotes, as the row of its function does not say"
#: (system, function) -> why one of the two rejects what the other computes.
DIFFERENCES = {
    ("numpy", "clip"): _NO_BOUNDS,
    ("torch", "clip"): _NO_BOUNDS,
    ("torch", "searchsorted"): _COMPARED,
    ("torch", "isin"): _COMPARED,
    **{
        ("dask", name): "what Dask declares is not what it computes, or it computes along an axis only"
        for name in (
            "std",
            "var",
            "einsum",
            "isposinf",
            "isneginf",
            "fft.irfftn",
            "median",
            "nanmedian",
            "nanstd",
            "nanvar",
        )
    },
    ("dask", "clip"): _NO_BOUNDS,
    ("numpy", "digitize"): "NumPy takes no complex edges, and says so too late for its row",
    ("jax", "argmax"): _ABSTRACT,
    ("jax", "argmin"): _ABSTRACT,
    ("jax", "nanargmax"): _ABSTRACT,
    ("jax", "nanargmin"): _ABSTRACT,
    **{
        ("jax", f"linalg.{name}"): _ABSTRACT
        for name in (
            "cholesky",
            "cond",
            "inv",
            "svdvals",
            "eigvalsh",
            "eigh",
            "eig",
            "eigvals",
            "matrix_rank",
            "pinv",
            "qr",
            "svd",
        )
    },
}
#: Dask multiplies matrices of one chunk without summing products, and so without the wider dtype of sums.
OF_ONE_CHUNK = {("dask", "linalg.matmul")}
#: JAX's weak matrices have a weak determinant if they are no larger than 2 x 2.
WEAK_BY_SHAPE = {"linalg.slogdet"}


def executed(system: str, name: str, function: Function, dtypes: tuple[type[Shaped], ...]) -> Any:
    """The result for arrays of these dtypes; the refusal; None without a rule or a loop."""
    arrays = [array(system, dtype, shape(name)) for dtype in (dtypes * arity(function))[: arity(function)]]
    try:
        return ours(system, name, arrays)
    except NoLoopError:
        assert name in NO_LOOP
        return None
    except pr.PromotionError as error:
        return error
    except pr.UnknownArrayDtypeError:  # NumPy multiplies dtypes that do not promote as Python objects
        assert system in ("numpy", "dask", "cupy")
        return None
    except pr.UnknownResultError:
        assert (library_of(get_system(system)), name) in OPEN or system in ("dask", "cupy")
        return None
    except TypeError as error:  # NumPy's own, for dtypes that these functions do not support
        assert name in OF_INTEGERS or (system == "cupy" and name in OF_REALS)
        return error


def their_array(system: str, dtype: type[Shaped], data: Any) -> Any:
    """An array of the library whose rules the system has."""
    if system == "numpy":
        return values(dtype, data)
    if system == "dask":
        return imported("dask").array.from_array(values(dtype, data), chunks=-1)
    if system == "array-api":
        xp = imported("array_api_strict")
        return xp.astype(xp.asarray(data), getattr(xp, dtype.name))
    if system == "torch":
        torch = imported("torch")
        return torch.tensor(data).to(getattr(torch, dtype.name))
    jnp = imported("jax").numpy
    if dtype.weak:
        return jnp.broadcast_to(jnp.asarray({"i": 1, "f": 1.0, "c": 1j}[dtype.kind]), np.shape(data))
    return jnp.asarray(values(dtype, data))


def their_dtype(result: Any) -> str:
    """The dtype of a library's array, by its name in the rules."""
    name = str(result.dtype).rpartition(".")[2]
    weak = getattr(result, "weak_type", False) and name != "bool"  # weak bools promote as bools
    return name + "*" if weak else name


def _only_on_cuda(name: str, dtypes: tuple[type[Shaped], ...]) -> bool:
    """Whether PyTorch computes it on a GPU, and rejects it on the CPU for another reason than a missing kernel."""
    return (name.startswith("fft.") and dt.float16 in dtypes) or (
        name in ("nansum", "nanmean") and dtypes[0].kind == "c"
    )


def _numbers(result: Any) -> Any:
    if type(result).__module__ == "torch":
        result = result.resolve_conj().to(imported("torch").complex128)
    return np.asarray(result).astype(complex)


class Comparison:
    """The results of a system's namespace and of its library for the same calls."""

    def __init__(self, system: str) -> None:
        self.system = system
        self.seen: Counter[str] = Counter()
        """How many dtypes and values were compared, how many calls both rejected, ..."""
        self.wrong: list[str] = []

    def compare(
        self, name: str, function: Function, dtypes: tuple[type[Shaped], ...], call: Callable[[list[Any]], Any]
    ) -> None:
        """One call; values where the library computed them."""
        result = executed(self.system, name, function, dtypes)
        expected: Any
        try:
            expected = call([their_array(self.system, dtype, shape(name)) for dtype in dtypes])
        except NotImplementedError:  # PyTorch has no kernel for the wide unsigned integers
            self.seen["no kernel"] += 1
            return
        except Exception as error:  # the library's own kinds of errors
            expected = error
        if expected is NotImplemented:  # of Dask
            expected = TypeError("no loop")
        told = f"{name}({', '.join(dtype.name for dtype in dtypes)}): {result!r:.90}, and theirs {expected!r:.90}"
        if self.system == "torch" and isinstance(expected, RuntimeError) and _only_on_cuda(name, dtypes):
            self.seen["no kernel"] += 1
        elif isinstance(expected, Exception) or isinstance(result, Exception):
            self._refused(name, told, result, expected)
        elif result is not None:
            for one, other in zip(parts(result), parts(expected), strict=True):
                self._compared(name, told, dtypes, one, other)

    def _refused(self, name: str, told: str, result: Any, expected: Any) -> None:
        if isinstance(expected, Exception) and isinstance(result, Exception):
            self.seen["refused"] += 1
        elif self.system == "array-api" and isinstance(result, pr.PromotionError):
            self.seen["undefined"] += 1  # by the standard, and computed by the library
        elif (self.system, name) not in DIFFERENCES:
            self.wrong.append(told)

    def _compared(self, name: str, told: str, dtypes: tuple[type[Shaped], ...], one: Any, other: Any) -> None:
        dtype = one._type.dtype
        theirs = their_dtype(other)
        if (self.system, name) in OF_ONE_CHUNK:
            return
        if dtype.name != (theirs.removesuffix("*") if name in WEAK_BY_SHAPE else theirs):
            self.wrong.append(told)
        self.seen["dtype"] += 1
        abstract = self.system == "dask" or not hasattr(other, "__array__")
        if name in NOT_COMPARED or abstract or any(each.weak for each in dtypes):
            return
        tolerance = max(TOLERANCE.get(each.name, 1e-5) for each in (*dtypes, dtype))
        if not np.allclose(_numbers(one), _numbers(other), tolerance, tolerance, equal_nan=True):
            self.wrong.append(told)
        self.seen["values"] += 1
