"""Generate the programs to measure; the same size gives the same program.

Each consists of functions with annotated array parameters and bodies of several statements, as people write them. Its
size is the number of statements in functions. Only operations that the library defines are generated, so that mypy
reports no error with or without the plugin. Tests check that, and run the programs.
"""

import random
from collections.abc import Callable, Mapping
from typing import Final

_SIGNED: Final = ("int8", "int16", "int32", "int64")
_UNSIGNED: Final = ("uint8", "uint16", "uint32", "uint64")
_REAL: Final = (*_SIGNED, *_UNSIGNED, "float16", "float32", "float64")
_COMPLEX: Final = ("complex64", "complex128", "float32", "float64", "int32")
# Families that are closed under their operators: dtypes, operators between arrays and with an array on the right,
# operators with a literal on the right, comparisons.
_FAMILIES: Final = (
    (_REAL, "+-*/", ("+", "-", "*", "/", "//", "%", "**"), ("<", ">=", "==")),
    (_COMPLEX, "+-*/", ("+", "-", "*", "/", "**"), ("==", "!=")),
    (_SIGNED, "+-*&|^", ("+", "-", "*", "//", "%", "<<"), ("<", ">=", "!=")),
    (_UNSIGNED, "+-*&|^", ("+", "*", "//", "%", ">>"), ("<=", ">", "==")),
)
_LITERALS: Final = ("2", "3", "7")


def numpy_arithmetic(lines: int) -> str:
    """Arithmetic of arrays over random dtypes, mixed with each other and with literals."""
    header = ["import numpy as np", "import numpy.typing as npt", "from typing import Any"]
    return _program(header, _numpy_function, lines, seed=1)


def numpy_functions(lines: int) -> str:
    """Calls of `np.add`, `np.where` and `np.sum`, whose declarations are overloaded, over random dtypes."""
    header = ["import numpy as np", "import numpy.typing as npt", "from typing import Any"]
    return _program(header, _called_function, lines, seed=5)


def numpy_fallback(lines: int) -> str:
    """Arithmetic that the promotion rules leave to NumPy's stubs: times, texts, objects, sequences of numbers."""
    header = ["import numpy as np", "import numpy.typing as npt", "from typing import Any"]
    return _program(header, _fallback_function, lines, seed=2)


def jax_program(lines: int) -> str:
    """Functions on JAX arrays with jaxtyping annotations: operators, casts, indexing, functions of `jax.numpy`."""
    header = ["import jax", "import jax.numpy as jnp", "from jaxtyping import Array, BFloat16, Float32, Int32"]
    return _program(header, _jax_function, lines, seed=3)


def torch_program(lines: int) -> str:
    """Functions on tensors with jaxtyping annotations: operators, casts, indexing, functions of `torch`."""
    header = ["import torch", "from jaxtyping import BFloat16, Float32, Int64", "from torch import Tensor"]
    return _program(header, _torch_function, lines, seed=4)


def _program(header: list[str], function: Callable[[random.Random, int], list[str]], lines: int, seed: int) -> str:
    """Functions with `lines` statements in all; the last function takes the rest."""
    chosen, text, statements, number = random.Random(seed), list(header), 0, 0
    while statements < lines:
        signature, *body = function(chosen, number)
        text += ["", "", signature, *body]
        statements += len(body)
        number += 1
    return "\n".join(text) + "\n"


def _numpy_function(chosen: random.Random, number: int) -> list[str]:
    dtypes, between, with_literal, comparisons = chosen.choice(_FAMILIES)
    values = ["a", "b", "c", "d"]
    signature = ", ".join(f"{name}: npt.NDArray[np.{chosen.choice(dtypes)}]" for name in values)
    body: list[str] = []
    for step in range(chosen.randint(5, 9)):
        pair = f"{chosen.choice(values)} {chosen.choice(between)} {chosen.choice(values)}"
        other = chosen.choice(values)
        with_number = chosen.choice(
            [
                f"{other} {chosen.choice(with_literal)} {chosen.choice(_LITERALS)}",
                f"{chosen.choice(_LITERALS)} {chosen.choice(between)} {other}",
            ]
        )
        if chosen.randrange(6) == 0:
            body.append(f"    m{step} = {pair} {chosen.choice(comparisons)} {other}")
        else:
            body.append(f"    v{step} = ({pair}) {chosen.choice(between)} ({with_number})")
            values.append(f"v{step}")
    return [f"def f{number}({signature}) -> Any:", *body, f"    return {values[-1]}"]


def _called_function(chosen: random.Random, number: int) -> list[str]:
    values = ["a", "b", "c", "d"]
    signature = ", ".join(f"{name}: npt.NDArray[np.{chosen.choice(_REAL)}]" for name in values)
    body: list[str] = []
    for step in range(chosen.randint(5, 9)):
        one, other, third = (chosen.choice(values) for _ in range(3))
        call = chosen.choice(
            [
                f"np.add({one}, {other})",
                f"np.add({one}, {chosen.choice(_LITERALS)})",
                f"np.where({third} > 0, {one}, {other})",
                f"np.where({third} > 0, {one}, {chosen.choice(_LITERALS)})",
                f"np.sum({one})",
                f"np.sum({one}, axis=0)",
            ]
        )
        body.append(f"    v{step} = {call}")
        if "sum" not in call:
            values.append(f"v{step}")
    return [f"def f{number}({signature}) -> Any:", *body, f"    return {values[-1]}"]


# Statements over parameters of one kind; the rules have none of these dtypes.
_FALLBACKS: Final[Mapping[str, tuple[str, ...]]] = {
    "t: npt.NDArray[np.datetime64], s: npt.NDArray[np.datetime64], d: npt.NDArray[np.timedelta64]": (
        "t - s", "t + d", "t - d", "d + d", "d * 2", "d / d", "t < s", "(t - s) + d", "d // d", "d % d", "t == s",
    ),
    "t: npt.NDArray[np.str_], s: npt.NDArray[np.str_], d: npt.NDArray[np.str_]": (
        "t == s", "t != s", "t < d", "s >= d", "t == d",
    ),
    "t: npt.NDArray[np.object_], s: npt.NDArray[np.object_], d: npt.NDArray[np.object_]": (
        "t + s", "t * s", "t - d", "(t + s) * d", "t / s", "t // d", "t == s", "t ** s",
    ),
    "t: npt.NDArray[np.float64], s: list[float], d: npt.NDArray[np.int64]": (
        "t + s", "d * s", "s + t", "t - [1.0, 2.0]", "[1, 2] * d", "(t + s) * t", "t < s",
    ),
}  # fmt: skip


def _fallback_function(chosen: random.Random, number: int) -> list[str]:
    signature, expressions = chosen.choice(list(_FALLBACKS.items()))
    body = [f"    v{step} = {chosen.choice(expressions)}" for step in range(chosen.randint(5, 9))]
    return [f"def f{number}({signature}) -> Any:", *body, f"    return {body[-1].split()[0]}"]


_JAX_LINES: Final = (
    "h = x @ w + b", "h = jnp.tanh(h)", "h = h * scale + k", "h = h - h.mean()", "y = (h + k).astype(jnp.float32)",
    "h = jnp.where(h > 0, h, 0.1 * h)", "y = y * 2.0 - h", "e = jnp.exp(-h)", "h = e / (1 + e)", "s = jnp.sum(h * h)",
    "h = h / jnp.sqrt(s + 1e-6)", "y = y.at[0].set(1.0)", "h = h[::-1] * w[0]", "y = jax.nn.relu(y) + scale",
    "m = k // 2 + k % 3", "h = h * (m > 1)", "y = jnp.maximum(y, h)", "h = -h + abs(y)", "h = h ** 2",
)  # fmt: skip


def _jax_function(chosen: random.Random, number: int) -> list[str]:
    parameters = 'x: Float32[Array, "n"], w: Float32[Array, "n n"], b: BFloat16[Array, "n"], k: Int32[Array, "n"]'
    head = [f'def f{number}({parameters}, scale: float = 0.5) -> Float32[Array, "n"]:']
    first = ["h = x @ w + b", "y = h * scale", "e = h + 1", "s = jnp.sum(h)", "m = k + 1"]
    body = first + [chosen.choice(_JAX_LINES) for _ in range(chosen.randint(4, 8))]
    return [*head, *(f"    {line}" for line in body), "    return (y + h + e * s + m).astype(jnp.float32)"]


_TORCH_LINES: Final = (
    "h = x @ w + b", "h = torch.tanh(h)", "h = h * scale + k", "h = h - h.mean()", "y = (h + k).to(torch.float32)",
    "h = torch.where(h > 0, h, 0.1 * h)", "y = y * 2.0 - h", "e = torch.exp(-h)", "h = e / (1 + e)",
    "s = torch.sum(h * h)", "h = h / torch.sqrt(s + 1e-6)", "y[0] = 1.0", "h = h.flip(0) * w[0]",
    "y = torch.relu(y) + scale",
    "m = k // 2 + k % 3", "h = h * (m > 1)", "y = torch.maximum(y, h)", "h = -h + abs(y)", "h = h ** 2", "h += y",
)  # fmt: skip


def _torch_function(chosen: random.Random, number: int) -> list[str]:
    parameters = 'x: Float32[Tensor, "n"], w: Float32[Tensor, "n n"], b: BFloat16[Tensor, "n"], k: Int64[Tensor, "n"]'
    head = [f'def f{number}({parameters}, scale: float = 0.5) -> Float32[Tensor, "n"]:']
    first = ["h = x @ w + b", "y = h * scale", "e = h + 1", "s = torch.sum(h)", "m = k + 1"]
    body = first + [chosen.choice(_TORCH_LINES) for _ in range(chosen.randint(4, 8))]
    return [*head, *(f"    {line}" for line in body), "    return (y + h + e * s + m).to(torch.float32)"]
