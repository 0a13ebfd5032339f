"""Every row of `rules.functions.derivatives`, executed for every dtype and for Python numbers."""

from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.derivatives import ALLOW_INTEGERS, DERIVATIVES, takes_tangent
from tests.needed import imported

jnp = imported("jax.numpy")
torch = imported("torch")
equinox = imported("equinox")

DTYPES = ("bool", "uint8", "int8", "int32", "bfloat16", "float16", "float32", "complex64")
NUMBERS = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}


def function(name: str) -> Any:
    library, _, last = name.rpartition(".")
    return getattr({"jax": imported("jax"), "torch.func": torch.func, "equinox": equinox}[library], last)


def magnitude(x: Any) -> Any:
    return (abs(x) ** 2).sum() if isinstance(x, torch.Tensor) else jnp.sum(jnp.abs(jnp.asarray(x) * 1.0) ** 2)


def raises(name: str, value: Any, **options: Any) -> bool:
    try:
        function(name)(magnitude, **options)(value)
    except (TypeError, ValueError, RuntimeError):
        return True
    return False


def is_rejected(name: str, dtype: str) -> bool:
    def given(x: Any) -> Any:
        return x.sum().to(getattr(torch, dtype)) if isinstance(x, torch.Tensor) else x.sum().astype(dtype)

    value = torch.ones(3) if name.startswith("torch") else jnp.ones(3)
    try:
        function(name)(given)(value)
    except (TypeError, ValueError, RuntimeError):
        return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DERIVATIVES)
def test_arrays(name: str) -> None:
    row = DERIVATIVES[name]
    for dtype in DTYPES:
        value = torch.ones(3).to(getattr(torch, dtype)) if name.startswith("torch") else jnp.ones(3, dtype)
        kind = {"bool": "b", "uint8": "u", "int8": "i", "int32": "i", "complex64": "c"}.get(dtype, "f")
        assert raises(name, value) == (kind in row.refused), dtype


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DERIVATIVES)
def test_results(name: str) -> None:
    for dtype in DTYPES:
        kind = {"bool": "b", "uint8": "u", "int8": "i", "int32": "i", "complex64": "c"}.get(dtype, "f")
        assert is_rejected(name, dtype) == (kind in DERIVATIVES[name].results), dtype


@pytest.mark.parametrize("name", [name for name, row in DERIVATIVES.items() if row.numbers])
def test_numbers(name: str) -> None:
    row = DERIVATIVES[name]
    for kind, value in NUMBERS.items():
        assert raises(name, value) == (row.every or kind[0] in row.refused), kind


@pytest.mark.parametrize("name", ["jax.grad", "jax.value_and_grad", "jax.jacrev"])
def test_integers_that_are_allowed(name: str) -> None:
    assert not raises(name, jnp.ones(3, "int32"), **{ALLOW_INTEGERS: True})


def test_some_functions_reject_a_tree_with_one_such_leaf() -> None:
    def of_tree(tree: Any) -> Any:
        return sum(magnitude(leaf) for leaf in tree)

    tree = (jnp.ones(3), jnp.ones(3, "int32"))
    for name, row in DERIVATIVES.items():
        if not name.startswith("torch"):
            try:
                function(name)(of_tree)(tree)
                raised = False
            except (TypeError, ValueError):
                raised = True
            assert raised != row.every, name


@pytest.mark.parametrize("primal", DTYPES)
def test_tangents(primal: str) -> None:
    jax, x = imported("jax"), jnp.ones(3, primal)
    for tangent in DTYPES:
        try:
            accepted = jax.jvp(lambda y: y * 2, (x,), (jnp.ones(3, tangent),))[1].dtype == primal
        except TypeError:
            accepted = False
        assert accepted == takes_tangent(dt.DTYPES[primal], dt.DTYPES[tangent]), tangent
