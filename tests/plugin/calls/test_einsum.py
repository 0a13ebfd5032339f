"""The dtype of `np.einsum` is the executed one, whether it returns an array or a scalar."""

from pathlib import Path

import numpy as np

from tests.mypy_runs import run_mypy
from tests.needed import needs

CALLS = (
    "np.einsum('ij,jk->ik', m, m)",
    "np.einsum('ij,jk', m, m)",
    "np.einsum('ij,ij->', m, m)",
    "np.einsum('ii', m)",
    "np.einsum('ii->i', m)",
    "np.einsum('i,i', v, v)",
    "np.einsum(' i , i -> ', v, v)",
    "np.einsum('ij->ji', m)",
    "np.einsum('b...i,i->b...', m, v)",
    "np.einsum('...i->...', m)",
    "np.einsum('...i->...', v)",
    "np.einsum('...i,...i', m, v)",
    "np.einsum('ij,ij->', m, m, optimize=True)",
    "np.einsum('ij,jk', m, m, optimize=True)",
    "np.einsum('ii->i', m, optimize='greedy')",
    "np.einsum('ii', m, optimize=True)",
)


def test_dtypes(tmp_path: Path, plugin_cache: Path) -> None:
    head = (
        "import numpy as np\nimport numpy.typing as npt\n"
        "def f(m: npt.NDArray[np.int32], v: npt.NDArray[np.int32]) -> None:\n"
    )
    (tmp_path / "products.py").write_text(head + "".join(f"    reveal_type({call})\n" for call in CALLS))
    revealed = run_mypy(tmp_path, "products.py", cache=plugin_cache).revealed().values()
    array = "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.signedinteger[numpy._typing._nbit_base._32Bit]]]"
    assert list(revealed) == [array for _ in CALLS]
    namespace = {"np": np, "m": np.ones((3, 3), np.int32), "v": np.ones(3, np.int32)}
    assert {eval(call, dict(namespace)).dtype for call in CALLS} == {np.dtype(np.int32)}


def test_lists_of_indices(tmp_path: Path, plugin_cache: Path) -> None:
    """The lists stand between the arrays, and are no operands."""
    needs("jax")
    source = (
        "import jax.numpy as jnp\nimport numpy as np\n"
        "m = np.ones((3, 3), np.float32)\n"
        "reveal_type(np.einsum(m, [0, 1], m, [1, 2]))  # type: ignore[arg-type]\n"
        "q = jnp.ones((3, 3), jnp.int8)\n"
        "reveal_type(jnp.einsum(q, [0, 1], q, [1, 2]))\n"
    )
    (tmp_path / "lists.py").write_text(source)
    run = run_mypy(tmp_path, "lists.py", cache=plugin_cache)
    assert run.errors() == []
    assert list(run.revealed().values()) == ["Any", "Array[Any]"]
