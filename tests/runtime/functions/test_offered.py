"""Namespaces offer every row of the registry of functions, or list it with a reason."""

from contextlib import nullcontext
from fnmatch import fnmatchcase
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.functions import LIBRARY_NAMES, library
from promo_runtime.functions.definitions import has_row
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.functions.spellings import INSPECTING, SPELLINGS
from tests.needed import imported
from tests.runtime.functions.not_offered import LIBRARIES, NOT_OFFERED

#: Functions of the library that its namespace offers, and functions that it does not offer.
COUNTS = {
    "numpy": (331, 280), "jax": (345, 26), "torch": (216, 348), "dask": (240, 144), "cupy": (309, 100),
    "array_api_strict": (174, 0),
}  # fmt: skip
#: Rules for arrays of other libraries, which no namespace computes with.
WITHOUT_NAMESPACES = {"einops", "opt_einsum", "paddle", "tensorflow"}


def has(space: Any, name: str) -> bool:
    for part in name.split("."):
        space = getattr(space, part, None)
    return space is not None


def names(of: str) -> dict[str, bool]:
    """Function of the library -> whether its namespace has it."""
    system, prefix = LIBRARIES[of]
    below = (name.removeprefix(prefix) for name in library(of).functions if name.startswith(prefix))
    return {name: has(pr.namespace(system), name) for name in below}


def unexplained(of: str, missing: set[str]) -> tuple[set[str], set[str]]:
    """The names that no pattern explains, and the patterns that explain no name."""
    patterns = [pattern for listed in NOT_OFFERED[of].values() for pattern in listed.split()]
    assert len(patterns) == len(set(patterns))
    explained = {pattern: {name for name in missing if fnmatchcase(name, pattern)} for pattern in patterns}
    return missing - set().union(*explained.values()), {each for each in patterns if not explained[each]}


@pytest.mark.parametrize("of", LIBRARIES)
def test_every_function_is_offered_or_has_a_reason(of: str) -> None:
    found = names(of)
    missing = {name for name, offered in found.items() if not offered}
    assert unexplained(of, missing) == (set(), set())
    assert (len(found) - len(missing), len(missing)) == COUNTS[of]


def test_a_new_row_is_found() -> None:
    missing = {name for name, offered in names("numpy").items() if not offered}
    assert unexplained("numpy", {*missing, "news"}) == ({"news"}, set())
    assert unexplained("numpy", missing - {"copyto"}) == (set(), {"copyto"})
    assert {*LIBRARIES, *WITHOUT_NAMESPACES} == set(LIBRARY_NAMES)


@pytest.mark.parametrize("system", ["numpy", "jax", "dask", "torch"])
def test_other_spellings_are_the_same_functions(system: str) -> None:
    space = pr.namespace(system)
    for name, standard in SPELLINGS.items():
        if has_row(space.system, name) and name != "array":
            assert getattr(space, name) == getattr(space, standard)
            assert name in dir(space)
    assert not hasattr(pr.namespace("array-api"), "arctan2")
    x = pr.asarray([1.5, -2.5], system="jax")
    of_arrays = x.__array_namespace__()
    assert repr(of_arrays.arctan2(x, 2)) == repr(of_arrays.atan2(x, 2))
    assert of_arrays.array([1, 2]).weak is of_arrays.identity(2).weak is False
    assert of_arrays.array(1).weak


def test_array_copies() -> None:
    x = np.ones(2, np.float32)
    made = pr.namespace("jax").array(x)
    made[0] = 5
    assert x.tolist() == [1, 1]
    assert pr.namespace("numpy").asanyarray(x) is x


def test_functions_that_inspect_arrays() -> None:
    space, x = pr.namespace("jax"), pr.asarray(np.ones((2, 3), np.complex64), system="jax")
    found = [getattr(space, name)(x) for name in sorted(INSPECTING)]
    assert found == [True, False, False, 2, 6]
    assert [space.ndim(1.5), space.isscalar(1.5)] == [0, True]
    assert not hasattr(pr.namespace("tensorflow"), "ndim")


def test_comparisons_of_whole_arrays() -> None:
    one, other = np.array([1, 2], np.int8), np.array([1, 2], np.float32)
    for system in ("numpy", "jax", "dask", "torch"):
        space = pr.namespace(system)
        left, right = pr.asarray(one, system=system), pr.asarray(other, system=system)
        for name in ("allclose", "array_equal", "array_equiv"):
            compare = getattr(space, name, None)
            if compare is not None and system != "torch":
                assert [bool(compare(one, other)), bool(compare(left, right + 1))] == [True, False]
    with pytest.raises(pr.PromotionError, match="allclose"):
        pr.namespace("torch").allclose(one, other)
    assert pr.namespace("jax").allclose(left := pr.asarray(one, system="jax"), left).dtype is pr.bool_


CREATING = {
    "tri": ((3,), (3, 2)), "indices": (((2, 3),),), "tril_indices": ((3,),), "triu_indices": ((3,),),
    "diag_indices": ((3,),), "bartlett": ((4,),), "blackman": ((4,),), "hamming": ((4,),), "hanning": ((4,),),
    "kaiser": ((4, 2.0),), "logspace": ((0, 2, 3), (0.5, 2.0, 3)), "geomspace": ((1, 4, 3), (1.0, 8.0, 4)),
}  # fmt: skip


#: System, function and dtype that JAX 0.10 and 0.11 create differently.
VERSIONS_DIFFER = ("jax", "tri", None)


def test_each_function_that_creates_is_measured() -> None:
    assert {name for name, function in FUNCTIONS.items() if not function.arrays} == set(CREATING)


@pytest.mark.parametrize("name", CREATING)
@pytest.mark.parametrize("system", ["numpy", "jax", "jax-x32", "dask", "torch"])
def test_created_arrays_are_those_of_the_library(system: str, name: str) -> None:
    library_name = {"jax": "jax.numpy", "jax-x32": "jax.numpy", "dask": "dask.array"}.get(system, system)
    module = imported(library_name)
    space = pr.namespace(system)
    if not hasattr(space, name):
        assert not has_row(space.system, name) or name in " ".join(NOT_OFFERED[system].values())
        return
    dtypes = [None, "int32", "float32"] if name in ("tri", "indices", "logspace", "geomspace") else [None]
    for arguments in CREATING[name]:
        for dtype in dtypes:
            options = {} if dtype is None else {"dtype": dtype}
            given = {} if dtype is None else {"dtype": getattr(module, dtype)}
            with _x64(system):
                expected = getattr(module, name)(*arguments, **given)
            if (system, name, dtype) == VERSIONS_DIFFER:
                with pytest.raises(pr.UnknownResultError, match="version"):
                    getattr(space, name)(*arguments)
                continue
            ours = getattr(space, name)(*arguments, **options)
            wrapped = getattr(pr.asarray([1], system=system).__array_namespace__(), name)(*arguments, **options)
            for one, two, three in zip(_several(ours), _several(wrapped), _several(expected), strict=True):
                assert one.dtype.name == two.dtype.name == str(three.dtype).removeprefix("torch.")
                np.testing.assert_allclose(one, np.asarray(three), 1e-5, 1e-7)
                assert isinstance(two, pr.Array)


def _several(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, tuple | list) else (result,)


def _x64(system: str) -> Any:
    return import_module("jax").enable_x64(system == "jax") if system.startswith("jax") else nullcontext()


def test_created_arrays_are_of_the_backend_in_use() -> None:
    dask = imported("dask.array")
    with pr.backend("dask"):
        assert isinstance(pr.namespace("numpy").tri(3), dask.Array)
    assert isinstance(pr.namespace("numpy").tri(3), np.ndarray)


def test_select_is_jaxs_and_numpys() -> None:
    jnp = imported("jax.numpy")
    condition, small, floats = np.array([True, False, False]), np.array([1, 2, 3], np.int8), np.ones(3, np.float32)
    cases: list[tuple[list[Any], tuple[Any, ...]]] = [
        ([small, floats], ()), ([small, small], (300,)), ([small, small], (1.5,)), ([floats, small], (True,)),
        ([floats, floats.astype(np.float16)], (small.astype(np.uint8),)),
    ]  # fmt: skip
    for system, library_of in (("numpy", np), ("jax-x32", jnp)):
        for choices, default in cases:
            with _x64(system):
                theirs = library_of.select(
                    [library_of.asarray(condition), library_of.asarray(~condition)],
                    [library_of.asarray(each) for each in choices],
                    *(library_of.asarray(each) if isinstance(each, np.ndarray) else each for each in default),
                )
            space = pr.namespace(system)
            ours = space.select([condition, ~condition], choices, *default)
            wrapped = space.select([condition, ~condition], [pr.asarray(each, system=system) for each in choices])
            assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist())
            assert isinstance(wrapped, pr.Array)
    assert pr.namespace("jax").select([condition], [pr.asarray(1, system="jax")]).weak
    with pytest.raises(TypeError, match="must be bool"):
        pr.namespace("jax").select([small], [small])
    with pytest.raises(ValueError, match="as many conditions as choices: 1 and 2"):
        pr.namespace("jax").select([condition], [small, small])


@pytest.mark.parametrize("system", ["numpy", "jax", "dask"])
def test_flags_of_unique_decide_the_number_of_results(system: str) -> None:
    library_of: Any = imported({"jax": "jax.numpy", "dask": "dask.array"}.get(system, system))
    x = np.array([3, 1, 3], np.int8)
    for flags in product([False, True], repeat=3):
        options = dict(zip(("return_index", "return_inverse", "return_counts"), flags, strict=True))
        with _x64(system):
            expected = _several(library_of.unique(library_of.asarray(x), **options))
        found = _several(pr.namespace(system).unique(pr.asarray(x, system=system), **options))
        assert [each.dtype.name for each in found] == [each.dtype.name for each in expected]
        assert [each.tolist() for each in found] == [np.asarray(each).tolist() for each in expected]


def test_an_int_out_of_range_is_inserted_as_by_the_library() -> None:
    jnp = imported("jax.numpy")
    small = np.array([1, 2], np.int8)
    assert pr.namespace("jax-x32").insert(small, 0, 300).tolist() == jnp.insert(jnp.asarray(small), 0, 300).tolist()
    with pytest.raises(OverflowError):
        np.insert(small, 0, 300)  # type: ignore[promo-overflow] # the error that it raises for
    with pytest.raises(OverflowError):
        pr.namespace("numpy").insert(small, 0, 300)
