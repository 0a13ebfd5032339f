"""Questions about dtypes, the context of their answers, and the exception for a refusal."""

import asyncio
import pickle
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system, register_system, unregister_systems
from promo_mypy.rules.systems.lattices import LatticeSystem
from tests.runtime.samples import own


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_promote_types_is_the_rule_for_every_pair(system: str) -> None:
    rules = get_system(system)
    dtypes = own(rules)
    for one in dtypes:
        for other in dtypes[:8]:
            rule = rules.verdict("promote", (Operand(one), Operand(other)))
            assert pr.can_promote(one, other, system=system) is not isinstance(rule, str)
            if not isinstance(rule, str):
                assert pr.promote_types(one, other, system=system) is rule


def test_dtypes_are_named_in_many_ways() -> None:
    assert pr.promote_types("int32", "float16", system="jax") is pr.float16
    assert pr.promote_types(np.int32, np.dtype("f2"), system="jax") is pr.float16
    assert pr.promote_types("bfloat16", ml_dtypes.bfloat16, pr.float32, system="torch") is pr.float32
    assert pr.promote_types("uint64", "int8", system="jax") is pr.weak_float64


def test_result_type_takes_arrays_numbers_and_dtypes() -> None:
    a = pr.asarray([1, 2], dtype=pr.bfloat16, system="torch")
    assert pr.result_type(a, 1.0) is pr.bfloat16
    assert pr.result_type(a, a[0], 3) is pr.bfloat16
    assert pr.result_type(np.array([1], np.int32), 1.5, system="jax") is pr.weak_float64
    assert pr.result_type(np.array([1], np.int32), 1.5) is pr.float64
    assert pr.result_type("int8", np.float32(1), True) is pr.float32
    assert pr.namespace("jax").result_type(np.array([1], np.int32), pr.float16) is pr.float16


def test_zero_d_arrays_yield_where_rank_matters() -> None:
    n_d, zero_d = np.ones(2, np.int8), np.asarray(1, np.int64)
    assert pr.result_type(n_d, zero_d, system="torch") is pr.int8
    assert pr.result_type(n_d, zero_d, system="numpy") is pr.int64
    assert pr.namespace("torch").add(n_d, zero_d).dtype == np.int8
    assert pr.namespace("torch").add(n_d, zero_d[()]).dtype == np.int8


def test_n_ary_promotion_joins_the_whole_set() -> None:
    # Pairwise, int8 with uint16 is int32, and that with float32 is float64.
    assert pr.promote_types("int8", "uint16", "float32", system="numpy") is pr.float32


def test_a_refusal_names_operands_system_reason_and_remedy() -> None:
    with pytest.raises(TypeError) as raised:
        pr.result_type("uint16", "int8", system="torch")
    error = raised.value
    assert isinstance(error, pr.PromotionError)
    assert not isinstance(error, OverflowError)
    assert [operand.name for operand in error.operands] == ["uint16", "int8"]
    assert (error.system, error.operation, error.text) == ("torch", "promote", "promote(uint16, int8)")
    assert error.reason
    assert error.remedy
    assert str(error) == f"promote(uint16, int8) under torch promotion: {error.reason}; {error.remedy}"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (pr.PromotionError, str(error))


@pytest.mark.parametrize(
    ("operation", "names", "text"),
    [
        ("add", ["int8", "py_int"], "int8 + int"),
        ("neg", ["bool"], "-bool"),
        ("abs", ["bool"], "abs(bool)"),
        ("divmod", ["int8", "int8"], "divmod(int8, int8)"),
        ("iadd", ["int8", "float32"], "int8 += float32"),
        ("maximum", ["int8", "float32"], "maximum(int8, float32)"),
    ],
)
def test_operations_are_spelled_as_in_programs(operation: str, names: list[str], text: str) -> None:
    refusal = Refusal("numpy", operation, tuple(map(Operand.of, names)), "reason", Remedy("remedy"))
    assert pr.PromotionError(refusal).text == text


def test_other_operands_are_rejected() -> None:
    with pytest.raises(TypeError, match="expected an array or a number, not list"):
        pr.result_type([1, 2])
    with pytest.raises(TypeError, match="is not a dtype"):
        pr.promote_types(object, "int8")
    with pytest.raises(KeyError, match="did you mean"):
        pr.promote_types("flaot32", "int8")
    with pytest.raises(TypeError, match="dtype datetime64"):
        pr.result_type(np.array(["2020"], "M8[D]"))
    with pytest.raises(pr.UnknownSystemError, match="no promotion system is called 'nunpy'"):
        pr.promote_types("int8", system="nunpy")


def test_the_context_chooses_the_system_of_calls_that_name_none() -> None:
    assert pr.asarray([1]).system == "numpy"
    with pr.system("jax") as outer:
        assert outer is get_system("jax")
        a = pr.asarray([1.0])
        assert a.system == "jax"
        with pr.system("torch", torch_default_dtype="float64"):
            assert pr.asarray([1.0]).dtype is pr.float64
            assert pr.promote_types("int8", "uint8") is pr.int16
            assert a.system == "jax"
            assert (a + 1).system == "jax"
            assert pr.result_type(a, 1.5) is pr.float64
        assert pr.namespace() is pr.namespace("jax")
    assert pr.asarray([1]).system == "numpy"


def test_an_exception_restores_the_system() -> None:
    with pytest.raises(RuntimeError), pr.system("jax"):
        raise RuntimeError
    assert pr.asarray([1]).system == "numpy"


def test_an_unknown_system_is_rejected_before_the_block() -> None:
    with pytest.raises(pr.UnknownSystemError):
        pr.system("nunpy")


def test_other_threads_do_not_see_the_context() -> None:
    systems = ["numpy", "jax", "torch", "array-api"]
    barrier, seen = threading.Barrier(len(systems) + 1), dict[str, set[str]]()

    def work(name: str) -> None:
        with pr.system(name):
            barrier.wait()
            seen[name] = {pr.asarray([1]).system for _ in range(200)}

    threads = [threading.Thread(target=work, args=(name,)) for name in systems]
    for thread in threads:
        thread.start()
    barrier.wait()
    assert {pr.asarray([1]).system for _ in range(200)} == {"numpy"}
    for thread in threads:
        thread.join()
    assert seen == {name: {name} for name in systems}


def test_other_tasks_do_not_see_the_context() -> None:
    async def work(name: str) -> list[str]:
        found = []
        with pr.system(name):
            for _ in range(5):
                await asyncio.sleep(0)
                found.append(pr.asarray([1]).system)
        return found

    async def together() -> list[list[str]]:
        return await asyncio.gather(*map(work, ("jax", "torch", "numpy")))

    assert asyncio.run(together()) == [["jax"] * 5, ["torch"] * 5, ["numpy"] * 5]


def test_first_calls_from_many_threads_give_one_plan() -> None:
    space = pr.namespace("jax")
    one, other = np.arange(4, dtype=np.int16), np.arange(4, dtype=np.float16)
    results: list[Any] = []
    barrier = threading.Barrier(8)

    def work() -> None:
        barrier.wait()
        results.append((space.multiply(one, other), pr.asarray(one, system="jax") * other))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {plain.dtype.name for plain, _ in results} == {"float16"}
    assert len({wrapped._type for _, wrapped in results}) == 1


@pytest.fixture
def mine() -> Iterator[str]:
    lattice = get_system("jax").lattice
    assert lattice is not None
    covers = {**lattice.covers, "int64": ("float64",)}
    own_lattice = replace(lattice, covers=covers)
    register_system("mine", lambda: LatticeSystem("mine", own_lattice, get_system("jax")))
    yield "mine"
    unregister_systems()


def test_own_systems_are_executed(mine: str) -> None:
    one, other = np.array([1, 2], np.int32), np.array([0.5, 0.5], np.float32)
    assert pr.namespace("jax").add(one, other).dtype == np.float32
    assert pr.namespace(mine).add(one, other).dtype == np.float64
    a = pr.asarray(one, system=mine)
    assert (a + other).dtype is pr.float64
    assert pr.namespace(mine).where(np.array([True, False]), a, other).dtype is pr.float64
    assert pickle.loads(pickle.dumps(a)).system == mine


def test_a_system_that_is_registered_again_replaces_the_old_one(mine: str) -> None:
    before = pr.asarray([1], system=mine)
    lattice = get_system("jax").lattice
    assert lattice is not None
    register_system(mine, lambda: LatticeSystem(mine, lattice, get_system("jax")))
    assert pr.namespace(mine).add(np.array([1], np.int32), np.array([1], np.float32)).dtype == np.float32
    with pytest.raises(TypeError, match="an array under mine promotion cannot be combined with mine promotion"):
        before + pr.asarray([1], system=mine)
