"""Operations that `torch.autocast` may affect: in its region they have other dtypes, or run only there.

Measured with PyTorch 2.13, and 2.11 on CUDA: tests/rules/functions/torch/test_autocast.py runs every function of the
registry in a region. It searches the operations that each runs for names in PyTorch's own lists for CPU and
CUDA.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_mypy.rules import dtypes as dt

_MODULES: Final = ("nn.functional.", "linalg.", "fft.", "special.", "utils.data.")
_FUNCTIONS: Final = (
    "acos addbmm addcdiv addcmul addmm addmv addr arccos arcsin arctan2 asin atan2 baddbmm bmm cartesian_prod cat"
    " cdist cholesky cholesky_inverse column_stack combinations complex corrcoef cosh cov cross cumprod cumsum dot"
    " dstack einsum equal erfinv exp expm1 float_power from_numpy frombuffer geqrf hstack imag index_copy index_put"
    " inner inverse is_nonzero is_tensor ldexp log log10 log1p log2 log_softmax logsumexp matmul mm mv mvlgamma"
    " nanmean nanquantile norm pinverse polar pow prod qr quantile reciprocal roll row_stack rsqrt scatter_add"
    " sinh softmax square stack sum svd tan tensordot trace triangular_solve vdot view_as_complex"
    " view_as_real vstack trapezoid trapz cumulative_trapezoid gradient dist renorm stft istft lu_solve cholesky_solve"
    " orgqr vander fake_quantize_per_tensor_affine _int_mm nn.utils.parameters_to_vector amp.GradScaler.scale"
)
_TOUCHED: Final = frozenset(_FUNCTIONS.split())

#: Methods of operators: a number divided by a tensor is computed as the reciprocal times the number.
OPERATORS: Final = frozenset({"__matmul__", "__rmatmul__", "__pow__", "__rpow__", "__rtruediv__"})


#: The names of the dtypes that a region of the CPU casts to.
LOW: Final[Mapping[str, type[dt.Shaped]]] = MappingProxyType(
    {"bfloat16": dt.bfloat16, "float16": dt.float16, "half": dt.float16}
)


def touches(name: str) -> bool:
    """Whether autocast may change what the function or method of PyTorch of that name returns.

    A function that writes into its tensor (`x.exp_()`) keeps the dtype of that tensor everywhere.
    """
    return name in _TOUCHED or name.startswith(_MODULES)
