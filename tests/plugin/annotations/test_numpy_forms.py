"""NumPy's own annotations: every scalar type that it exports, under every name, compared with `numpy.dtype`."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from tests.mypy_runs import run_mypy

PROBE = Path(__file__).with_name("probe_plugin.py")
# NumPy names both float128 and complex256, however many bits are significant.
HEADER = """\
from typing import Any, TypeVar, Union
import ml_dtypes
import numpy as np
import numpy.typing as npt
from numpy import float64, int64, ndarray
from numpy.typing import NDArray
from probe import dtypes_of
S = TypeVar("S", bound=np.generic)
F = TypeVar("F", bound=np.floating)
C = TypeVar("C", np.float32, np.float64)
"""

SIGNED, UNSIGNED = "int16 int32 int64 int8", "uint16 uint32 uint64 uint8"
FLOATING, COMPLEX = "float128 float16 float32 float64", "complex128 complex256 complex64"


def together(*parts: str) -> str:
    return " ".join(sorted(" ".join(parts).split()))


FORMS = {
    "np.ndarray": "unknown",
    "NDArray[Any]": "unknown",
    "np.ndarray[Any, Any]": "unknown",
    "np.ndarray[Any, np.dtype[Any]]": "unknown",
    "np.ndarray[Any, np.dtype]": "unknown",
    "NDArray[np.generic]": "unknown",
    "NDArray[np.datetime64]": "unknown",
    "NDArray[np.str_]": "unknown",
    "NDArray[np.object_]": "unknown",
    "NDArray[S]": "unknown",
    "np.ndarray[Any, np.dtype[np.float32]]": "ARRAY float32",
    "np.ndarray[tuple[int, int], np.dtype[np.int8]]": "ARRAY int8",
    "np.ndarray[tuple[int, ...], np.dtype[np.floating | np.integer]]": "ARRAY " + together(SIGNED, UNSIGNED, FLOATING),
    "ndarray[Any, np.dtype[float64]]": "ARRAY float64",
    "NDArray[int64]": "ARRAY int64",
    "NDArray[np.floating]": "ARRAY " + FLOATING,
    "NDArray[np.floating[Any]]": "ARRAY " + FLOATING,
    "npt.NDArray[np.integer]": "ARRAY " + together(SIGNED, UNSIGNED),
    "NDArray[np.integer[Any]]": "ARRAY " + together(SIGNED, UNSIGNED),
    "NDArray[np.signedinteger]": "ARRAY " + SIGNED,
    "NDArray[np.unsignedinteger[Any]]": "ARRAY " + UNSIGNED,
    "NDArray[np.complexfloating]": "ARRAY " + COMPLEX,
    "NDArray[np.complexfloating[Any, Any]]": "ARRAY " + COMPLEX,
    "NDArray[np.inexact]": "ARRAY " + together(FLOATING, COMPLEX),
    "NDArray[np.number]": "ARRAY " + together(SIGNED, UNSIGNED, FLOATING, COMPLEX),
    "NDArray[np.number[Any]]": "ARRAY " + together(SIGNED, UNSIGNED, FLOATING, COMPLEX),
    "NDArray[np.float32 | np.float64]": "ARRAY float32 float64",
    "NDArray[np.uint8 | np.float32 | np.float64]": "ARRAY float32 float64 uint8",
    "NDArray[Union[np.float32, np.str_]]": "unknown",
    "NDArray[np.float32] | NDArray[np.int8]": "ARRAY float32 | ARRAY int8",
    "NDArray[np.float32] | None": "unknown",
    "NDArray[np.bool | np.uint8]": "ARRAY bool uint8",
    "NDArray[F]": "unknown",
    "NDArray[C]": "ARRAY float32",  # the function is checked for each value of C
    "npt.NDArray[ml_dtypes.bfloat16 | np.float32]": "ARRAY bfloat16 float32",
    "np.floating": "SCALAR " + FLOATING,
    "np.float32 | np.int8": "SCALAR float32 | SCALAR int8",
    "np.number": "SCALAR " + together(SIGNED, UNSIGNED, FLOATING, COMPLEX),
    "np.bool": "SCALAR bool",
    "np.str_": "unknown",
    "bool": "PYTHON py_bool",
    "complex": "PYTHON py_complex",
}


def numpy_scalars() -> dict[str, str]:
    """Name -> dtype, for every name of a numeric or boolean scalar type that is a dtype."""
    found = {}
    for name in dir(np):
        cls = getattr(np, name)
        if isinstance(cls, type) and issubclass(cls, np.number | np.bool) and name != "timedelta64":
            try:
                dtype = np.dtype(cls)
            except (TypeError, DeprecationWarning):  # NumPy 2.2 warns
                continue  # an abstract class
            found[f"np.{name}"] = dtype.name
    return found


def ml_dtypes_scalars() -> dict[str, str]:
    """Name -> dtype, for the scalar types of ml_dtypes."""
    classes = {
        name: cls for name, cls in vars(ml_dtypes).items() if isinstance(cls, type) and issubclass(cls, np.generic)
    }
    return {f"ml_dtypes.{name}": np.dtype(cls).name for name, cls in classes.items()}


def reads(annotations: list[str], folder: Path, cache: Path, *flags: str) -> list[str]:
    """The dtypes that the plugin reads from each annotation."""
    lines = [f"def f{number}(x: {text}) -> None: dtypes_of(x)" for number, text in enumerate(annotations)]
    (folder / "program.py").write_text(HEADER + "\n".join(lines) + "\n")
    (folder / "probe.py").write_text("def dtypes_of(x: object) -> None: ...\n")
    settings = 'disable_error_code = ["type-arg"]'
    run = run_mypy(folder, "program.py", *flags, cache=cache, further_plugins=(PROBE.as_posix(),), settings=settings)
    first = HEADER.count("\n") + 1
    shown: dict[int, str] = {}
    for message in run.messages:
        # If a function is checked several times, the first reading counts.
        shown.setdefault(message.line - first, message.text.removeprefix("read: "))
    return [shown.get(number, "nothing") for number in range(len(annotations))]


@pytest.fixture(scope="module")
def probe_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache-probe")


@pytest.mark.slow
def test_every_name_of_numpy_has_its_dtype(tmp_path: Path, probe_cache: Path) -> None:
    names = numpy_scalars() | ml_dtypes_scalars()
    assert len(names) > 50
    assert {"np.double", "np.cdouble", "np.byte", "np.intp", "np.int_", "np.bool_", "np.longdouble"} <= set(names)
    arrays = reads([f"NDArray[{name}]" for name in names], tmp_path, probe_cache)
    scalars = reads(list(names), tmp_path, probe_cache)
    for (name, dtype), array, scalar in zip(names.items(), arrays, scalars, strict=True):
        assert (name, array) == (name, f"ARRAY {dtype}")
        assert (name, scalar) == (name, f"SCALAR {dtype}")


def test_forms(tmp_path: Path, probe_cache: Path) -> None:
    found = reads(list(FORMS), tmp_path, probe_cache)
    assert dict(zip(FORMS, found, strict=True)) == FORMS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("platform", "wanted"),
    [
        ("win32", ["int32 int64", "uint32 uint64", "float64", "complex128", "int64", "int32"]),
        ("darwin", ["int64", "uint64", "float128 float64", "complex128 complex256", "int64", "int32"]),
        ("linux", ["int64", "uint64", "float128", "complex256", "int64", "int32"]),
    ],
)
def test_some_widths_depend_on_the_platform(
    platform: str, wanted: list[str], tmp_path: Path, probe_cache: Path
) -> None:
    names = ["np.long", "np.uintp", "np.longdouble", "np.clongdouble", "np.longlong", "np.intc"]
    found = reads([f"NDArray[{name}]" for name in names], tmp_path, probe_cache, "--platform", platform)
    assert found == [f"ARRAY {dtypes}" for dtypes in wanted]


def test_every_dtype_of_numpy_is_covered() -> None:
    """The names above reach every dtype of the rules that NumPy with ml_dtypes has."""
    reached = set((numpy_scalars() | ml_dtypes_scalars()).values())
    elsewhere = {dt.complex32, dt.float4_e2m1fn_x2, dt.key}  # dtypes of PyTorch, and of JAX
    others = {dtype.name for dtype in dt.DTYPES.values() if not dtype.weak and dtype not in elsewhere}
    assert others - reached <= {"int1", "uint1"}  # newer ml_dtypes have them
