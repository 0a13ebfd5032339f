"""The names of dtypes agree with the libraries that define them."""

from typing import Any

import ml_dtypes  # registers its names with NumPy
import numpy
import pytest

from promo_mypy.rules import dtype_names
from promo_mypy.rules import dtypes as dt
from tests.needed import imported

np: Any = numpy  # whose own types lack some of these names

CODES = [name for name in dtype_names.NUMPY_STRINGS if len(name) <= 3]
SPELLED = [*dtype_names.NUMPY_STRINGS, *(order + code for order in "<>=|" for code in CODES)]
NO_DTYPES = [
    "O",
    "S3",
    "U3",
    "M8",
    "m8[s]",
    "V4",
    "f4,f4",
    "(2,)f4",
    "4f",
    "F4",
    "float",
    "",
    "<",
    "object",
    "float32 ",
]


@pytest.mark.parametrize("text", [*SPELLED, *NO_DTYPES])
def test_numpy_strings(text: str) -> None:
    ours = dtype_names.numpy_string(text, swapped=True)
    try:
        theirs = np.dtype(text)
    except TypeError:
        theirs = None
    numeric = theirs is not None and theirs.kind in "biufcV" and theirs.name in dt.DTYPES
    assert (ours.name if ours is not None else None) == (theirs.name if theirs is not None and numeric else None)


def test_every_numeric_name_of_numpy_is_known() -> None:
    """All except those whose width depends on the platform."""
    others = {name for name, cls in np._core.sctypeDict.items() if issubclass(cls, np.flexible | np.object_)}
    others |= {"datetime64", "timedelta64", "object", "bytes", "str", "unicode", "a", "bcomplex32", "complex32"}
    assert set(np._core.sctypeDict) - others - dtype_names.NUMPY_STRINGS.keys() == {"long", "ulong"}


def test_jax_has_no_swapped_strings() -> None:
    assert dtype_names.numpy_string(">f4", swapped=False) is None
    assert dtype_names.numpy_string(">f4", swapped=True) is dt.float32
    assert dtype_names.numpy_string(">i1", swapped=False) is dt.int8  # one byte has no order
    assert dtype_names.numpy_string("<f4", swapped=False) is dt.float32


def test_jax_names() -> None:
    jnp = imported("jax.numpy")
    theirs = {name: np.dtype(getattr(jnp, name)).name for name in dir(jnp) if is_jax_dtype(getattr(jnp, name))}
    assert {name: dtype.name for name, dtype in dtype_names.JAX_NAMES.items()} == theirs


def is_jax_dtype(value: object) -> bool:
    return type(value).__name__ == "_ScalarMeta"


def test_torch_names() -> None:
    torch = imported("torch")
    theirs = {name: str(getattr(torch, name)) for name in dir(torch) if isinstance(getattr(torch, name), torch.dtype)}
    known = {
        name: dtype for name, dtype in theirs.items() if dtype.removeprefix("torch.") in dt.DTYPES and name != "bit"
    }
    assert {name: f"torch.{dtype.name}" for name, dtype in dtype_names.TORCH_NAMES.items()} == known


def test_torch_type_strings() -> None:
    torch = imported("torch")
    for text, dtype in dtype_names.TORCH_TYPE_STRINGS.items():
        if ".cuda." not in text:
            assert str(torch.ones(1).type(text).dtype) == f"torch.{dtype.name}"


def test_ml_dtypes_names() -> None:
    for name, dtype in dtype_names.ML_DTYPES_NAMES.items():
        assert np.dtype(getattr(ml_dtypes, name)).name == dtype.name


@pytest.mark.parametrize("name", dtype_names.PYTHON_TYPES)
def test_python_types(name: str) -> None:
    torch = imported("torch")
    python = {"bool": bool, "int": int, "float": float, "complex": complex}[name.removeprefix("builtins.")]
    wanted = dtype_names.PYTHON_TYPES[name].name
    assert np.dtype(python).name == wanted
    assert str(torch.ones(1).to(python).dtype) == f"torch.{wanted}"


def test_jax_narrows_dtypes_as_x32_does(recwarn: pytest.WarningsRecorder) -> None:
    jax = imported("jax")
    with jax.enable_x64(False):
        for dtype in dt.ORDINARY:
            narrowed = jax.numpy.ones(1).astype(dtype.name).dtype.name
            assert narrowed == dtype_names.X32.get(dtype, dtype).name
    assert recwarn  # JAX warns that it truncates
