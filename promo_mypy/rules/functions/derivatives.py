"""Dtypes with respect to which JAX, Equinox and PyTorch do not differentiate, and those of results that they reject.

Measured with JAX 0.10, Equinox 0.13 and PyTorch 2.13: tests/plugin/transforms/test_derivatives.py executes every row
for every dtype.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.records import record


@record
class Derivative:
    """A function that differentiates another one.

    Attributes:
        refused: the kinds of dtype with respect to which it raises.
        results: the kinds of dtype of the function's result for which it raises.
        numbers: whether it takes Python numbers as arrays.
        every: whether it raises only if every leaf of the argument is of such a kind, or a Python number.
    """

    refused: str
    results: str
    numbers: bool = True
    every: bool = False


#: Library and function, as a program names them -> its behaviour. `filter_grad` skips what it cannot differentiate.
DERIVATIVES: Final[Mapping[str, Derivative]] = MappingProxyType(
    {
        **dict.fromkeys(("jax.grad", "jax.value_and_grad", "jax.jacrev"), Derivative("bui", "buic")),
        "jax.jacfwd": Derivative("buic", "b"),
        "jax.hessian": Derivative("buic", "buic"),
        **dict.fromkeys(
            ("equinox.filter_grad", "equinox.filter_value_and_grad"), Derivative("", "buic", numbers=False, every=True)
        ),
        "equinox.filter_jacrev": Derivative("bui", "buic", every=True),
        "equinox.filter_jacfwd": Derivative("buic", "b", every=True),
        "equinox.filter_hessian": Derivative("buic", "buic", every=True),
        **dict.fromkeys(("torch.func.grad", "torch.func.grad_and_value"), Derivative("bui", "c", numbers=False)),
        **dict.fromkeys(("torch.func.jacrev", "torch.func.hessian"), Derivative("buic", "buic", numbers=False)),
        "torch.func.jacfwd": Derivative("buic", "c", numbers=False),
    }
)


def takes_tangent(primal: type[dt.Shaped], tangent: type[dt.Shaped]) -> bool:
    """Whether `jax.jvp` accepts a tangent of that dtype. Integers and bools accept only float0."""
    return primal.kind in "fc" and primal.strong is tangent.strong


#: The option with which JAX accepts integers.
ALLOW_INTEGERS: Final = "allow_int"
#: The option for functions that return a pair: only the first value is differentiated.
AUXILIARY: Final = "has_aux"
#: The option with which JAX differentiates complex functions.
HOLOMORPHIC: Final = "holomorphic"
