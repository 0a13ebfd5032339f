"""Give the libraries' own subclasses of Tensor a dtype, and PyTorch's a rank.

`Float32[nn.Parameter, "n"]` is `Parameter[float32]`, `tf.Variable(tf.zeros(3))` is `Variable[float32]`.
"""

from typing import Final

from mypy.plugin import ClassDefContext
from mypy.types import Instance

from promo_mypy.plugin import names
from promo_mypy.plugin.types import generic_arrays

_TENSORS: Final = (names.TORCH_TENSOR, names.TENSORFLOW_TENSOR)


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class the parameters of Tensor, and pass them on to Tensor."""
    generic_arrays.make_generic(ctx)
    info = ctx.cls.info
    # mypy computes the bases anew each time it analyses the class.
    info.bases = [
        Instance(base.type, list(ctx.cls.type_vars)) if base.type.fullname in _TENSORS else base for base in info.bases
    ]
