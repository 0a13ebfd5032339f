"""Every jaxtyping name over every kind of array: one generated program per library, one line per pair."""

from collections.abc import Iterator
from pathlib import Path

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.jaxtyping_names import NAMES
from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jaxtyping")

# How NumPy's stubs and our types spell the dtypes of a name, if not as `np.<dtype>`.
NUMPY_CATEGORIES = {
    "Int": "np.signedinteger",
    "UInt": "np.unsignedinteger",
    "Integer": "np.integer",
    "Float": "np.floating",
    "Complex": "np.complexfloating",
    "Inexact": "np.inexact",
    "Real": "np.integer | np.floating",
    "Num": "np.number",
    "Shaped": "Any",
}
ML_DTYPES = {"bfloat16", *(dtype.name for dtype in dt.SMALL)}


def numpy_scalar(name: str) -> str:
    """The scalar type that `Name[np.ndarray, "..."]` accepts."""
    if name in NUMPY_CATEGORIES:
        return NUMPY_CATEGORIES[name]
    dtype = NAMES[name].name
    if dtype == "key":
        return "Any"  # NumPy has no such dtype
    return f"ml_dtypes.{dtype}" if dtype in ML_DTYPES else f"np.{dtype}"


def pairs(bases: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(annotation, type that it must have) for all names over `bases`: array type -> template of the type."""
    for name, cls in NAMES.items():
        for base, template in bases.items():
            dtype = "Any" if cls is dt.Shaped else f"dt.{cls.__name__}"
            yield f'{name}[{base}, "a b"]', template.format(dtype=dtype, scalar=numpy_scalar(name))


def check(imports: str, bases: dict[str, str], folder: Path, cache: Path) -> None:
    """Assert the type of every pair, and that a wrong assertion is found."""
    # The meaning of annotations does not depend on x64.
    header = '# mypy: disable-error-code="promo-truncation"\n'
    header += f"import ml_dtypes\nimport promo_mypy.rules.dtypes as dt\nfrom jaxtyping import *\n{imports}\n"
    lines = [
        f"def f{number}(x: {annotation}) -> None: assert_type(x, {typ})\n"
        for number, (annotation, typ) in enumerate(pairs(bases))
    ]
    names = f"from jaxtyping import {', '.join(NAMES)}\nfrom typing import Any, assert_type\n"
    wrong = (
        f'def wrong(x: Float32[{next(iter(bases))}, "a b"]) -> None: assert_type(x, int)  # type: ignore[assert-type]\n'
    )
    (folder / "program.py").write_text(header.replace("from jaxtyping import *\n", names) + "".join(lines) + wrong)
    run = run_mypy(folder, "program.py", cache=cache)
    assert len(lines) == len(NAMES) * len(bases)
    assert [message.text for message in run.messages] == []


def test_jax_and_numpy(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax")
    imports = "import jax\nimport jax.numpy as jnp\nimport jaxtyping\nimport numpy as np\nimport numpy.typing as npt"
    bases = {
        "jax.Array": '"jax.Array[{dtype}]"',
        "jaxtyping.Array": '"jax.Array[{dtype}]"',
        "jnp.ndarray": '"jax.Array[{dtype}]"',
        "jax.Array | None": '"jax.Array[{dtype}] | None"',
        "np.ndarray": "npt.NDArray[{scalar}]",
        "npt.NDArray[Any]": "npt.NDArray[{scalar}]",
        "np.ndarray[tuple[int, int], np.dtype[Any]]": "np.ndarray[tuple[int, int], np.dtype[{scalar}]]",
        "jax.Array | np.ndarray": '"jax.Array[{dtype}] | npt.NDArray[{scalar}]"',
    }
    check(imports, bases, tmp_path, plugin_cache)


def test_torch(tmp_path: Path, plugin_cache: Path) -> None:
    """The rank of `a b` is also that of the expected type, which is read from `Shaped`."""
    needs("torch")
    imports = (
        "import torch\nimport torch.nn\nfrom promo_mypy.rules.ranks import Known, Rank\n"
        "Two = Rank[Any, Known, Any, Known, Any, Any, Any, Any]\nimport numpy as np\n"
    )
    bases = {
        "torch.Tensor": '"torch.Tensor[{dtype}, Two]"',
        "torch.nn.Parameter": '"torch.nn.Parameter[{dtype}, Two]"',
        "torch.nn.Buffer": '"torch.nn.Buffer[{dtype}, Two]"',
    }
    check(imports, bases, tmp_path, plugin_cache)
