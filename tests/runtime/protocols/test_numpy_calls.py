"""NumPy's own functions and ufuncs called on an `Array`: under NumPy's system they give the results for its data."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr

pytestmark = pytest.mark.filterwarnings("ignore")

#: Calls on a matrix M, a square one S, a vector V, whole numbers I, and bools T.
CALLS = (
    "np.shape(M)", "np.ndim(M)", "np.size(M)", "np.size(M, 0)", "np.iscomplexobj(M)", "np.isrealobj(M)",
    "np.array_equal(M, M)", "np.allclose(M, V)", "np.copy(M)", "np.zeros_like(M)", "np.ones_like(V)",
    "np.full_like(V, 2)", "np.where(T, V, 0)", "np.concatenate([M, M])", "np.concat([M, S[:, :3]], axis=1)",
    "np.concatenate((V, I), 0)", "np.stack([V, I])", "np.vstack([M, M])", "np.hstack([V, V])", "np.linalg.norm(M)",
    "np.linalg.norm(V, ord=2)", "np.linalg.norm(M, None, 1)", 'np.einsum("ij,j->i", M, V)', "np.dot(V, V)",
    "np.inner(V, V)", "np.outer(V, V)", "np.tensordot(M, V, axes=1)", "np.transpose(M)", "np.transpose(M, (1, 0))",
    "np.permute_dims(M, (1, 0))", "np.moveaxis(M, 0, 1)", "np.swapaxes(M, 0, 1)", "np.reshape(M, (4, 3))",
    "np.ravel(M)", "np.squeeze(M[:1])", "np.squeeze(M[:1], 0)", "np.expand_dims(M, 0)", "np.broadcast_to(V, (2, 4))",
    "np.broadcast_arrays(V, M)", "np.tile(V, 2)", "np.repeat(V, 2)", "np.repeat(M, 2, 1)", "np.roll(V, 1)",
    "np.flip(V)", "np.sort(V)", "np.argsort(V)", "np.argmax(M, 1)", "np.nonzero(V)", "np.count_nonzero(V)",
    "np.searchsorted(V, 2.0)", "np.unique_values(V)", "np.isin(V, I)", "np.cumsum(M, 0)", "np.cumprod(I)",
    "np.cumulative_sum(V)", "np.diff(V)", "np.clip(V, 1, 2)", "np.clip(V, max=2)", "np.clip(I, min=2)", "np.round(V)",
    "np.around(V)", "np.real(V)", "np.imag(V)", "np.std(V, ddof=1)", "np.var(M, axis=0)", "np.median(V)",
    "np.quantile(V, 0.5)", "np.quantile(V, [0.25, 0.5])", "np.percentile(V, 50, axis=0)", "np.mean(M, axis=0)",
    "np.sum(M, axis=0, keepdims=True)", "np.sum(I, 0, np.int8)", "np.max(M, 1)", "np.amax(M)", "np.amin(M, 0)",
    "np.any(T)", "np.all(T)", "np.prod(I)", "np.trace(S)", "np.diag(S)", "np.diagonal(S)", "np.tril(M)", "np.triu(M)",
    "np.kron(V, V)", "np.cross(V[:3], V[1:])", "np.linalg.inv(S)", "np.linalg.det(S)", "np.linalg.svd(S)[1]",
    "np.linalg.solve(S, V)", "np.linalg.matrix_power(S, 2)", "np.fft.fft(V)", "np.fft.rfft(V)", "np.meshgrid(V, I)",
    "np.take(V, [0, 1])", "np.take(M, [0, 1], 1)", "np.take_along_axis(V, np.array([0]), axis=0)", "np.append(V, V)",
    "np.convolve(V, V)", "np.isclose(V, I)", "np.nan_to_num(V)", "np.nansum(V)", "np.atleast_2d(V)", "np.vecdot(V, V)",
    "np.astype(V, np.int8)", "np.cov(M)", "np.unstack(M)", "np.matrix_transpose(M)", "np.may_share_memory(M, V)",
    "np.maximum(V, I)", "np.hypot(V, 1)", "np.modf(V)", "np.frexp(V)", "np.isnan(V)", "np.add.reduce(M)",
    "np.add.reduce(I)", "np.add.reduce(M, 1)", "np.add.reduce(T)", "np.add.reduce(I, dtype=np.int8)",
    "np.maximum.reduce(M, axis=None)", "np.minimum.reduce(M, keepdims=True)", "np.multiply.reduce(I)",
    "np.logical_and.reduce(M)", "np.logical_or.reduce(T)", "np.multiply.outer(V, M)", "np.less.outer(V, I)",
    "np.hypot.outer(V, V)", "np.add.accumulate(M)", "np.add.accumulate(I)", "np.multiply.accumulate(M, 1)",
)  # fmt: skip


def arrays() -> dict[str, Any]:
    """The arrays of these names."""
    return {
        "M": np.arange(12, dtype=np.float32).reshape(3, 4) - 4,
        "S": np.eye(4, dtype=np.float32) * 2 + 1,
        "V": np.arange(1, 5, dtype=np.float32),
        "I": np.arange(1, 5, dtype=np.int8),
        "T": np.array([True, False, True, True]),
    }


def parts(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


@pytest.mark.parametrize("text", CALLS)
def test_the_result_is_that_of_numpy(text: str) -> None:
    plain = arrays()
    if "S[:, :3]" in text:
        text = text.replace("S[:, :3]", "M")
    theirs = parts(eval(text, {"np": np, **plain}))
    ours = parts(eval(text, {"np": np, **{name: pr.asarray(x, system="numpy") for name, x in plain.items()}}))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        if hasattr(other, "dtype"):
            assert isinstance(one, pr.Array)
            assert np.asarray(one).dtype == other.dtype
            np.testing.assert_allclose(np.asarray(one), other, 1e-5)
        else:
            assert one == other


def test_the_system_of_the_array_decides() -> None:
    x: Any
    i: Any
    x, i = (pr.asarray(np.arange(1, 4, dtype=dtype), system="jax-x32") for dtype in (np.float32, np.int32))
    results = (
        np.add(x, i), np.where(x > 1, x, i), np.concatenate([i, x]), np.stack([x, i]), np.add.outer(i, x), np.mean(i),
    )  # fmt: skip
    assert {each.dtype for each in results} == {pr.float32}
    assert np.add.reduce(pr.asarray([True, True], system="jax-x32")).dtype is pr.int32
    half: Any = pr.asarray(np.ones(2, ml_dtypes.bfloat16), system="torch")
    norm: Any = np.linalg.norm(half)  # NumPy's stubs declare a scalar of NumPy, whatever the argument is
    assert np.multiply.outer(half, half).dtype is norm.dtype is pr.bfloat16
    with pytest.raises(pr.PromotionError):
        np.concatenate([pr.asarray(np.ones(2, dtype), system="jax-strict") for dtype in (np.int32, np.float32)])
    with pytest.raises(TypeError, match="immutable"):
        np.copyto(x, 1)
    target: Any = pr.asarray([1.0, 2.0], system="numpy")
    np.copyto(target, pr.asarray([3.0, 4.0], system="numpy"))
    assert target.tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("np.add.at(x, [0], 1)", "no rule of jax promotion states the dtype of numpy.add.at"),
        ("np.maximum.accumulate(x)", "no rule of jax promotion states the dtype of numpy.maximum.accumulate"),
        ("np.sum(x, where=True)", "numpy.sum does not accept where with arrays under jax promotion"),
        ("np.sin(x, dtype=float)", "numpy.sin does not accept dtype with arrays under jax promotion"),
        (
            "np.block([x, x])",
            'numpy.block does not follow jax promotion: use promo_runtime.namespaces.namespace\\("jax"\\)',
        ),
    ],
)
def test_calls_without_a_rule_name_a_remedy(text: str, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        eval(text, {"np": np, "x": pr.asarray([1.0, 2.0], system="jax")})
