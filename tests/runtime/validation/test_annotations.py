"""Each form of annotation: the arrays that it accepts, and the error for others. Types are values here, not mypy's."""

import collections
import re
import subprocess
import sys
import typing
from typing import Annotated, Any, NamedTuple, NewType, TypedDict, TypeVar

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from typing_extensions import TypeAliasType

import promo_runtime as pr
from tests.needed import imported, needs

t: Any = typing
ndarray: Any = npt.NDArray
annotated: Any = Annotated

A = TypeVar("A", bound=np.generic)
Narrow = TypeVar("Narrow", np.float16, np.float32)
Whole = TypeVar("Whole", bound=npt.NDArray[np.float32])
Unbound = TypeVar("Unbound")

Single = npt.NDArray[np.float32]
Named = NewType("Named", npt.NDArray[np.float32])
alias: Any = TypeAliasType
Alias = alias("Alias", ndarray[np.float32])
Generic = alias("Generic", ndarray[A], type_params=(A,))
Nested = alias("Nested", "list[Nested] | Single")


class Pair(NamedTuple):
    left: "Single"
    right: int


class Batch(TypedDict, total=False):
    x: "Single"
    other: int


def zeros(dtype: Any) -> Any:
    return np.zeros(2, dtype)


f16, f32, f64, i32 = (zeros(each) for each in ("float16", "float32", "float64", "int32"))


def says(annotation: Any, value: Any) -> str:
    """The error of a checked function with that annotation for the value: "" if it fits."""

    def take(x: Any) -> None:
        del x

    take.__annotations__ = {"x": annotation}
    try:
        pr.checked(take)(value)
    except pr.DtypeError as error:
        return f"{error.subject.removeprefix('argument ')}: {error.expected}, {error.actual}"
    return ""


ADMITTED = [
    (ndarray[np.float32], f32),
    (ndarray[np.float32], np.float32(1)),  # a scalar of NumPy counts as its dtype
    (ndarray[np.float32], f32.astype(">f4")),
    (ndarray[np.float32], 1.5),  # not an array: left to type checkers
    (ndarray[np.float32], [f64]),
    (ndarray[Any], f64),
    (np.ndarray, f64),
    (npt.ArrayLike, f64),
    (ndarray[np.generic], f64),
    (ndarray[np.str_], f64),  # a dtype outside the rules is not read
    (Any, f64),
    (object, f64),
    (float, np.float64(1)),
    (ndarray[np.floating[Any]], f16),
    (ndarray[np.floating], f64),
    (ndarray[np.number[Any]], i32),
    (ndarray[np.float32] | None, None),
    (t.Optional[ndarray[np.float32]], f32),
    (t.Union[ndarray[np.float32], ndarray[np.int32]], i32),
    (ndarray[np.float32] | Any, f64),
    (ndarray[np.float32] | float, np.float64(1)),  # np.float64 is a float
    (ndarray[np.float32] | np.ndarray, f64),
    (ndarray[np.float32 | np.float64], f64),
    (ndarray[ml_dtypes.bfloat16], zeros(ml_dtypes.bfloat16)),
    (np.ndarray[Any, np.dtype[np.int32]], i32),
    (np.ndarray[tuple[int], np.dtype[np.int32]], i32),
    (annotated[ndarray[Any], "float32"], f64),  # a string is not a dtype
    (annotated[float, np.float32], f64),
    ("NoSuchName", f64),
    ("ndarray[np.float32] | NoSuchName.inner[int]", f64),
    ("not even Python", f64),
    (list[ndarray[np.float32]], [f32, None]),
    (list[ndarray[np.float32]], iter([f64])),  # never consumed
    (tuple[ndarray[np.float32], ...], ()),
    (tuple[ndarray[np.float32], int], (f64, 1, 2)),  # of another length
    (list[ndarray[np.float32]] | list[ndarray[np.float64]], [f64]),
    (list[ndarray[np.float32]] | ndarray[np.float64], f64),
    (collections.abc.Callable[[ndarray[np.float32]], None], f64),
    (type[np.float32], np.float64),
    (ndarray[np.float32] | t.Literal["auto"], "auto"),
    (Named, f32),
    (Alias, f32),
    (Generic[np.float32], f32),
    (Pair, Pair(f32, 1)),
    (Batch, {"other": 1}),
    (Nested, [[f32], f64]),  # inside itself an alias accepts anything
    (Unbound, f64),
    (np.float32, np.float32(1)),
    (np.floating[Any], 1.0),
    (pr.Array[pr.float32], pr.asarray([1.0], dtype="float32", system="jax")),
    (pr.Array[pr.float32], pr.asarray(1.0, system="jax-x32")),  # weak
    (pr.Array[pr.Float], pr.asarray([1.0], dtype="bfloat16", system="jax")),
]

REFUSED = [
    (ndarray[np.float32], f64, "x: float32, float64"),
    (ndarray[np.float32], np.float64(1), "x: float32, float64"),
    (ndarray[np.float32], np.array(["a"]), "x: float32, <U1"),
    (ndarray[np.float32], np.array([None]), "x: float32, object"),
    (ndarray[np.bool_], i32, "x: bool, int32"),
    (ndarray[np.longlong], i32, "x: int64, int32"),
    (ndarray[np.floating[Any]], i32, "x: np.floating, int32"),
    (ndarray[np.inexact], i32, "x: np.inexact, int32"),
    (ndarray[np.floating[Any]], zeros(ml_dtypes.bfloat16), "x: np.floating, bfloat16"),
    (np.floating[Any], np.int32(1), "x: np.floating, int32"),
    (np.float32, np.float64(1), "x: float32, float64"),
    (np.ndarray[Any, np.dtype[np.int32]], f64, "x: int32, float64"),
    (np.ndarray[Any, np.dtypes.Float32DType], f64, "x: float32, float64"),
    (ndarray[np.float32] | None, f64, "x: float32, float64"),
    (ndarray[np.float32] | ndarray[np.int32], f64, "x: float32 | int32, float64"),
    (ndarray[np.float32 | np.int32], f64, "x: float32 | int32, float64"),
    (ndarray[np.float32] | float, f64, "x: float32, float64"),
    (ndarray[np.float32] | t.Literal["auto"], f64, "x: float32, float64"),
    (annotated[ndarray[Any], np.float32], f64, "x: float32, float64"),
    (annotated[ndarray[Any], "some text", np.dtype("float32")], f64, "x: float32, float64"),
    (annotated[ndarray[np.floating[Any]], np.float32], f64, "x: float32, float64"),
    (annotated[ndarray[Any] | None, pr.bfloat16], f64, "x: bfloat16, float64"),
    ("Single", f64, "x: float32, float64"),
    ("list[NoSuchName] | Single", f64, "x: float32, float64"),
    ("dict[str, NoSuchName] | Single", f64, "x: float32, float64"),
    (list[ndarray[np.float32]], [f32, f64], "x[1]: float32, float64"),
    (list["Single"], [f64], "x[0]: float32, float64"),
    (t.List["Single"], [f64], "x[0]: float32, float64"),  # it holds a ForwardRef
    (set[np.float32], {np.float64(1)}, "x[0]: float32, float64"),
    (collections.abc.Sequence[ndarray[np.float32]], (f32, f64), "x[1]: float32, float64"),
    (collections.abc.Iterable[ndarray[np.float32]], [f64], "x[0]: float32, float64"),
    (tuple[ndarray[np.float32], ...], (f32, f64), "x[1]: float32, float64"),
    (tuple[int, ndarray[np.float32]], (1, f64), "x[1]: float32, float64"),
    (dict[str, list[ndarray[np.float32]]], {"w": [f64]}, 'x["w"][0]: float32, float64'),
    (collections.abc.Mapping[int, ndarray[np.float32]], {3: f64}, "x[3]: float32, float64"),
    (list[ndarray[np.float32]] | list[ndarray[np.int32]], [f64], "x[0]: float32 | int32, float64"),
    (list[ndarray[np.float32]] | ndarray[np.float32], f64, "x: float32, float64"),
    (Pair, Pair(f64, 1), "x.left: float32, float64"),
    (Batch, {"x": f64}, 'x["x"]: float32, float64'),
    (Named, f64, "x: float32, float64"),
    (Alias, f64, "x: float32, float64"),
    (Generic[np.float32], f64, "x: float32, float64"),
    (Nested, f64, "x: float32, float64"),
    (Whole, f64, "x: float32, float64"),
    (ndarray[Narrow], f64, "x: float16 | float32, float64"),
    (t.Final[ndarray[np.float32]], f64, "x: float32, float64"),
    (pr.Array[pr.float32], pr.asarray([1.0]), "x: float32, float64"),
    (pr.Array[pr.Float], pr.asarray([1]), "x: Float, int64"),
    (pr.Array[pr.float32], f64, "x: float32, float64"),
]


def named(rows: list[Any]) -> list[str]:
    """Stable test ids: some values print with their address."""
    return [f"{number}-{row[0]}" for number, row in enumerate(rows)]


@pytest.mark.parametrize(("annotation", "value"), ADMITTED, ids=named(ADMITTED))
def test_a_value_that_an_annotation_accepts(annotation: Any, value: Any) -> None:
    assert says(annotation, value) == ""


@pytest.mark.parametrize(("annotation", "value", "expected"), REFUSED, ids=named(REFUSED))
def test_an_array_that_an_annotation_rejects(annotation: Any, value: Any, expected: str) -> None:
    assert says(annotation, value) == expected
    assert says(annotation, value) == expected  # whatever passed or failed before


def test_a_passed_dtype_does_not_let_another_pass() -> None:
    @pr.checked
    def take(x: npt.NDArray[np.float32] | pr.Array[pr.float64]) -> None:
        del x

    take(f32)
    take(pr.asarray([1.0]))
    for wrong in (f64, pr.asarray([1.0], dtype="float32")):
        with pytest.raises(pr.DtypeError):
            take(wrong)
    take(f32)


def test_a_contradiction_is_an_error_in_the_words_of_the_plugin() -> None:
    problem = "float32 contradicts its own array type, which is float64; write one dtype in both places"
    with pytest.raises(pr.AnnotationError, match=f"^parameter x of .*take: {problem}$"):
        says(annotated[ndarray[np.float64], np.float32], f32)


def test_one_member_of_a_union_may_contradict_the_metadata() -> None:
    assert says(annotated[ndarray[np.float64] | ndarray[np.float32], np.float32], f32) == ""
    assert says(annotated[ndarray[np.float64] | ndarray[np.float32], np.float32], f64) == "x: float32, float64"


def test_a_class_that_raises_on_attribute_access_is_ignored() -> None:
    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise RuntimeError(name)

    class Odd(metaclass=Meta):
        pass

    assert says(Odd, f64) == ""
    assert says(list[Odd] | ndarray[np.float32], f64) == ""


class TestOtherLibraries:
    def test_jax(self) -> None:
        jnp: Any = imported("jax.numpy")
        jax: Any = imported("jax")
        single, whole, key = jnp.ones(2, "float32"), jnp.ones(2, "int32"), jax.random.key(0)
        form = annotated[jax.Array, jnp.float32]
        assert says(form, single) == ""
        assert says(form, jnp.asarray(1.0)) == ""  # weak
        assert says(form, whole) == "x: float32, int32"
        assert says(form, f64) == "x: float32, float64"
        assert says(form, key) == "x: float32, key"
        assert says("typing.Annotated[__import__('jax').Array, pr.bfloat16]", single) == "x: bfloat16, float32"

    def test_jaxtyping(self) -> None:
        jax: Any = imported("jax")
        jt: Any = imported("jaxtyping")
        single, key = jax.numpy.ones(2, "float32"), jax.random.key(0)
        assert says(jt.Float32[jax.Array, "n"], single) == ""
        assert says(jt.Float32[jax.Array, "n m k"], single) == ""  # shapes are left to jaxtyping
        assert says(jt.BFloat16[jax.Array, "n"], single) == "x: bfloat16, float32"
        assert says(jt.Int[jax.Array, "n"], single) == "x: Int, float32"
        assert says(jt.Float[np.ndarray, "n"], f16) == ""
        assert says(jt.Float[np.ndarray, "n"], i32) == "x: Float, int32"
        assert says(jt.Shaped[np.ndarray, "n"], i32) == ""
        assert says(jt.Float[Any, "n"], i32) == "x: Float, int32"
        assert says(jt.Float32[jax.Array, ""] | float | None, single.astype("int32")) == "x: float32, int32"
        assert says(jt.Key[jax.Array, ""], key) == ""
        assert says(jt.Key[jax.Array, ""], single) == "x: key, float32"
        assert says(jt.PyTree[jt.Float32[jax.Array, "n"]], {"w": [single, single]}) == ""
        half = single.astype("float16")
        assert says(jt.PyTree[jt.Float32[jax.Array, "n"]], {"w": [single, half]}) == 'x["w"][1]: float32, float16'

        either: Any = type("Either", (jt.AbstractDtype,), {"dtypes": ["float16", "uint8", "<U1"]})
        by_pattern: Any = type("ByPattern", (jt.AbstractDtype,), {"dtypes": re.compile("^uint.*")})
        assert says(either[np.ndarray, "n"], zeros("uint8")) == ""
        assert says(either[np.ndarray, "n"], np.array(["a"])) == ""
        assert says(by_pattern[np.ndarray, "n"], f32) == ""  # not read
        assert says(either[np.ndarray, "n"], f32) == "x: Either, float32"

    def test_torch(self) -> None:
        torch: Any = imported("torch")
        assert says(annotated[torch.Tensor, torch.bfloat16], torch.ones(2, dtype=torch.bfloat16)) == ""
        assert says(annotated[torch.Tensor, torch.bfloat16], torch.ones(2)) == "x: bfloat16, float32"
        assert says(annotated[torch.Tensor, torch.half], torch.nn.Parameter(torch.ones(2))) == "x: float16, float32"
        assert says(annotated[torch.Tensor, torch.float32] | ndarray[np.int32], f64) == "x: int32, float64"

    def test_dask_and_strict(self) -> None:
        da: Any = imported("dask.array")
        strict: Any = imported("array_api_strict")
        assert says(annotated[da.Array, np.float32], da.ones(2, dtype="float32")) == ""
        assert says(annotated[da.Array, np.float32], da.ones(2)) == "x: float32, float64"
        assert says(annotated[type(strict.ones(2)), strict.float32], strict.ones(2, dtype=strict.float32)) == ""
        assert says(annotated[type(strict.ones(2)), strict.float32], strict.ones(2)) == "x: float32, float64"

    def test_quoted_arrays_of_classes_without_arguments(self) -> None:
        needs("jax")
        program = """
import jax, numpy as np, promo_runtime as pr
from promo_runtime import bfloat16

@pr.checked
def take(x: "list[jax.Array[bfloat16]] | None") -> "jax.Array[bfloat16]":
    return x[0]

take([jax.numpy.ones(2, "bfloat16")])
try:
    take([jax.numpy.ones(2)])
except pr.DtypeError as error:
    print(error.subject, error.expected, error.actual, error.annotation, sep=", ")
"""
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert run.stdout == "argument x[0], bfloat16, float32, list[jax.Array[bfloat16]] | None\n"


def test_no_array_library_is_imported() -> None:
    program = """
import sys, numpy as np, numpy.typing as npt, promo_runtime as pr

@pr.checked
def take(x: npt.NDArray[np.float32] | None, y: "list[pr.Array[pr.float32]]") -> npt.NDArray[np.float32]:
    return x

take(np.ones(2, "float32"), [])
print(sorted({"jax", "torch", "jaxtyping", "dask", "beartype", "inspect"} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "['inspect']\n"
