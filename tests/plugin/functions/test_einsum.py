"""What `np.einsum` makes, an array or a scalar, is what NumPy makes when it is executed."""

from pathlib import Path

import numpy as np

from promo_mypy.rules.functions.numpy_forms import product_is_scalar
from tests.mypy_runs import run_mypy

#: Call -> whether the plugin may say nothing: `...` may stand for no dimension.
CALLS = {
    "np.einsum('ij,jk->ik', m, m)": False, "np.einsum('ij,jk', m, m)": False, "np.einsum('ij,ij->', m, m)": False,
    "np.einsum('ii', m)": False, "np.einsum('ii->i', m)": False, "np.einsum('i,i', v, v)": False,
    "np.einsum(' i , i -> ', v, v)": False, "np.einsum('ij->ji', m)": False, "np.einsum('b...i,i->b...', m, v)": False,
    "np.einsum('...i->...', m)": True, "np.einsum('...i->...', v)": True, "np.einsum('...i,...i', m, v)": True,
    "np.einsum('ij,ij->', m, m, optimize=True)": True, "np.einsum('ij,jk', m, m, optimize=True)": False,
    "np.einsum('ii->i', m, optimize='greedy')": False, "np.einsum('ii', m, optimize=True)": True,
    "np.einsum(m, [0, 1], v, [1])": True,
}  # fmt: skip


def test_arrays_and_scalars(tmp_path: Path, plugin_cache: Path) -> None:
    head = (
        "import numpy as np\nimport numpy.typing as npt\n"
        "def f(m: npt.NDArray[np.float32], v: npt.NDArray[np.float32]) -> None:\n"
    )
    (tmp_path / "products.py").write_text(head + "".join(f"    reveal_type({call})\n" for call in CALLS))
    revealed = run_mypy(tmp_path, "products.py", cache=plugin_cache).revealed().values()
    namespace = {"np": np, "m": np.ones((3, 3), np.float32), "v": np.ones(3, np.float32)}
    shown = {np.ndarray: "numpy.ndarray[tuple[Any, ...], numpy.dtype[{}]]", np.float32: "{}"}
    scalar = "numpy.floating[numpy._typing._nbit_base._32Bit]"
    executed = [shown[type(eval(call, dict(namespace)))].format(scalar) for call in CALLS]
    expected = ["Any" if is_open else typ for typ, is_open in zip(executed, CALLS.values(), strict=True)]
    assert list(revealed) == expected


def test_open_ones_are_open_for_a_reason() -> None:
    """The same subscripts give an array of some and a scalar of others."""
    made = {np.ndim(np.einsum("...i->...", x)) > 0 for x in (np.ones(3), np.ones((3, 3)))}
    assert made == {True, False}
    assert product_is_scalar("...i->...") is None
