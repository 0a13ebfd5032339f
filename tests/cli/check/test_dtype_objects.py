"""Objects that name dtypes are no arrays: mypy's errors about them are no findings."""

from pathlib import Path

import pytest

from tests.cli.check.checks import check_json
from tests.needed import needs

HEADERS = {
    "numpy": "import numpy as np\nfrom numpy.typing import NDArray\n",
    "jax": "import jax.numpy as jnp\nfrom jaxtyping import Array, Float, Float32, Int, Integer\n",
    "torch": "import torch\n",
}
#: Library -> a module in which nobody declares the dtype of an array that has another one.
NAMING = {
    "numpy": """\
def chosen(half, dtype=np.float32):
    if half:
        kind = np.float32
    else:
        kind = np.float64
    dtype = np.float64
    record = np.dtype(np.float32)
    record = np.dtype(np.float64)
    for item in (np.float32, np.float32):
        item = np.float64
    return kind, dtype, record, item
def kind(double: bool, wanted: type[np.float32] = np.float64) -> type[np.float32]:
    return np.float64 if double else np.float32
def record(x: NDArray[np.float64]) -> np.dtype[np.float32]:
    return x.dtype
class Net:
    dtype = np.float32
    pair = np.float32, np.uint8
    def __init__(self, kinds: "list[type[np.uint8]] | None" = None) -> None:
        self.kind = np.float32
        self.kinds = [np.uint8]
        self.table = {"a": np.float32}
        self.nested = {"a": (np.float32, np.zeros(3, np.float32))}
    def later(self) -> None:
        self.kind = np.float64
        self.kinds = [np.uint16]
        self.kinds.append(np.int64)
        self.table = {"a": np.float64}
        self.table["b"] = np.float64
        self.nested = {"a": (np.float64, np.zeros(3))}
class Exact(Net):
    dtype = np.float64
    pair = np.float64, np.uint8
Net([np.uint16])
""",
    "jax": """\
def narrowed(x: Integer[Array, "n"], y: Float[Array, "n"]) -> Int[Array, "n"]:
    z: Float32[Array, "n"] = y
    return x
def chosen(half, dtype=jnp.float32):
    kind = jnp.bfloat16 if half else jnp.float32
    kind = jnp.float16
    dtype = jnp.bfloat16
    record = jnp.zeros(3).dtype
    record = jnp.zeros(3, jnp.int8).dtype
    return kind, dtype, record
class Net:
    dtype = jnp.float32
    record = jnp.dtype(jnp.float32)
class Half(Net):
    dtype = jnp.bfloat16
    record = jnp.dtype(jnp.bfloat16)
""",
    "torch": """\
def chosen(half, dtype=torch.float32):
    kind = torch.bfloat16 if half else torch.float32
    kind = torch.float16
    dtype = torch.zeros(3).dtype
    return kind, {"a": dtype, "b": torch.int8}
class Net(torch.nn.Module):
    dtype = torch.float32
    kinds = [torch.float32]
class Half(Net):
    dtype = torch.bfloat16
    kinds = [torch.int8]
""",
}


@pytest.mark.parametrize("library", NAMING)
def test_what_names_a_dtype_is_no_array(library: str, tmp_path: Path, check_cache: Path) -> None:
    needs(*{"numpy": (), "jax": ("jax", "jaxtyping"), "torch": ("torch",)}[library])
    (tmp_path / "program.py").write_text(HEADERS[library] + NAMING[library], encoding="utf-8")
    done = check_json(tmp_path, check_cache)
    assert (done.findings, done.status) == ([], 0), done.errors
