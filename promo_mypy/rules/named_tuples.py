"""The named tuples that functions of torch.linalg and TensorFlow return, and that the libraries' types do not have.

Source: PyTorch 2.13, TensorFlow 2.21.

mypy reads the fields of a result from these classes.
"""

from typing import Any, NamedTuple


class linalg_cholesky_ex(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_cholesky_ex`."""

    L: Any
    info: Any


class linalg_eig(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_eig`."""

    eigenvalues: Any
    eigenvectors: Any


class linalg_eigh(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_eigh`."""

    eigenvalues: Any
    eigenvectors: Any


class linalg_inv_ex(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_inv_ex`."""

    inverse: Any
    info: Any


class linalg_ldl_factor(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_ldl_factor`."""

    LD: Any
    pivots: Any


class linalg_ldl_factor_ex(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_ldl_factor_ex`."""

    LD: Any
    pivots: Any
    info: Any


class linalg_lstsq(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_lstsq`."""

    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


class linalg_lu(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_lu`."""

    P: Any
    L: Any
    U: Any


class linalg_lu_factor(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_lu_factor`."""

    LU: Any
    pivots: Any


class linalg_lu_factor_ex(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_lu_factor_ex`."""

    LU: Any
    pivots: Any
    info: Any


class linalg_qr(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_qr`."""

    Q: Any
    R: Any


class linalg_slogdet(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_slogdet`."""

    sign: Any
    logabsdet: Any


class linalg_solve_ex(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_solve_ex`."""

    result: Any
    info: Any


class linalg_svd(NamedTuple):  # noqa: N801 (as PyTorch names it)
    """`torch.return_types.linalg_svd`."""

    U: Any
    S: Any
    Vh: Any


class TopKV2(NamedTuple):
    """The result of `tf.math.top_k`."""

    values: Any
    indices: Any


class Unique(NamedTuple):
    """The result of `tf.unique`."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """The result of `tf.unique_with_counts`."""

    y: Any
    idx: Any
    count: Any


class Qr(NamedTuple):
    """The result of `tf.linalg.qr`."""

    q: Any
    r: Any


class LogMatrixDeterminant(NamedTuple):
    """The result of `tf.linalg.slogdet`."""

    sign: Any
    log_abs_determinant: Any
