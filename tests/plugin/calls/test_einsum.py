"""If `np.einsum` certainly returns an array, its dtype is known, and it is the executed one."""

from pathlib import Path

import numpy as np

from promo_mypy.rules.functions.numpy.forms import keeps_an_index
from tests.mypy_runs import run_mypy

#: Call -> whether the dtype is unknown: the result is a scalar, or `...` may stand for no dimension.
CALLS = {
    "np.einsum('ij,jk->ik', m, m)": False, "np.einsum('ij,jk', m, m)": False, "np.einsum('ij,ij->', m, m)": True,
    "np.einsum('ii', m)": True, "np.einsum('ii->i', m)": False, "np.einsum('i,i', v, v)": True,
    "np.einsum(' i , i -> ', v, v)": True, "np.einsum('ij->ji', m)": False, "np.einsum('b...i,i->b...', m, v)": False,
    "np.einsum('...i->...', m)": True, "np.einsum('...i->...', v)": True, "np.einsum('...i,...i', m, v)": True,
    "np.einsum('ij,ij->', m, m, optimize=True)": True, "np.einsum('ij,jk', m, m, optimize=True)": False,
    "np.einsum('ii->i', m, optimize='greedy')": False, "np.einsum('ii', m, optimize=True)": True,
    "np.einsum(m, [0, 1], v, [1])": True,
}  # fmt: skip


def test_arrays(tmp_path: Path, plugin_cache: Path) -> None:
    head = (
        "import numpy as np\nimport numpy.typing as npt\n"
        "def f(m: npt.NDArray[np.float32], v: npt.NDArray[np.float32]) -> None:\n"
    )
    (tmp_path / "products.py").write_text(head + "".join(f"    reveal_type({call})\n" for call in CALLS))
    revealed = run_mypy(tmp_path, "products.py", cache=plugin_cache).revealed().values()
    namespace = {"np": np, "m": np.ones((3, 3), np.float32), "v": np.ones(3, np.float32)}
    array = "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.floating[numpy._typing._nbit_base._32Bit]]]"
    assert list(revealed) == ["Any" if is_open else array for is_open in CALLS.values()]
    for call in (call for call, is_open in CALLS.items() if not is_open):
        value = eval(call, dict(namespace))
        assert (type(value), value.dtype) == (np.ndarray, np.float32), call


def test_unknown_ones_may_be_arrays_or_scalars() -> None:
    """The same subscripts give an array for some operands and a scalar for others."""
    made = {np.ndim(np.einsum("...i->...", x)) > 0 for x in (np.ones(3), np.ones((3, 3)))}
    assert made == {True, False}
    assert not keeps_an_index("...i->...")
