"""A rejected `promote` of more than two operands: its message is as good as for two, and as fast."""

import time

import pytest

from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system


@pytest.mark.parametrize(
    ("names", "remedy"),
    [
        (("float8_e4m3fn", "float32", "float32"), "cast the float8_e4m3fn operand with x.astype(jnp.float32)"),
        (("float32", "float32", "float8_e4m3fn"), "cast the float8_e4m3fn operand with x.astype(jnp.float32)"),
        (("float8_e4m3fn", "float8_e5m2", *["float32"] * 6), "cast the operands to a dtype that supports it"),
    ],
)
def test_remedy(names: tuple[str, ...], remedy: str) -> None:
    started = time.perf_counter()
    refusal = get_system("jax").promote(*map(Operand.of, names))
    assert isinstance(refusal, Refusal)
    assert refusal.remedy == remedy
    assert time.perf_counter() - started < 2


def test_two_casts_of_three() -> None:
    refusal = get_system("jax").promote(*map(Operand.of, ("float8_e4m3fn", "float8_e5m2", "float32")))
    assert isinstance(refusal, Refusal)
    assert "float8_e4m3fn operand" in refusal.remedy
    assert "float8_e5m2 operand" in refusal.remedy
