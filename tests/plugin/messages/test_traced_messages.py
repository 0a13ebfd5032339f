"""Messages about a function that JAX traces name the array that it declares, not the one of NumPy that JAX takes."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jax")

PROGRAM = """\
import jax
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, Complex64, Float32
@jax.jit
def doubled(x: Float32[Array, "n"], z: Complex64[Array, "n"] | None) -> Float32[Array, "n"]: return x * 2
reveal_type(doubled)
def f(whole: npt.NDArray[np.int64], wide: npt.NDArray[np.complex128]) -> None:
    doubled(whole, wide)
    n: int = doubled
"""


def test_a_traced_function_shows_its_declared_parameters(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "traced.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "traced.py", cache=plugin_cache)
    assert run.revealed() == {7: "def (x: Array[float32], z: Array[complex64] | None) -> Array[float32]"}
    assert [error.text for error in run.errors()] == [
        'Argument 1 to "doubled" has incompatible type "ndarray[tuple[Any, ...], dtype[signedinteger[_64Bit]]]";'
        ' expected "Array[float32]"',
        # No dtype is declared for `n`: the text is that of mypy without the plugin.
        'Incompatible types in assignment (expression has type "JitWrapped", variable has type "int")',
    ]
