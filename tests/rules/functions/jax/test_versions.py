"""Where JAX 0.10 and 0.11 differ: the rules leave it open, and the installed version does what one of the two did.

All calls of the registry were executed in both: in JAX 0.11.2 on 2026-11-23, 12,366 cells, of which these have another
dtype. (JAX 0.11 also refuses halves in `jax.numpy.linalg` and `jax.scipy.linalg` where 0.10 computed them.)
"""

import pytest

from tests.rules.functions.expressions import spelled
from tests.rules.functions.jax.test_functions import laboratory

jax = pytest.importorskip("jax")

#: Call -> the dtype of x -> what JAX 0.10 and 0.11 give.
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
def test_rules_leave_it_open(text: str, dtype: str, results: tuple[str, str]) -> None:
    with jax.enable_x64(True):
        here, dtypes = laboratory(), {"x": dtype} if dtype else {}
        values = {name: here.value(name, each) for name, each in dtypes.items()}
        code = compile(text, text, "eval")
        assert here.measure(code, {**here.globals, **values}) in results
        assert spelled(here.read(text).ask(here.system, dtypes)) == "?"
