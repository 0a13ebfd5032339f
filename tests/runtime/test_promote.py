"""`Promote` at run time: it can stand in any annotation, and nobody who reads annotations stumbles over it."""

from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
import pytest

import promo_runtime
from promo_runtime import Promote, float32

A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)


def test_it_is_exported() -> None:
    assert "Promote" in promo_runtime.__all__


def test_it_takes_whatever_names_an_operand() -> None:
    assert get_args(Promote[A, B]) == (A, B)
    assert get_args(Promote[A]) == (A,)
    assert get_args(Promote[A, np.float32, float32, Promote[A, B]])[1:3] == (np.float32, float32)
    assert [name.__forward_arg__ for name in get_args(Promote["x", "y"])] == ["x", "y"]


def test_it_stands_in_numpys_generics() -> None:
    alias = npt.NDArray[Promote[A, B]]
    assert get_args(get_args(alias)[1]) == (Promote[A, B],)
    assert get_args(get_args(alias[np.float32, np.int8])[1]) == (Promote[np.float32, np.int8],)  # type: ignore[type-arg,misc,index] # to mypy it is no alias here
    assert np.ndarray[Any, np.dtype[Promote[A, B]]]


def test_type_hints_can_be_asked_for() -> None:
    def add(x: "npt.NDArray[A]", y: "npt.NDArray[B]") -> "Annotated[npt.NDArray[Any], Promote['x', 'y']]":
        return np.add(x, y)  # type: ignore[no-any-return] # as NumPy declares it

    hint = get_type_hints(add, include_extras=True)["return"]
    assert get_args(hint)[1:] == (Promote["x", "y"],)


def test_jaxtyping_and_beartype_check_the_array_only() -> None:
    jax = pytest.importorskip("jax")
    jaxtyping = pytest.importorskip("jaxtyping")
    beartype = pytest.importorskip("beartype")
    x = TypeVar("x", bound=jax.Array)
    y = TypeVar("y", bound=jax.Array)
    shaped = jaxtyping.Shaped

    def add(left: Any, right: Any) -> Any:
        return left + right

    result = Annotated[shaped[jax.Array, "n"], Promote[x, y]]
    add.__annotations__ = {"left": shaped[x, "n"], "right": shaped[y, "..."], "return": result}
    checked = jaxtyping.jaxtyped(typechecker=beartype.beartype)(add)
    assert checked(jax.numpy.ones(3), jax.numpy.ones(())).shape == (3,)
    with pytest.raises(jaxtyping.TypeCheckError):
        checked(jax.numpy.ones(3), jax.numpy.ones((4, 3)))
