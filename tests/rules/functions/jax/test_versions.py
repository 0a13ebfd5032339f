"""Where JAX 0.10 and 0.11 differ, the rules give an unknown dtype, and the installed version agrees with one of them.

All calls of the registry were executed in both: in JAX 0.11.2 on 2026-11-23, 12,366 cells, of which these have another
dtype. (JAX 0.11 also rejects halves in `jax.numpy.linalg` and `jax.scipy.linalg` where 0.10 computed them.)
"""

import pytest

from tests.needed import imported
from tests.rules.functions.expressions import spelled

jax = imported("jax")
from tests.rules.functions.jax.test_functions import laboratory  # noqa: E402 (only if it is there)

#: Call -> the dtype of x -> the dtypes of JAX 0.10 and 0.11.
DIFFERENT = {
    "jnp.tri(3)": {"": ("float32", "float64")},
    "jnp.log2(x)": {
        "int64*": ("float64", "float64*"),
        "float64*": ("float64", "float64*"),
        "complex128*": ("complex128", "complex128*"),
    },
}
CASES = [(text, dtype, results) for text, cells in DIFFERENT.items() for dtype, results in cells.items()]


@pytest.mark.parametrize(("text", "dtype", "results"), CASES)
def test_rules_give_an_unknown_dtype(text: str, dtype: str, results: tuple[str, str]) -> None:
    with jax.enable_x64(True):
        here, dtypes = laboratory(), {"x": dtype} if dtype else {}
        values = {name: here.value(name, each) for name, each in dtypes.items()}
        code = compile(text, text, "eval")
        assert here.measure(code, {**here.globals, **values}) in results
        assert spelled(here.read(text).ask(here.system, dtypes)) == "?"
