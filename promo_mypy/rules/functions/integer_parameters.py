"""The parameters of functions that take nothing but integers: sizes, axes, lengths, repeats. A float is a TypeError.

A float with a whole value is rejected, too: `np.zeros(np.ceil(n / 2))`, `x[: n / 2]`. Some functions truncate instead,
such as `np.roll` and `np.array_split`; they are not listed. Source: running NumPy 2.4, JAX 0.10 and PyTorch 2.13.
tests/rules/functions/test_integer_parameters.py calls each function with an integer and with a float.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature

#: Libraries whose arrays reject floats as ends and steps of slices.
SLICED: Final = frozenset({"numpy", "jax", "torch"})

_CREATION: Final = "zeros ones empty full zeros_like ones_like empty_like full_like"
_CREATED: Final = " ".join(f"numpy.{name}" for name in _CREATION.split())
_DRAWN: Final = (
    "random.uniform random.normal random.exponential random.laplace random.gumbel random.truncated_normal"
    " random.bernoulli random.randint random.bits"
)
_SAMPLED: Final = " ".join(
    f"random.{owner}{name}"
    for owner in ("", "RandomState.", "Generator.")
    for name in ("normal", "uniform", "exponential", "poisson", "binomial", "choice", "standard_normal", "random")
)
_TRANSFORMS: Final = "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft"

_REDUCED: Final = "sum mean max min prod any all argmax argmin std var"

#: Library -> parameter -> the functions in which it takes integers.
_FUNCTIONS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "numpy": {
            "shape": f"reshape broadcast_to {_CREATION}",
            "new_shape": "resize",
            "size": _SAMPLED,
            "num": "linspace logspace geomspace",
            "N": "eye",
            "M": "eye",
            "k": "diag eye",
            "n": f"diff identity linalg.matrix_power {_TRANSFORMS}",
            "axis": f"{_REDUCED} cumsum concatenate stack expand_dims squeeze sort argsort take repeat diff median",
            "axes": "transpose",
            "axis1": "swapaxes diagonal",
            "axis2": "swapaxes diagonal",
            "offset": "diagonal trace",
            "source": "moveaxis",
            "destination": "moveaxis",
            "obj": "insert",
            "kth": "partition argpartition",
            "minlength": "bincount",
            "pad_width": "pad",
            "reps": "tile",
            "dimensions": "indices",
        },
        "jax": {
            "shape": f"numpy.reshape numpy.broadcast_to lax.full lax.broadcasted_iota image.resize {_CREATED} {_DRAWN}",
            "args": "reshape",
            "num": "numpy.linspace numpy.logspace numpy.geomspace",
            "N": "numpy.eye numpy.tri",
            "M": "numpy.eye numpy.tri",
            "k": "numpy.eye numpy.tri",
            "n": "numpy.identity",
            "repeats": "numpy.repeat",
            "total_repeat_length": "numpy.repeat",
            "num_classes": "nn.one_hot",
            "num_segments": "ops.segment_sum ops.segment_prod ops.segment_max ops.segment_min",
        },
        "torch": {
            "size": "zeros ones empty rand randn full randint normal broadcast_to new_zeros new_ones new_empty",
            "shape": "reshape",
            "args": "reshape view expand repeat permute",
            "dims": "tile permute flip",
            "sizes": "unflatten",
            "steps": "linspace logspace",
            "n": f"eye randperm diff {_TRANSFORMS}",
            "k": "topk kthvalue",
            "length": "narrow",
            "chunks": "chunk",
            "shifts": "roll",
            "diagonal": "diag tril triu",
            "num_samples": "multinomial",
            "dim": "sum mean max min argmax argmin softmax cat stack squeeze unsqueeze topk sort",
        },
    }
)

#: Parameters for which JAX's types accept a Python float. Elsewhere mypy itself reports it.
UNTYPED: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "args": frozenset({"reshape"}),
        "shape": frozenset(
            f"{_CREATED} numpy.reshape numpy.broadcast_to lax.full lax.broadcasted_iota image.resize".split()
        ),
        "repeats": frozenset({"numpy.repeat"}),
        "n": frozenset({"numpy.identity"}),
        **dict.fromkeys("NMk", frozenset({"numpy.eye"})),
    }
)


#: Names of parameters for messages.
_NAMED: Final = {"args": "shape"}


@cache
def integer_parameters(row: Row) -> frozenset[str]:
    """The parameters of a function that take nothing but integers, or sequences of them."""
    table = _FUNCTIONS.get(row.library, {})
    return frozenset(
        parameter.name
        for parameter in signature(row.signature).parameters
        if row.name in table.get(parameter.name, "").split()
    )


def reason(library: str, given: str, parameter: str) -> str:
    """Why a call fails: the library, the dtype of the argument, and its parameter, or "" for the end of a slice."""
    place = f"for `{_NAMED.get(parameter, parameter)}`" if parameter else "as ends of slices"
    return f"{library} takes only integers {place}, not {given}"


REMEDY: Final = "divide by //, or convert it with int(...)"
