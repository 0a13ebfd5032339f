"""Lines with operators and with calls of functions, for which `promo-mypy check --fix` may insert a cast."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

_OPERATORS: Final = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "<<", "<", "+=", "-=", "*=", "/=", "&=", "**=")
_NUMBERS: Final = ("300", "-1", "0.5", "2j", "70000")
_DTYPES: Final = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")
#: Those of calls; with all of them the four programs pass, too, and take three times as long.
_OF_CALLS: Final = ("uint8", "int64", "float16", "float32")
_NUMBERS_OF_CALLS: Final = ("300", "0.5")


def _calls(functions: str, *others: str) -> tuple[str, ...]:
    """Calls with two arguments of the functions of `module: name name`, and others."""
    module, _, names = functions.partition(":")
    return (*(f"{module}.{name}(x, y)" for name in names.split()), *others)


_NAMES: Final = """\
    add subtract multiply divide floor_divide remainder fmod power float_power maximum minimum fmax fmin hypot arctan2
    logaddexp copysign nextafter ldexp heaviside bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm equal
    less logical_and matmul dot inner outer vdot kron convolve correlate searchsorted append full_like isin allclose
    polyval setdiff1d union1d array_equal cross
"""
_NUMPY: Final = _calls(
    f"np: {_NAMES}",
    *("np.where(x > 0, x, y)", "np.concatenate((x, y))", "np.stack([x, y])", "np.hstack([x, y])", "np.clip(x, 0, y)"),
    *("x.clip(0, y)", "x.dot(y)", "x.fill(y)", "np.copyto(x, y)", "np.put(x, [0], y)", "np.putmask(x, x > 0, y)"),
    *("np.place(x, x > 0, y)", "np.add(x, y, out=x)", "np.multiply(x, y, out=x)", "np.divide(x, y, out=x)"),
    *("np.add.at(x, [0], y)", "np.interp(x, x, y)", "np.linspace(x, y)", "np.einsum('i,i->i', x, y)"),
    *("np.tensordot(x, y, 1)", "np.fill_diagonal(x, y)", "np.insert(x, 0, y)", "np.average(x, weights=y)"),
    *("np.select([x > 0], [x], y)", "np.sum(x, initial=y)", "np.choose(x, [x, y])", "np.take(x, y)"),
    *("np.full(3, y, dtype=x.dtype)", "np.pad(x, 1, constant_values=y)"),
)
_JAX: Final = (
    *_calls(f"jnp: {_NAMES}"),
    *_calls("jax.lax: add sub mul div rem pow max min atan2 bitwise_and dot nextafter eq lt complex"),
    *("jnp.where(x > 0, x, y)", "jax.lax.select(x > 0, x, y)", "jnp.concatenate((x, y))", "jnp.stack([x, y])"),
    *("jnp.clip(x, 0, y)", "x.at[0].set(y)", "x.at[0].add(y)", "x.at[0].mul(y)", "x.clip(0, y)", "x.dot(y)"),
    *("jnp.linspace(x, y)", "jnp.einsum('i,i->i', x, y)", "jnp.select([x > 0], [x], y)", "jax.lax.clamp(x, x, y)"),
    *("jnp.insert(x, 0, y)", "jnp.pad(x, 1, constant_values=y)", "jnp.take(x, y)"),
    "jax.lax.dynamic_update_slice(x, y, (0,))",
)
_F: Final = "torch.nn.functional"
_TORCH: Final = (
    *_calls("""torch:
    add sub mul div floor_divide remainder fmod pow float_power maximum minimum fmax fmin hypot atan2 logaddexp copysign
    nextafter bitwise_and bitwise_or eq lt logical_and matmul dot inner outer vdot kron full_like isin allclose cross
    true_divide xlogy heaviside gcd lcm dist searchsorted bucketize"""),
    *_calls(f"{_F}: mse_loss l1_loss binary_cross_entropy"),
    *(f"x.{name}(y)" for name in ("add_", "mul_", "div_", "pow_", "fill_", "copy_")),
    *("torch.where(x > 0, x, y)", "torch.cat((x, y))", "torch.stack([x, y])", "torch.clamp(x, 0, y)", "x.clamp(0, y)"),
    *("x.clamp_(0, y)", "x.masked_fill(x > 0, y)", "x.masked_fill_(x > 0, y)", "x.lerp(y, 0.5)"),
    *("torch.addcmul(x, x, y)", "torch.addcdiv(x, x, y)", "x.index_fill(0, torch.tensor([0]), y)"),
    *("x.scatter_(0, torch.tensor([0]), y)", "x.scatter_add_(0, torch.tensor([0]), y)", "x.masked_scatter(x > 0, y)"),
    *("torch.einsum('i,i->i', x, y)", "torch.tensordot(x, y, 1)", "torch.take(x, y)", "torch.index_select(x, 0, y)"),
    *(f"{_F}.linear(x, y[None])", f"{_F}.pad(x, (1, 1), value=y)", f"{_F}.cosine_similarity(x, y, dim=0)"),
    *("torch.add(x, y, out=x)", "torch.baddbmm(x[None, None], x[None, None], y[None, :, None])"),
)


@dataclass(frozen=True)
class Subject:
    """A library under one of its promotion systems.

    Attributes:
        needs: the packages of the program.
        imports: its first lines.
        annotation: an array with `{}` for its dtype.
        array: makes an array of a dtype from the modules of the program.
        calls: of functions and methods, with the array `x` and the array or number `y`.
        casts: the least number of casts, so that a run without findings fails.
        options: the table of promo-mypy.
    """

    needs: tuple[str, ...]
    imports: str
    annotation: str
    array: Callable[[Mapping[str, Any], str], Any]
    calls: tuple[str, ...]
    casts: int
    options: str = ""

    def lines(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """The dtypes of the parameters `x` and `y` of a function, and its only line."""
        operations = tuple(f"x {operator} y" for operator in _OPERATORS)
        yield from _filled(operations, _DTYPES, _NUMBERS)
        yield from _filled(self.calls, _OF_CALLS, _NUMBERS_OF_CALLS)


def _filled(
    lines: Iterable[str], dtypes: Sequence[str], numbers: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each line with all pairs of dtypes, and with each number in place of `y`."""
    for line in lines:
        for pair in product(dtypes, repeat=2):
            yield pair, line
        for dtype, number in product(dtypes, numbers):
            yield (dtype,), re.sub(r"\by\b", number, line)


_IMPORTS_OF_JAX: Final = "import jax\nimport jax.numpy as jnp\n"


def _of_numpy(modules: Mapping[str, Any], dtype: str) -> Any:
    return modules["np"].ones(3, dtype)


def _of_torch(modules: Mapping[str, Any], dtype: str) -> Any:
    return modules["torch"].ones(3, dtype=getattr(modules["torch"], dtype))


def _of_jax(modules: Mapping[str, Any], dtype: str) -> Any:
    return modules["jnp"].ones(3, dtype)


SUBJECTS: Final = {
    "numpy": Subject((), "import numpy as np\n", "np.ndarray[tuple[int, ...], np.dtype[np.{}]]", _of_numpy, _NUMPY, 35),
    "torch": Subject(("torch",), "import torch\n", "Annotated[torch.Tensor, torch.{}]", _of_torch, _TORCH, 80),
    "jax": Subject(("jax",), _IMPORTS_OF_JAX, "Annotated[jax.Array, jnp.{}]", _of_jax, _JAX, 15),
    "jax-strict": Subject(
        ("jax",),
        _IMPORTS_OF_JAX,
        "Annotated[jax.Array, jnp.{}]",
        _of_jax,
        _JAX,
        300,
        'jax_numpy_dtype_promotion = "strict"\n',
    ),
}
