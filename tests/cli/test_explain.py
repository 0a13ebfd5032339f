"""Explanations: results are those of the rules, paths are chains of the order, costs are those of NumPy's casts."""

import math
from fractions import Fraction
from itertools import pairwise, product

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.cli.formats.explain_text import text
from promo_mypy.rules.dtypes import DTYPES, ORDINARY, Shaped
from promo_mypy.rules.lattices.order import reduced
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_mypy.rules.wording.explanations import Explanation, explain
from promo_mypy.rules.wording.losses import cost, losses_of


def explained(system: str, names: str, operation: str = "promote") -> Explanation:
    return explain(get_system(system), tuple(map(Operand.of, names.split())), operation)


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_results_and_paths_are_those_of_the_rules(name: str) -> None:
    system = get_system(name)
    covers = reduced(system.lattice.order, system.lattice.order.rows) if system.lattice else {}
    for left, right in product(system.operands, repeat=2):
        answer = system.promote(left, right)
        found = explain(system, (left, right))
        if isinstance(answer, Refusal):
            assert (found.result, found.why, found.remedy) == (None, answer.reason, answer.remedy)
            continue
        assert (found.result, found.remedy) == (answer.name, None)
        assert found.why
        for way in found.ways:
            assert not way.path or way.path[-1] == system.node_of(answer)
            assert all(high in covers[low] for low, high in pairwise(way.path))
            assert not way.path or way.counts_as in (None, way.path[0])


def test_a_path() -> None:
    found = explained("jax", "int32 float16")
    assert [way.path for way in found.ways] == [("int32", "int64", "f*", "float16"), ("float16",)]
    assert found.why == "in jax's order float16 stands above the other"


def test_the_reason() -> None:
    assert explained("jax", "int8 int8").why == "they are one dtype, which stays"
    assert explained("numpy", "int8 uint8").why == (
        "int16 and float16 are both lowest above them, and the lowest kind is taken"
    )
    assert explained("numpy", "int32 float16").why == "in numpy's order float64 is the lowest above them"
    assert explained("numpy", "uint8 py_int").why == "a Python int counts as uint8 here"
    assert explained("jax", "bool py_float").why.startswith("a Python float counts as f* here; ")
    assert "rule of its own" in explained("numpy", "bfloat16 float32").why
    assert "rule of its own" in explained("jax-x32", "int64 int8").why
    assert explained("jax", "int32 int64", "truediv").why.endswith("; / gives float64")


def test_numpy_joins_more_than_two_at_once() -> None:
    assert explained("numpy", "int8 uint8 float16").result == np.result_type(np.int8, np.uint8, np.float16).name


def test_the_cost() -> None:
    found = explained("jax", "int32 float16")
    (integer, half) = found.costs
    assert (integer.bytes_before, integer.bytes_after) == (4, 2)
    assert integer.losses == ("exact only for integers up to 2**11 (2048)", "the range is -65504 to 65504")
    assert (half.precision_before, half.precision_after, half.losses) == (11, 11, ())
    assert losses_of(DTYPES["int32"], DTYPES["float32"]) == ("exact only for integers up to 2**24 (16777216)",)
    assert [int(np.float32(value)) - value for value in (2**24 - 1, 2**24, 2**24 + 1)] == [0, 0, -1]
    assert losses_of(DTYPES["float64"], DTYPES["float32"])[0] == "24 bits of significand instead of 53"
    assert losses_of(DTYPES["complex64"], DTYPES["float32"]) == ("the imaginary part is lost",)
    assert losses_of(DTYPES["float32"], DTYPES["int64"])[0] == "fractions are lost"


def numpy_dtype(dtype: type[Shaped]) -> np.dtype[np.generic]:
    return np.dtype(getattr(ml_dtypes, dtype.name, None) or dtype.name)


def telling(dtype: type[Shaped]) -> list[int] | list[float] | list[complex]:
    """Values of a dtype that a narrower one loses: its limits, and a full significand."""
    if dtype.precision is None:
        bits = dtype.bits - (dtype.kind == "i") if dtype.kind != "b" else 1
        return [int(dtype.minimum), int(dtype.maximum), *((1 << size) - 1 for size in range(1, bits + 1))]
    ends = [float(dtype.maximum), float(dtype.minimum), 1 + 2.0 ** (1 - dtype.precision)]
    return [complex(1.0, end) for end in ends] if dtype.kind == "c" else ends


def exactly(value: complex) -> tuple[Fraction, Fraction] | None:
    """A number that compares without rounding; None for infinities."""
    parts = (value.real, value.imag)
    return (Fraction(parts[0]), Fraction(parts[1])) if all(map(math.isfinite, parts)) else None


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source", ORDINARY, ids=lambda dtype: str(dtype.name))
def test_a_loss_is_reported_exactly_where_numpy_loses_a_value(source: type[Shaped]) -> None:
    values = np.array(telling(source), dtype=numpy_dtype(source))
    assert len(values) >= 2
    told = {}
    for result in ORDINARY:
        if source.kind in "fc" and result.kind in "bui":  # fractions
            assert "fractions are lost" in losses_of(source, result)
            continue
        converted = values.astype(numpy_dtype(result))
        same = [
            exactly(complexity(one)) == exactly(complexity(other)) for one, other in zip(values, converted, strict=True)
        ]
        told[result.name] = (bool(losses_of(source, result)), not all(same))
    assert {name: pair for name, pair in told.items() if pair[0] != pair[1]} == {}
    assert len(told) >= 6


def complexity(value: np.generic) -> complex:
    """A NumPy scalar as the Python number of the same value; bfloat16 is not a type of NumPy."""
    return value.item() if isinstance(value.item(), int | float | complex) else float(value)


def test_python_numbers_have_no_bytes() -> None:
    (_, number) = explained("numpy", "uint8 py_int").costs
    assert (number.bytes_before, number.losses) == (None, ("only 0 to 255",))
    assert cost(Operand.of("py_float"), DTYPES["float64"]).losses == ()
    assert cost(Operand.of("py_float"), DTYPES["float16"]).losses[0] == "11 bits of significand instead of 53"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_text(width: int) -> None:
    names = "int32 float16"
    found = [explained(system, names) for system in ("numpy", "jax", "torch", "tensorflow")]
    shown = text("int32 with float16", found, width).plain
    assert max(map(len, shown.splitlines())) <= width
    together = " ".join(shown.split())
    for each in found:
        assert f"{each.system}: {each.result or 'rejected'}" in shown
        assert each.why in together
        assert (each.remedy or "") in together
        assert all(loss in together for each_cost in each.costs for loss in each_cost.losses)
    assert "int32 → int64 → f* → float16" in together
    assert "2 bytes per element instead of 4" in together
