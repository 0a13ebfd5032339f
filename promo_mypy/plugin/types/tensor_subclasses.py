"""Give the libraries' own subclasses of Tensor a dtype, and PyTorch's a rank.

`Float32[nn.Parameter, "n"]` is `Parameter[float32]`, `tf.Variable(tf.zeros(3))` is `Variable[float32]`, and
`torch.LongTensor` is a `Tensor[int64]`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from mypy.plugin import ClassDefContext
from mypy.types import AnyType, Instance, Type, TypeOfAny

from promo_mypy.plugin import names
from promo_mypy.plugin.types import generic_arrays
from promo_mypy.plugin.types.dtype_classes import instance_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import TORCH_CLASSES

_TENSORS: Final = (names.TORCH_TENSOR, names.TENSORFLOW_TENSOR)


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class the parameters of Tensor, and pass them on to Tensor."""
    generic_arrays.make_generic(ctx)
    _pass_on(ctx, list(ctx.cls.type_vars))


def fix_dtype(ctx: ClassDefContext, dtype: type[dt.Shaped]) -> None:
    """Give a class of tensors of one dtype, `torch.LongTensor`, that dtype."""
    _pass_on(ctx, [instance_of(dtype, ctx), AnyType(TypeOfAny.special_form)])


def _pass_on(ctx: ClassDefContext, arguments: Sequence[Type]) -> None:
    info = ctx.cls.info
    # mypy computes the bases anew each time it analyses the class.
    info.bases = [Instance(base.type, arguments) if base.type.fullname in _TENSORS else base for base in info.bases]


OF_ONE_DTYPE: Final = {f"torch._C.{name}": dtype for name, dtype in TORCH_CLASSES.items()}
"""Name of a class of tensors of one dtype -> the dtype."""
CLASSES: Final[Mapping[str, Callable[[ClassDefContext], None]]] = {
    **dict.fromkeys(names.RANKED_SUBCLASSES, make_generic),
    **{name: partial(fix_dtype, dtype=dtype) for name, dtype in OF_ONE_DTYPE.items()},
}
"""Name of a class of PyTorch -> the function that changes its definition."""
