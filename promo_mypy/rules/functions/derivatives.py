"""Dtypes with respect to which JAX, Equinox and PyTorch do not differentiate.

Measured with JAX 0.10, Equinox 0.13 and PyTorch 2.13: tests/plugin/transforms/test_derivatives.py executes every row
for every dtype.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules.records import record


@record
class Derivative:
    """A function that differentiates another one.

    Attributes:
        refused: the kinds of dtype with respect to which it raises.
        numbers: whether it takes Python numbers as arrays.
        every: whether it raises only if every leaf of the argument is of such a kind, or a Python number.
    """

    refused: str
    numbers: bool = True
    every: bool = False


_TENSORS: Final = Derivative("bui", numbers=False)
_REAL_TENSORS: Final = Derivative("buic", numbers=False)

#: Library and function, as a program names them -> its behaviour. `filter_grad` skips what it cannot differentiate.
DERIVATIVES: Final[Mapping[str, Derivative]] = MappingProxyType(
    {
        **dict.fromkeys(("jax.grad", "jax.value_and_grad", "jax.jacrev"), Derivative("bui")),
        **dict.fromkeys(("jax.jacfwd", "jax.hessian"), Derivative("buic")),
        "equinox.filter_jacrev": Derivative("bui", every=True),
        **dict.fromkeys(("equinox.filter_jacfwd", "equinox.filter_hessian"), Derivative("buic", every=True)),
        **dict.fromkeys(("torch.func.grad", "torch.func.grad_and_value"), _TENSORS),
        **dict.fromkeys(("torch.func.jacrev", "torch.func.jacfwd", "torch.func.hessian"), _REAL_TENSORS),
    }
)

#: The option with which JAX accepts integers.
ALLOW_INTEGERS: Final = "allow_int"
