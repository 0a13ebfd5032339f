"""Signatures: text to parameters, arguments to parameters, and the parameter names of the real libraries."""

import inspect
from operator import attrgetter

import numpy as np
import pytest

from promo_mypy.rules.functions import find, library
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Arguments, Items, Value
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.operands import Operand
from tests.needed import imported

X, Y = Operand.of("float32"), Operand.of("int8")


def bound(text: str, arguments: Arguments) -> dict[str, object] | None:
    found = signature(text).bind(arguments)
    return None if found is None else dict(found)


def test_arguments_find_their_parameters() -> None:
    text = "a, /, axis=None, *, out=..."
    assert bound(text, Arguments.of(X)) == {"a": X, "axis": Value(None), "out": UNKNOWN}
    assert bound(text, Arguments.of(X, Value(0), out=Y)) == {"a": X, "axis": Value(0), "out": Y}


@pytest.mark.parametrize(
    "arguments",
    [
        Arguments.of(),
        Arguments.of(a=X),
        Arguments.of(X, Value(0), Y),
        Arguments.of(X, Value(0), axis=Value(1)),
        Arguments.of(X, like=Y),
    ],
    ids=["missing", "positional only", "too many", "twice", "no such name"],
)
def test_arguments_that_do_not_fit(arguments: Arguments) -> None:
    assert bound("a, /, axis=None, *, out=None", arguments) is None


def test_any_number_of_arguments() -> None:
    assert bound("*arrays", Arguments.of(X, Y)) == {"arrays": Items((X, Y))}
    assert bound("*arrays", Arguments.of(Items((X, Y)))) == {"arrays": Items((X, Y))}
    assert bound("x, pattern, **axes", Arguments.of(X, Value("b n"), n=Value(3))) == {"x": X, "pattern": Value("b n")}


#: Private parameters of JAX, and parameters of `**kwargs` that are written out.
HIDDEN = {"out_sharding", "accuracy", "sharding", "wrap_negative_indices", "allow_negative_indices"}


#: Positional only, so that their names do not matter; Dask's full ignores its further arguments.
RENAMED = {f"numpy.{name}" for name in ("complex64", "complex128", "csingle", "cdouble", "clongdouble")}
RENAMED |= {"dask.array.full"}


def differing(name: str, prefix: str, module: object) -> str:
    row = library(name).functions[prefix]
    try:
        real = inspect.signature(attrgetter(prefix)(module))
    except (AttributeError, ValueError, TypeError):
        return ""
    kinds = inspect.Parameter
    theirs = [p for p in real.parameters.values() if p.name not in HIDDEN and p.kind != kinds.VAR_KEYWORD]
    if not theirs or theirs[0].kind == kinds.VAR_POSITIONAL or "subscripts" in row.signature:
        return ""
    if row.full_name in RENAMED:
        return ""
    ours = {p.name: p for p in signature(row.signature).parameters}
    order = [p.name for p in theirs if p.kind != kinds.KEYWORD_ONLY]
    missing = [p.name for p in theirs if p.name not in ours]
    positional = [p.name for p in ours.values() if p.positional or p.several]
    return "" if positional == order and not missing else f"{prefix}: {list(ours)} but {[p.name for p in theirs]}"


def test_numpy_has_these_parameters() -> None:
    names = [name for name in library("numpy").functions if not name.startswith(("random.Generator", "random.RandomS"))]
    assert [text for name in names if (text := differing("numpy", name, np))] == []


def test_jax_has_these_parameters() -> None:
    jax = imported("jax")
    imported("jax.scipy.signal")
    imported("jax.scipy.linalg")
    assert [text for name in library("jax").functions if (text := differing("jax", name, jax))] == []


def test_dask_has_these_parameters() -> None:
    dask = imported("dask")
    imported("dask.array.random")
    names = [name for name in library("dask").functions if ".random." not in name]
    assert [text for name in names if (text := differing("dask", name, dask))] == []


def test_array_api_strict_has_these_parameters() -> None:
    strict = imported("array_api_strict")
    names = library("array_api_strict").functions
    assert [text for name in names if (text := differing("array_api_strict", name, strict))] == []


def test_a_parameter_may_have_another_name_in_the_rule() -> None:
    assert bound("x: a, *, keep: other=None", Arguments.of(x=X)) == {"a": X, "other": Value(None)}
    assert bound("x: a", Arguments.of(a=X)) is None


def test_names_are_found() -> None:
    names = (
        "numpy.sum numpy.ndarray.sum jax.numpy.sum jax.Array.sum torch.sum torch.Tensor.sum dask.array.sum"
        " dask.array.Array.sum array_api_strict.sum array_api_strict.Array.T tensorflow.reduce_sum"
        " tensorflow.math.reduce_sum paddle.sum paddle.Tensor.sum"
    )
    for name in names.split():
        assert find(name) is not None, name
    assert find("numpy.amax") is find("numpy.max") is find("numpy.ndarray.max")
    assert find("numpy.no_such_function") is None
    assert find("no_such_library.sum") is None
