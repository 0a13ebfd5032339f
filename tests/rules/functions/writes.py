"""Write values of every dtype into arrays of every dtype: what the libraries do, and what the rules say."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from promo_mypy.rules.functions import find, resolve_call
from promo_mypy.rules.functions.language.arguments import OTHER, Argument, Arguments, Items, Value
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.systems import get_system

NUMBERS: Final[Mapping[str, object]] = {"py_bool": True, "py_int": 1, "py_float": 1.5, "py_complex": 1j}
DTYPES: Final = (
    "bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip

_MASK: Final = Operand.of("bool")
_INTS: Final = Operand.of("int64")
_ONE: Final = Operand.of("int64", Form.ZERO_D)
_LIST: Final = Items((Value(0), Value(1), Value(2)))
_TRUE: Final = Items((Value(True), Value(True), Value(True)))

#: An assignment -> the parts of its index.
ASSIGNMENTS: Final[Mapping[str, tuple[Argument, ...]]] = {
    "x[0] = v": (Value(0),),
    "x[0:3] = v": (OTHER,),
    "x[...] = v": (OTHER,),
    "x[None] = v": (Value(None),),
    "x[one] = v": (_ONE,),
    "x[0, 0:3] = v": (Value(0), OTHER),
    "x[[0, 1, 2]] = v": (_LIST,),
    "x[[True, True, True]] = v": (_TRUE,),
    "x[mask] = v": (_MASK,),
    "x[ints] = v": (_INTS,),
    "x[:, mask] = v": (OTHER, _MASK),
    "x[:, ints] = v": (OTHER, _INTS),
    "x[mask, 0] = v": (_MASK, Value(0)),
    "x[ints, ints] = v": (_INTS, _INTS),
    "x[mask, ints] = v": (_MASK, _INTS),
}


@dataclass(frozen=True)
class Library:
    """A library: its system, how it makes arrays, and its writes.

    `writes`: the code of a write -> the row, and its arguments for an array and a value.
    """

    system: str
    array: Callable[[str, tuple[int, ...]], Any]
    dtypes: tuple[str, ...]
    writes: Mapping[str, tuple[str, Callable[[Operand, Operand], Arguments]]]
    names: Mapping[str, Any]
    warnings: tuple[type[Warning], ...] = ()
    """Warnings that announce an error."""
    of_arrays: tuple[str, ...] = ()
    """Writes that take no number."""
    of_scalars: tuple[str, ...] = ()
    """Writes that take no array with dimensions."""
    execute: Callable[[str, dict[str, Any]], object] = exec
    """Runs the code of a write."""


def outcome(library: Library, code: str, target: str, value: str, form: Form) -> str:
    """What the library does: "silent", the class of a warning, or "!" and the class of an exception."""
    shape = (3,) if form is Form.ARRAY else ()
    values = {
        **library.names,
        "x": library.array(target, (3, 3)),
        "v": NUMBERS[value] if value in NUMBERS else library.array(value, shape),
        "one": library.array("int64", ()),
        "ints": library.array("int64", (3,)),
        "mask": library.array("bool", (3,)),
    }
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            library.execute(code, values)
            computed = values["x"].compute() if hasattr(values["x"], "compute") else None
        except (TypeError, ValueError, RuntimeError, IndexError) as error:
            return f"!{type(error).__name__}"
    assert computed is None or computed.shape == (3, 3)
    categories = [each.category for each in given if "truth" not in str(each.message)]
    return categories[0].__name__ if categories else "silent"


def is_refused(library: Library, code: str, target: str, value: str, form: Form) -> bool:
    """Whether the rules reject the write."""
    name, arguments = library.writes[code]
    row = find(name)
    assert row is not None
    operand = Operand.of(value) if value in NUMBERS else Operand.of(value, form)
    answer = resolve_call(get_system(library.system), row, arguments(Operand.of(target), operand))
    return isinstance(answer, Refusal)


def _assignments(array: str, *without: str) -> dict[str, tuple[str, Callable[[Operand, Operand], Arguments]]]:
    def of(parts: tuple[Argument, ...]) -> Callable[[Operand, Operand], Arguments]:
        return lambda x, v: Arguments.of(x, Items(parts), v)

    return {
        code: (f"{array}.__setitem__", of(parts))
        for code, parts in ASSIGNMENTS.items()
        if not any(each in code for each in without)
    }


def _of(x: Operand, v: Operand) -> Arguments:
    return Arguments.of(x, v)


def _by_rule(rule: str, x: Operand, v: Operand) -> Arguments:
    return Arguments((x, v), (("casting", Value(rule)),))


def numpy_library() -> Library:
    """NumPy."""
    return Library(
        "numpy",
        lambda dtype, shape: np.ones(shape, dtype),
        DTYPES,
        {
            **_assignments("numpy.ndarray"),
            "x.fill(v)": ("numpy.ndarray.fill", _of),
            "np.put(x, ints, v)": ("numpy.put", lambda x, v: Arguments.of(x, _INTS, v)),
            "np.put_along_axis(x, ints, v, None)": (
                "numpy.put_along_axis", lambda x, v: Arguments.of(x, _INTS, v, Value(None))
            ),
            "np.fill_diagonal(x, v)": ("numpy.fill_diagonal", _of),
            "np.copyto(x, v)": ("numpy.copyto", _of),
            **{
                f"np.copyto(x, v, casting='{rule}')": ("numpy.copyto", partial(_by_rule, rule))
                for rule in ("safe", "unsafe")
            },
            "np.place(x, x == 1, v)": ("numpy.place", lambda x, v: Arguments.of(x, _MASK, v)),
            "np.putmask(x, x == 1, v)": ("numpy.putmask", lambda x, v: Arguments.of(x, _MASK, v)),
        },
        {"np": np},
        of_scalars=("x.fill(v)",),
    )  # fmt: skip


def torch_library() -> Library:
    """PyTorch."""
    import torch

    def method(name: str, *indices: Argument) -> tuple[str, Callable[[Operand, Operand], Arguments]]:
        return f"torch.Tensor.{name}", lambda x, v: Arguments.of(x, *indices, v)

    return Library(
        "torch",
        lambda dtype, shape: torch.ones(shape, dtype=getattr(torch, dtype)),
        DTYPES,
        {
            **_assignments("torch.Tensor"),
            "x.index_put_((ints,), v)": method("index_put_", Items((_INTS,))),
            "x.index_put_((mask,), v)": method("index_put_", Items((_MASK,))),
            "x.masked_fill_(x == 1, v)": method("masked_fill_", _MASK),
            "x.copy_(v)": method("copy_"),
        },
        {"torch": torch},
        of_arrays=("x.index_put_((ints,), v)", "x.index_put_((mask,), v)", "x.copy_(v)"),
        of_scalars=("x.masked_fill_(x == 1, v)",),
    )


def jax_library() -> Library:
    """JAX with x64 off."""
    import jax
    import jax.numpy as jnp

    updates = ("set", "add", "multiply", "mul", "divide", "power", "min", "max", "subtract")
    scattered = jax.lax.ScatterDimensionNumbers((), (0,), (0,))
    return Library(
        "jax-x32",
        lambda dtype, shape: jnp.ones(shape, "int32" if dtype == "int64" else dtype),
        ("bool", "uint8", "int32", "float16", "float32", "complex64"),
        {
            **{f"x.at[0].{name}(v)": (f"jax.Array.at.{name}", _of) for name in updates},
            "x.at[ints].set(v)": ("jax.Array.at.set", _of),
            "x.at[mask].add(v)": ("jax.Array.at.add", _of),
            "jnp.put(x, ints, v, inplace=False)": ("jax.numpy.put", lambda x, v: Arguments.of(x, _INTS, v)),
            "jnp.place(x, x == 1, v, inplace=False)": ("jax.numpy.place", lambda x, v: Arguments.of(x, _MASK, v)),
            "jnp.fill_diagonal(x, v, inplace=False)": ("jax.numpy.fill_diagonal", _of),
            "jnp.put_along_axis(x, ints, v, None, inplace=False)": (
                "jax.numpy.put_along_axis", lambda x, v: Arguments.of(x, _INTS, v, Value(None))
            ),
            **{
                f"jax.lax.{name}(x[0], ints[:, None], jnp.broadcast_to(v, (3,)), scattered)": (
                    f"jax.lax.{name}", lambda x, v: Arguments.of(x, _INTS, v, OTHER)
                )
                for name in ("scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max", "scatter_sub")
            },
        },
        {"jax": jax, "jnp": jnp, "scattered": scattered},
        (FutureWarning,),
        # JAX raises and warns before it compiles, which is what takes time.
        execute=lambda code, values: jax.eval_shape(lambda: eval(code, values)),
    )  # fmt: skip


def dask_library() -> Library:
    """Dask, whose assignments are computed later."""
    import dask.array as da

    arrays = _assignments("dask.array.Array", "[None]", "one", "ints, ints", "mask, ints", "[[", ":, mask", ":, ints")
    return Library("dask", lambda dtype, shape: da.ones(shape, dtype=dtype), DTYPES, arrays, {"da": da})


def strict_library() -> Library:
    """array-api-strict, which has masks, and no arrays of indices in assignments."""
    import array_api_strict as xp

    without = ("[None]", "one", "ints", "[[", ":, mask", "mask, 0", "x[0] ", "x[0:")
    arrays = _assignments("array_api_strict.Array", *without)
    dtypes = tuple(name for name in DTYPES if name != "float16")
    return Library(
        "array-api", lambda dtype, shape: xp.ones(shape, dtype=getattr(xp, dtype)), dtypes, arrays, {"xp": xp}
    )


LIBRARIES: Final[Mapping[str, Callable[[], Library]]] = {
    "numpy": numpy_library,
    "torch": torch_library,
    "jax": jax_library,
    "dask": dask_library,
    "array_api_strict": strict_library,
}
