"""Methods of `Array`, and NumPy's functions called on one, are the functions of its namespace."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr

SYSTEMS = ("numpy", "jax", "jax-x32", "torch")
Made = pr.Array[Any]

#: Method -> (its call, the same in the namespace).
METHODS: dict[str, tuple[Callable[[Made], Any], Callable[[Any, Made], Any]]] = {
    "sum": (lambda a: a.sum(0), lambda xp, a: xp.sum(a, axis=0)),
    "prod": (lambda a: a.prod(keepdims=True), lambda xp, a: xp.prod(a, keepdims=True)),
    "mean": (lambda a: a.mean((0, 1)), lambda xp, a: xp.mean(a, axis=(0, 1))),
    "std": (lambda a: a.std(0, correction=1), lambda xp, a: xp.std(a, axis=0, correction=1)),
    "var": (lambda a: a.var(), lambda xp, a: xp.var(a)),
    "max": (lambda a: a.max(1), lambda xp, a: xp.max(a, axis=1)),
    "min": (lambda a: a.min(), lambda xp, a: xp.min(a)),
    "all": (lambda a: a.all(0), lambda xp, a: xp.all(a, axis=0)),
    "any": (lambda a: a.any(), lambda xp, a: xp.any(a)),
    "argmax": (lambda a: a.argmax(0), lambda xp, a: xp.argmax(a, axis=0)),
    "argmin": (lambda a: a.argmin(), lambda xp, a: xp.argmin(a)),
    "argsort": (lambda a: a.argsort(descending=True), lambda xp, a: xp.argsort(a, descending=True)),
    "cumsum": (lambda a: a.cumsum(0), lambda xp, a: xp.cumsum(a, axis=0)),
    "cumprod": (lambda a: a.cumprod(1, "float64"), lambda xp, a: xp.cumprod(a, axis=1, dtype="float64")),
    "clip": (lambda a: a.clip(2, max=3), lambda xp, a: xp.clip(a, 2, 3)),
    "round": (lambda a: a.round(), lambda xp, a: xp.round(a)),
    "conj": (lambda a: a.conj(), lambda xp, a: xp.conj(a)),
    "real": (lambda a: a.real, lambda xp, a: xp.real(a)),
    "nonzero": (lambda a: a.nonzero()[1], lambda xp, a: xp.nonzero(a)[1]),
    "trace": (lambda a: a.trace(1), lambda xp, a: xp.linalg.trace(a, offset=1)),
    "take": (lambda a: a.take(np.array([1]), 0), lambda xp, a: xp.take(a, np.array([1]), axis=0)),
    "repeat": (lambda a: a.repeat(2, axis=1), lambda xp, a: xp.repeat(a, 2, axis=1)),
    "squeeze": (lambda a: a.squeeze(()), lambda xp, a: xp.squeeze(a, ())),
    "ravel": (lambda a: a.ravel(), lambda xp, a: xp.reshape(a, (-1,))),
    "searchsorted": (lambda a: a[0].searchsorted(a), lambda xp, a: xp.searchsorted(a[0], a)),
}


@pytest.mark.parametrize("method", METHODS)
def test_methods_are_the_functions_of_the_namespace(method: str) -> None:
    of_array, of_namespace = METHODS[method]
    for system in SYSTEMS:
        for dtype in (pr.float32, pr.int8, pr.bfloat16):
            if (system, method) in (("torch", "mean"), ("torch", "std"), ("torch", "var")) and dtype is pr.int8:
                continue
            a = pr.asarray([[1, 2], [3, 4]], dtype=dtype, system=system)
            one, other = of_array(a), of_namespace(pr.namespace(system), a)
            assert isinstance(one, pr.Array)
            assert one._type is other._type
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_weakness_is_kept_where_jax_keeps_it() -> None:
    xp = pr.namespace("jax")
    weak = xp.of_arrays.asarray(2)
    assert weak.weak
    assert (xp.sin(weak).weak, xp.sum(weak).weak, weak.cumsum().weak, xp.square(weak).weak) == (
        True,
        False,
        False,
        True,
    )
    assert (pr.asarray([1, 2], dtype="int8", system="jax").mean() * weak).dtype is pr.float32
    assert xp.of_arrays.full(2, 1.5).weak
    assert not xp.of_arrays.full(2, 1.5, dtype="float32").weak
    assert not xp.of_arrays.zeros(2).weak
    assert not xp.of_arrays.arange(2).weak


def test_a_method_without_a_rule_raises() -> None:
    with pytest.raises(AttributeError, match="the namespace of paddle has no sum"):
        pr.asarray([1.5], dtype="float32", system="paddle").sum()
    with pytest.raises(pr.PromotionError, match=r"mean\(int64\) under torch promotion"):
        pr.asarray([1, 2], system="torch").mean()


def test_numpys_functions_follow_the_system() -> None:
    a = pr.asarray([[1, 2], [3, 4]], dtype=pr.int32, system="jax")
    made: list[tuple[Any, str, Any]] = [
        (np.mean(a), "float32", 2.5),
        (np.sum(a, axis=0, keepdims=True), "int64", [[4, 6]]),
        (np.std(a, ddof=1, axis=1), "float32", None),
        (np.sin(a), "float32", None),
        (np.linalg.det(a), "float32", None),
        (np.fft.fft(a)[0], "complex64", [3, -1]),
        (np.isnan(a), "bool", None),
        (np.reshape(a, (4,)), "int32", [1, 2, 3, 4]),
        (np.clip(a, 2, 3), "int32", [[2, 2], [3, 3]]),
        (np.sort(a, axis=0), "int32", [[1, 2], [3, 4]]),
    ]
    for result, dtype, expected in made:
        assert isinstance(result, pr.Array)
        assert (result.dtype.name, result.system) == (dtype, "jax")
        assert expected is None or result.tolist() == expected
    with pytest.raises(TypeError, match=r"numpy\.sort does not accept kind with arrays under jax promotion"):
        np.sort(a, kind="stable")


def test_the_namespace_of_an_array_makes_arrays() -> None:
    a = pr.asarray([1, 2], dtype="int16", system="torch")
    xp = a.__array_namespace__(api_version="2025.12")
    assert xp == pr.asarray([1.5], system="torch").__array_namespace__()
    for made in (xp.ones(2), xp.asarray([1]), xp.full((2,), 3), xp.zeros_like(a), xp.fft.fftfreq(3), xp.arange(3)):
        assert isinstance(made, pr.Array)
        assert made.system == "torch"
    assert xp.ones(2).dtype is pr.float32
    assert xp.from_dlpack(np.ones(2, np.int8)).dtype is pr.int8
    assert a.to_device(a.device) is a
    with pytest.raises(ValueError, match="numpy has no device 'tpu'"):
        a.to_device("tpu")
    with pytest.raises(ValueError, match=r"no version '1999\.12'"):
        a.__array_namespace__(api_version="1999.12")
