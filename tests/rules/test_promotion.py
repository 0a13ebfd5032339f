"""The interface of the promotion systems: operands, refusals, errors for callers, caching, and the underlying order."""

import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.lattices.order import NotAnOrderError, Order, sorted_covers
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.promotion import UnknownOperationError
from promo_mypy.rules.systems import (
    SYSTEM_NAMES,
    UnknownSystemError,
    get_system,
    register_system,
    system_names,
    unregister_systems,
)
from promo_mypy.rules.systems.lattices import LatticeSystem


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
    # The hash is valid only in this process, so it is not part of the pickle.
    assert Operand.of("float32").__reduce__() == (Operand, (dt.float32, Form.ARRAY))


def test_systems_are_made_once() -> None:
    assert [get_system(name).name for name in SYSTEM_NAMES] == list(SYSTEM_NAMES)
    assert get_system("numpy") is get_system("numpy")
    assert get_system("torch", torch_default_dtype="float64") is not get_system("torch")


def test_unknown_system_names_the_known_ones() -> None:
    with pytest.raises(UnknownSystemError, match=r"'sparse'; choose one of numpy, jax, .*, option-3$"):
        get_system("sparse")
    with pytest.raises(UnknownSystemError, match=r"'jaxx'; did you mean jax\b.*\?$"):
        get_system("jaxx")


def test_a_system_of_the_user(registered: None) -> None:  # noqa: ARG001 (removes what is registered)
    mine = LatticeSystem("mine", Lattice.of({"int8": "float32", "float32": ""}), get_system("jax"))
    register_system("mine", lambda: mine)
    assert system_names() == (*SYSTEM_NAMES, "mine")
    assert get_system("mine") is mine
    other = LatticeSystem("mine", Lattice.of({"int8": ""}), get_system("jax"))
    register_system("mine", lambda: other)
    assert get_system("mine") is other
    with pytest.raises(ValueError, match="'torch' is already a promotion system"):
        register_system("torch", lambda: mine)
    unregister_systems()
    with pytest.raises(UnknownSystemError, match="'mine'"):
        get_system("mine")


@pytest.fixture
def registered() -> Iterator[None]:
    yield
    unregister_systems()


def test_a_system_is_imported_when_it_is_asked_for() -> None:
    """And no other system with it."""
    program = (
        "import sys; from promo_mypy.rules import systems; "
        "own = lambda: sorted(name for name in sys.modules if name.startswith('promo_mypy.rules.systems.')); "
        "print(own()); systems.get_system('jax'); print(own())"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["[]", "['promo_mypy.rules.systems.jax']"]


def test_unknown_default_dtype() -> None:
    with pytest.raises(ValueError, match="torch_default_dtype must be one of bfloat16, float16, float32, float64"):
        get_system("torch", torch_default_dtype="int32")


def test_answers_are_cached() -> None:
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
def test_rank_matters_only_where_0d_arrays_yield(name: str) -> None:
    system = get_system(name)
    array, scalar = Operand.of("float32"), Operand.of("float64", Form.ZERO_D)
    same = system.resolve("eq", array, array) == dt.bool_ and system.verdict("add", (array, scalar)) == system.verdict(
        "add", (array, Operand.of("float64"))
    )
    assert same != system.rank_matters == (name in ("torch", "numpy-legacy", "paddle"))


def test_a_rank_decides_about_powers_in_jax() -> None:
    jax, base = get_system("jax"), Operand.of("uint8")
    vector, scalar = Operand.of("int32"), Operand.of("int32", Form.ZERO_D)
    assert (jax.resolve("pow", base, vector), jax.resolve("pow", base, scalar)) == (dt.int32, dt.uint8)
    assert jax.resolve("pow", Operand.of("float64*"), scalar) is dt.weak_float64
    assert [jax.rank_decides(operation) for operation in ("pow", "ipow", "mul")] == [True, True, False]


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


def test_rows_in_any_order_are_sorted() -> None:
    assert sorted_covers({"c": [], "a": ["b", "c"], "b": ["c"]}) == {"a": ("b", "c"), "b": ("c",), "c": ()}
    already = {"x": ("z",), "y": ("z",), "z": ()}
    assert list(sorted_covers(already)) == list(already)
    with pytest.raises(NotAnOrderError, match="a promotes to z, which has no row"):
        sorted_covers({"a": ["z"]})
    with pytest.raises(NotAnOrderError, match=r"^cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)$"):
        sorted_covers({"low": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]})


def test_competing_bounds_and_paths() -> None:
    order = Order({"a": "x y", "b": "x y", "x": "top", "y": "top", "top": "", "alone": ""})
    assert order.minimal_bounds(["a", "b"]) == ("x", "y")
    assert order.minimal_bounds(["x", "y"]) == ("top",)
    assert order.minimal_bounds(["a", "alone"]) == ()
    assert order.path("a", "top") == ("a", "x", "top")
    assert order.path("a", "a") == ("a",)
    assert order.path("top", "a") == ()
