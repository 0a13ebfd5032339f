"""`Promote` at run time: it may stand in any annotation, and readers of annotations accept it."""

from importlib import import_module
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
import pytest

import promo_runtime
from tests.needed import imported

# The annotations here are values, not types.
promote: Any = promo_runtime.Promote
ndarray: Any = npt.NDArray
annotated: Any = Annotated
A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)


def test_it_is_exported() -> None:
    assert "Promote" in promo_runtime.__all__


def test_its_arguments_may_be_any_operands() -> None:
    assert get_args(promote[A, B]) == (A, B)
    assert get_args(promote[A]) == (A,)
    operands = (A, np.float32, promo_runtime.float32, promote[A, B])
    assert get_args(promote[operands]) == operands
    assert [name.__forward_arg__ for name in get_args(promote["x", "y"])] == ["x", "y"]


def test_it_may_stand_in_numpys_generics() -> None:
    alias = ndarray[promote[A, B]]
    assert get_args(get_args(alias)[1]) == (promote[A, B],)
    assert get_args(get_args(alias[np.float32, np.int8])[1]) == (promote[np.float32, np.int8],)


def test_get_type_hints_accepts_it() -> None:
    def add(left: Any, right: Any) -> Any:
        return left + right

    result = annotated[ndarray[Any], promote["left", "right"]]
    add.__annotations__ = {"left": ndarray[A], "return": result}
    assert get_type_hints(add, include_extras=True)["return"] == result
    assert get_type_hints(add)["return"] == ndarray[Any]


def test_jaxtyping_and_beartype_check_the_array_only() -> None:
    jax = imported("jax")
    jaxtyping = imported("jaxtyping")
    beartype: Any = import_module("beartype")
    type_variable: Any = TypeVar
    x, y = type_variable("x", bound=jax.Array), type_variable("y", bound=jax.Array)

    def add(left: Any, right: Any) -> Any:
        return left + right

    result = annotated[jaxtyping.Shaped[jax.Array, "n"], promote[x, y]]
    arguments = {"left": jaxtyping.Shaped[x, "n"], "right": jaxtyping.Shaped[y, "..."]}
    add.__annotations__ = {**arguments, "return": result}
    checked = jaxtyping.jaxtyped(typechecker=beartype.beartype)(add)
    assert checked(jax.numpy.ones(3), jax.numpy.ones(())).shape == (3,)
    with pytest.raises(jaxtyping.TypeCheckError):
        checked(jax.numpy.ones(3), jax.numpy.ones((4, 3)))
