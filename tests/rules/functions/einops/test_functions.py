"""The rows of einops and opt_einsum agree with the packages, on arrays of NumPy, JAX and PyTorch."""

from importlib import import_module
from itertools import product
from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import find, library, resolve_call
from promo_mypy.rules.functions.language.arguments import Argument, Arguments, Items, Value
from promo_mypy.rules.functions.language.protocols import Repeated
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system
from tests.needed import imported

einops, opt_einsum = map(import_module, ("einops", "opt_einsum"))  # packages without types

DTYPES = ("bool", "uint8", "int8", "int32", "float16", "float32", "complex64")
SYSTEMS = {"numpy": "numpy", "jax": "jax-x32", "torch": "torch"}

#: Calls of x and y, as (function, arguments, keywords); a tuple of arguments is a list.
CALLS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("einops.rearrange", ("x", "(a b) -> b a"), {"a": 1}),
    ("einops.rearrange", (("x", "x"), "n a -> a n"), {}),
    ("einops.repeat", ("x", "a -> a b"), {"b": 2}),
    *(("einops.reduce", ("x", "a ->", reduction), {}) for reduction in ("max", "min", "sum", "mean", "prod")),
    ("einops.einsum", ("x", "y", "a, b -> a b"), {}),
    ("einops.einsum", ("x", "y", "long, long ->"), {}),
    ("opt_einsum.contract", ("a,a->", "x", "y"), {}),
    ("einops.pack", (("x", "x"), "*"), {}),
    ("opt_einsum.contract", ("a,b->ab", "x", "y"), {}),
)


def arrays(name: str) -> Any:
    if name == "torch":
        torch = imported("torch")
        return lambda dtype: torch.ones(3, dtype=getattr(torch, dtype))
    module = imported("numpy" if name == "numpy" else "jax.numpy")
    return lambda dtype: module.ones(3, dtype)


def executed(function: str, given: tuple[Any, ...], keywords: dict[str, Any], values: dict[str, Any]) -> str:
    module, _, name = function.partition(".")
    arguments = [[values[one] for one in each] if isinstance(each, tuple) else values.get(each, each) for each in given]
    found = getattr({"einops": einops, "opt_einsum": opt_einsum}[module], name)(*arguments, **keywords)
    return str((found[0] if isinstance(found, tuple | list) else found).dtype).removeprefix("torch.")


def inferred(
    system: str, function: str, given: tuple[Any, ...], keywords: dict[str, Any], names: dict[str, str]
) -> str:
    def read(each: object) -> Argument:
        if isinstance(each, tuple):
            return Items(tuple(map(read, each)))
        return Operand.of(names[str(each)]) if each in names else Value(each)  # type: ignore[arg-type] # text or int

    row = find(function)
    assert row is not None
    pairs = tuple(sorted((name, read(value)) for name, value in keywords.items()))
    answer: object = resolve_call(get_system(system), row, Arguments(tuple(map(read, given)), pairs))
    answer = answer[0] if isinstance(answer, tuple) else answer
    answer = answer.of if isinstance(answer, Repeated) else answer
    if isinstance(answer, Refusal):
        return "refused"
    return answer.name if isinstance(answer, type) and issubclass(answer, dt.Shaped) else "open"


@pytest.mark.filterwarnings("ignore")  # about sums of complex numbers that a library casts
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_call_has_the_inferred_dtype(name: str) -> None:
    make, known = arrays(name), 0
    for function, given, keywords in CALLS:
        variables = "xy" if "y" in given else "x"
        for dtypes in product(DTYPES, repeat=len(variables)):
            names = dict(zip(variables, dtypes, strict=True))
            ours = inferred(SYSTEMS[name], function, given, keywords, names)
            try:
                seen = executed(function, given, keywords, {key: make(dtype) for key, dtype in names.items()})
            except Exception:  # a call that raises gives no wrong dtype
                continue
            assert ours in (seen, "open"), (function, given, names)
            known += ours == seen
    assert known > 60


def test_every_function_is_called() -> None:
    called = {function for function, _, _ in CALLS}
    rows = {f"{name}.{function}" for name in ("einops", "opt_einsum") for function in library(name).functions}
    # The parts that `unpack` returns have the dtypes of its argument, as with `rearrange`.
    assert rows - called == {"einops.unpack"}


def test_a_wrong_row_is_found() -> None:
    """The companion test: the sum of int8 has another dtype than the result of `rearrange`."""
    assert executed("einops.reduce", ("x", "a ->", "sum"), {}, {"x": arrays("numpy")("int8")}) == "int64"
    assert inferred("numpy", "einops.reduce", ("x", "a ->", "sum"), {}, {"x": "int8"}) == "open"
    assert inferred("numpy", "einops.rearrange", ("x", "a -> a"), {}, {"x": "int8"}) == "int8"
