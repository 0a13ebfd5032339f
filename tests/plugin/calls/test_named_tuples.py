"""Results that are named tuples: mypy knows the dtype of every field, by name, by index and unpacked, as executed."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.plugin import names
from promo_mypy.rules import named_tuples
from tests.mypy_runs import configuration, environment, run_mypy
from tests.needed import imported, needs
from tests.program.executed import infer_json

NUMPY, JAX, TORCH = "numpy", "jax", "torch"
HEADERS = {
    NUMPY: "import numpy as np\nimport numpy.typing as npt\n"
    "def f(m: npt.NDArray[np.float32], c: npt.NDArray[np.complex64], k: npt.NDArray[np.int16]) -> None:\n",
    JAX: "import jax.numpy as jnp\nfrom jaxtyping import Array, Complex64, Float32, Int16\n"
    'def f(m: Float32[Array, "n n"], c: Complex64[Array, "n n"], k: Int16[Array, "n n"]) -> None:\n',
    TORCH: "import torch\nfrom jaxtyping import Complex64, Float32, Int16\nfrom torch import Tensor\n"
    'def f(m: Float32[Tensor, "n n"], c: Complex64[Tensor, "n n"], k: Int16[Tensor, "n n"]) -> None:\n',
}
CALLS = {
    NUMPY: "np.linalg.eigh(m); np.linalg.eigh(c); np.linalg.eigh(k); np.linalg.svd(c); np.linalg.svd(k);"
    " np.linalg.qr(c); np.linalg.eig(c); np.unique_all(m); np.unique_counts(k); np.unique_inverse(c)",
    JAX: "jnp.linalg.eigh(m); jnp.linalg.eigh(c); jnp.linalg.svd(c); jnp.linalg.svd(k, full_matrices=False);"
    " jnp.linalg.qr(c); jnp.linalg.slogdet(c); jnp.linalg.slogdet(k); jnp.linalg.eig(m); jnp.unique_all(k);"
    " jnp.unique_counts(m); jnp.unique_inverse(c)",
    TORCH: "torch.linalg.lstsq(m, m); torch.linalg.svd(c); torch.linalg.qr(c); torch.linalg.eigh(c);"
    " torch.linalg.eig(m); torch.linalg.slogdet(c); torch.linalg.lu(c); torch.linalg.lu_factor(m);"
    " torch.linalg.lu_factor_ex(m); torch.linalg.inv_ex(c); torch.linalg.cholesky_ex(c); torch.linalg.solve_ex(m, m);"
    " torch.linalg.ldl_factor(m); torch.linalg.ldl_factor_ex(m); torch.max(k, 1); torch.min(m, dim=0); m.max(dim=0);"
    " k.min(1); m.sort(); torch.sort(k); m.topk(2); m.kthvalue(2); k.mode(); m.median(0); m.nanmedian(0);"
    " torch.cummax(k, 0); m.cummin(1); m.aminmax(); torch.frexp(m); m.frexp(); torch.svd(c); c.svd(); torch.qr(c);"
    " m.qr(); torch.slogdet(c); c.slogdet(); torch.geqrf(c); torch.histogram(m, 3); torch.triangular_solve(m, m)",
}


# PyTorch plans to remove torch.qr and some others.
pytestmark = pytest.mark.filterwarnings("ignore")


@dataclass(frozen=True)
class Asked:
    """An expression on its own line, and its dtype when executed."""

    text: str
    dtype: str


def values_of(library: str) -> dict[str, Any]:
    if library == TORCH:
        needs("jaxtyping")
        torch = imported("torch")
        names_of = {name: getattr(torch, dtype) for name, dtype in DTYPES.items()}
        return {"torch": torch} | {name: torch.eye(3).to(dtype) for name, dtype in names_of.items()}
    if library == JAX:
        needs("jaxtyping")
    module = imported("jax.numpy" if library == JAX else "numpy")
    return {"jnp" if library == JAX else "np": module} | {
        name: module.eye(3, dtype=dtype) for name, dtype in DTYPES.items()
    }


DTYPES = {"m": "float32", "c": "complex64", "k": "int16"}


def asked(library: str) -> Iterator[Asked]:
    values = values_of(library)
    for call in CALLS[library].split("; "):
        result = eval(call, values)
        for place, field in enumerate(getattr(result, "_fields", None) or result.__match_args__):
            dtype = str(result[place].dtype).removeprefix("torch.")
            yield Asked(f"({call}).{field}", dtype)
            yield Asked(f"({call})[{place}]", dtype)
            items = ", ".join("_" if other != place else "x" for other in range(len(result)))
            yield Asked(f"[x for {items} in [{call}]][0]", dtype)


@pytest.mark.parametrize("library", HEADERS)
def test_every_field_is_known_as_executed(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    expressions = list(asked(library))
    lines = [*HEADERS[library].splitlines(), *(f"    {each.text}" for each in expressions)]
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    first = len(HEADERS[library].splitlines()) + 1
    found = {
        each["line"]: each["dtype"]
        for each in infer_json(tmp_path, "program.py")["expressions"]
        if each["column"] <= 5 and each["end_column"] >= len(lines[each["line"] - 1])
    }
    known = {each.text: found.get(line) for line, each in enumerate(expressions, first)}
    assert known == {each.text: each.dtype for each in expressions}
    assert len(expressions) > 60


def test_what_the_library_declares_stays(tmp_path: Path, plugin_cache: Path) -> None:
    """The result has the class that the library declares for the function.

    Stock mypy infers Any for the results of `torch.linalg`: an attribute that they lack is not about a dtype.
    """
    needs("torch", "jaxtyping")
    lines = [
        *HEADERS[TORCH].splitlines(),
        "    declared: torch.return_types.max = torch.max(m, 1)",
        "    torch.max(m, 1).n_fields",
        "    either = torch.max(m, 1) if bool(m.any()) else torch.max(k, 1)",
        "    reveal_type(either.values)",
        "    torch.linalg.svd(m).eigenvalues",
    ]
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    assert list(run.revealed().values()) == ["Tensor[float32] | Tensor[int16]"]


def test_the_names_are_those_of_pytorch() -> None:
    needs("jax")  # whose classes are among the undeclared ones
    torch = imported("torch")
    ours = {f"torch.return_types.{name}": cls._fields for name, cls in vars(named_tuples).items() if "linalg" in name}
    for name, fields in {**names.RESULT_FIELDS, **ours}.items():
        assert getattr(torch.return_types, name.rpartition(".")[2]).__match_args__ == fields, name
    for function, cls in names.UNDECLARED_TUPLES.items():
        module, _, name = cls.rpartition(".")
        assert isinstance(getattr(import_module(module), name), type), function


def test_without_the_fields_they_would_be_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: a plugin that knows no field leaves them all to the library's types."""
    needs("torch", "jaxtyping")
    text = HEADERS[TORCH] + "    torch.max(m, 1).values\n"
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    program = (
        "from pathlib import Path\nfrom promo_mypy.plugin.calls import named_tuples\n"
        "named_tuples.field = lambda *_: None\nfrom promo_mypy.program.infer import infer\n"
        "print([each.dtypes for each in infer([Path('program.py')]).expressions][-2:])\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.stdout.strip().startswith("[(), ") or "()" in done.stdout, done.stderr
