"""The interface of the promotion systems: operands, refusals, errors for callers, caching, and the order below."""

import pickle

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.order import NotAnOrderError, Order
from promo_mypy.rules.promotion import Form, Operand, Refusal, UnknownOperationError
from promo_mypy.rules.systems import SYSTEM_NAMES, UnknownSystemError, get_system


def test_operand_of_a_name() -> None:
    assert Operand.of("float32") == Operand(dt.float32) == Operand(dt.float32, Form.ARRAY)
    assert Operand.of("int64*", Form.ZERO_D) == Operand(dt.weak_int64, Form.ZERO_D)
    assert Operand.of("py_int") == Operand(dt.py_int) == Operand(dt.py_int, Form.PYTHON)
    assert [Operand.of(name).name for name in ("float32", "int64*", "py_float")] == ["float32", "int64*", "float"]
    with pytest.raises(dt.UnknownDtypeError, match="float32"):
        Operand.of("flaot32")


def test_operands_are_values() -> None:
    assert hash(Operand.of("float32")) == hash(Operand(dt.float32))
    assert Operand.of("float32") != Operand.of("float32", Form.ZERO_D)
    assert pickle.loads(pickle.dumps(Operand.of("py_int"))) == Operand.of("py_int")
    # The hash holds in this process only, so it is not part of the pickle.
    assert Operand.of("float32").__reduce__() == (Operand, (dt.float32, Form.ARRAY))


def test_systems_are_made_once() -> None:
    assert [get_system(name).name for name in SYSTEM_NAMES] == list(SYSTEM_NAMES)
    assert get_system("numpy") is get_system("numpy")
    assert get_system("torch", torch_default_dtype="float64") is not get_system("torch")


def test_unknown_system_names_the_known_ones() -> None:
    with pytest.raises(UnknownSystemError, match=r"'cupy'; choose one of numpy, jax, jax-x32, jax-strict, torch$"):
        get_system("cupy")


def test_unknown_default_dtype() -> None:
    with pytest.raises(ValueError, match="torch_default_dtype must be one of bfloat16, float16, float32, float64"):
        get_system("torch", torch_default_dtype="int32")


def test_answers_are_kept() -> None:
    system = get_system("numpy")
    operands = Operand.of("bool"), Operand.of("bool")
    assert system.resolve("sub", *operands) is system.resolve("sub", *operands)
    assert isinstance(system.resolve("sub", *operands), Refusal)
    assert system.promote(*operands) is dt.bool_


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_misuse_raises(name: str) -> None:
    system = get_system(name)
    with pytest.raises(UnknownOperationError, match="no operation is called 'plus'"):
        system.resolve("plus", Operand.of("float32"), Operand.of("float32"))
    with pytest.raises(TypeError, match="add takes 2 operands, got 1"):
        system.resolve("add", Operand.of("float32"))
    with pytest.raises(TypeError, match="promote needs operands"):
        system.promote()
    with pytest.raises(ValueError, match="Float is a category, not a dtype: ask resolve_sets"):
        system.resolve("neg", Operand(dt.Float))


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_rank_matters_only_to_torch(name: str) -> None:
    system = get_system(name)
    array, scalar = Operand.of("float32"), Operand.of("float64", Form.ZERO_D)
    same = system.resolve("eq", array, array) == dt.bool_ and system.verdict("add", (array, scalar)) == system.verdict(
        "add", (array, Operand.of("float64"))
    )
    assert same != system.rank_matters == (name == "torch")


def test_in_place_keeps_the_dtype_of_an_array_and_rebinds_a_scalar() -> None:
    numpy, torch, jax = (get_system(name) for name in ("numpy", "torch", "jax"))
    narrow, wide = Operand.of("float32"), Operand.of("float64")
    assert numpy.resolve("iadd", narrow, wide) is torch.resolve("iadd", narrow, wide) is dt.float32
    assert jax.resolve("iadd", narrow, wide) is dt.float64
    assert numpy.resolve("iadd", Operand.of("float32", Form.SCALAR), wide) is dt.float64
    assert numpy.resolve("iadd", Operand.of("py_int"), wide) is dt.float64


def test_x32_narrows_its_operands() -> None:
    jax = get_system("jax-x32")
    assert jax.promote(Operand.of("float64")) is dt.float32
    assert jax.resolve("add", Operand.of("int64"), Operand.of("uint64")) is dt.int32
    assert jax.resolve("truediv", Operand.of("int64"), Operand.of("py_int")) is dt.float32


def test_an_order_has_no_cycle_and_no_gap() -> None:
    with pytest.raises(NotAnOrderError, match="b promotes to a, which needs a row below it"):
        Order({"a": "b", "b": "a"})
    with pytest.raises(NotAnOrderError, match="a promotes to z"):
        Order({"a": "z"})


def test_of_several_minimal_bounds_the_first_row_wins() -> None:
    order = Order({"a": "x y", "b": "x y", "x": "", "y": "", "alone": ""})
    assert order.upper_bounds(["a", "b"]) == ("x", "y")
    assert order.join(["a", "b"]) == "x"
    assert order.join(["a", "alone"]) is None
