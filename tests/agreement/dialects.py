"""How to write programs for each library: imports, dtypes, annotations, array literals, calls of the registry."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from promo_mypy.rules import jaxtyping_names
from promo_mypy.rules.dtypes import DTYPES, Shaped
from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from tests.rules.functions.cupy import calls as calls_cupy
from tests.rules.functions.jax import calls as calls_jax
from tests.rules.functions.measuring import by_signature, written
from tests.rules.functions.numpy import calls as calls_numpy
from tests.rules.functions.torch import calls as calls_torch

_CALLS = {"numpy": calls_numpy, "jax": calls_jax, "torch": calls_torch}
_PREFIXES = {"numpy": "np.", "jax": "jax.", "torch": "torch."}
_JAXTYPING = {dtype.name: name for name, dtype in jaxtyping_names.NAMES.items() if dtype.exact}
#: The dtypes in annotations: those that all libraries have.
EXACT = frozenset(
    ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
     "float64", "complex64", "complex128")
)  # fmt: skip
#: Categories by their names in jaxtyping, and NumPy's scalar classes for them.
_CATEGORIES: Mapping[str, str] = {
    "Int": "np.signedinteger[Any]", "UInt": "np.unsignedinteger[Any]", "Integer": "np.integer[Any]",
    "Float": "np.floating[Any]", "Complex": "np.complexfloating[Any, Any]", "Inexact": "np.inexact[Any]",
    "Num": "np.number[Any]", "Shaped": "np.generic",
}  # fmt: skip
#: Calls that are left out. To mypy 2**63 is an int of any size, and the rules assume that such an int fits. The second
#: is an int in NumPy's stubs. The third transforms nothing if there is no dimension. JAX's abstract evaluation of the
#: rank accepts halves.
_LEFT_OUT = re.compile(r"2\*\*63|matrix_rank|random_integers|[nc]p\.fft\.i?r?fftn")

#: Parameter -> the arguments that calls pass.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("axis", "dim"), ("0", "-1")), **dict.fromkeys(("keepdims", "keepdim"), ("True",)), "dtype": ("d",),
    **dict.fromkeys(("return_index", "return_inverse", "return_counts", "retstep", "deg"), ("True",)),
}  # fmt: skip


@dataclass(frozen=True)
class Dialect:
    """One library, in one of its modes.

    Attributes:
        name: of the dialect.
        library: the library whose registry is called.
        header: imports of a program.
        dtypes: the dtypes of its arrays, by the names of the rules.
        spelled: those that the library spells differently.
        casts: methods and functions that cast `{x}` to the dtype `{d}`.
        creations: arrays of shape (3,), `{d}` being a dtype; without it, of a default dtype.
        matrices: the same for shape (3, 3).
        scalars: values without dimensions.
        crossings: calls that turn an array `{x}` into a NumPy array, or the other way round; `{n}` is a dtype of NumPy.
        conditions: conditions for branches, also valid while JAX traces.
        x64: whether JAX runs with 64-bit dtypes.
        default: PyTorch's default dtype.
    """

    name: str
    library: str
    header: str
    dtypes: tuple[str, ...]
    spelled: Mapping[str, str]
    casts: tuple[str, ...]
    creations: tuple[str, ...]
    matrices: tuple[str, ...]
    scalars: tuple[str, ...]
    crossings: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ("{x}.ndim == 1", "{x}.ndim > 1", "len({x}.shape) > 0")
    x64: bool = True
    default: str = "float32"

    @property
    def options(self) -> str:
        """The options for the modules of its programs."""
        return f'jax_enable_x64 = {str(self.x64).lower()}\ntorch_default_dtype = "{self.default}"'

    @property
    def namespace(self) -> str:
        """The module with the functions of its arrays."""
        return {"numpy": "np", "jax": "jnp", "torch": "torch", "cupy": "cp"}[self.library]

    def dtype(self, name: str) -> str:
        """A dtype as an argument."""
        return self.spelled.get(name, f"{self.namespace}.{name}")

    def annotations(self, dtype: str, other: str, shape: tuple[int, ...]) -> list[str]:
        """Annotations for an array of that dtype and shape; the other dtype is for unions."""
        if self.library == "numpy":
            one, two = self.dtype(dtype), self.dtype(other)
            # Only the class `generic` holds the dtypes of ml_dtypes and bool, and it has no operators.
            known = () if dtype in ("bool", "bfloat16") else categories_of(dtype)
            categories = [_CATEGORIES[each] for each in known if each != "Shaped"]
            return [
                *[f"npt.NDArray[{one}]"] * 8,
                *(f"npt.NDArray[{each}]" for each in categories),
                f"npt.NDArray[{one}] | npt.NDArray[{two}]",
                f"npt.NDArray[{one} | {two}]",
            ]
        array, text = self.array, f'"{" ".join(map(str, shape))}"'
        one, two = _JAXTYPING[dtype], _JAXTYPING[other]
        return [
            *[f'{one}[{array}, "..."]', f"{one}[{array}, {text}]"] * 4,
            f"Annotated[{array}, {self.dtype(dtype)}]",
            *(f'{each}[{array}, "..."]' for each in categories_of(dtype)),
            f"{one}[{array}, {text}] | {two}[{array}, {text}]",
        ]

    def exact(self, dtype: str) -> str:
        """The annotation for arrays of that dtype, whatever their shape."""
        if self.library == "numpy":
            return f"npt.NDArray[{self.dtype(dtype)}]"
        return f'{_JAXTYPING[dtype]}[{self.array}, "..."]'

    @property
    def array(self) -> str:
        """The class of its arrays."""
        return {"numpy": "np.ndarray", "jax": "Array", "torch": "torch.Tensor", "cupy": "cp.ndarray"}[self.library]

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of its registry; see `tests.rules.functions.expressions` for their variables."""
        return _calls_of_cupy() if self.library == "cupy" else _calls(self.library)


@cache
def categories_of(dtype: str) -> tuple[str, ...]:
    """jaxtyping's names of the categories that hold a dtype."""
    return tuple(name for name in _CATEGORIES if _holds(jaxtyping_names.NAMES[name], dtype))


def _holds(category: type[Shaped], dtype: str) -> bool:
    return issubclass(DTYPES[dtype], category)


@cache
def _calls(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_texts(name)))


@cache
def _calls_of_cupy() -> tuple[str, ...]:
    """Those that are recorded, without the variables that only they have."""
    texts = chain.from_iterable(calls_cupy.by_row())
    left_out = re.compile(rf"\b[spqak]\b|random|{_LEFT_OUT.pattern}")
    return tuple(text for text in dict.fromkeys(texts) if not left_out.search(text))


def _texts(name: str) -> Iterator[str]:
    module, prefix = _CALLS[name], _PREFIXES[name]
    calls, skipped = written(module.CALLS, prefix), set(module.NOT_CALLED.split())
    for function, row in library(name).functions.items():
        # The methods of generators are the distributions of the module; `at` returns nothing.
        if function in skipped or function.endswith(".at") or re.match(r"random\.(Generator|RandomState)\.", function):
            continue
        plain = by_signature(row, prefix.rstrip("."))
        for text in (*(calls.get(function) or (plain, *_with_options(plain, row))),):
            if not _LEFT_OUT.search(text):
                yield text.replace("jax.numpy.", "jnp.")
    for texts in written(module.METHODS).values():
        yield from texts


def _with_options(plain: str, row: Row) -> Iterator[str]:
    """The call with each option for its axis or its dtype."""
    for parameter in signature(row.signature).parameters:
        for value in _OPTIONS.get(parameter.name, ()) if parameter.default is not None and parameter.keyword else ():
            yield f"{plain[:-1]}, {parameter.name}={value})"


_PYTHON = (
    "import collections\nimport dataclasses\nimport functools\nimport itertools\nimport operator\n"
    "from typing import Annotated, Any, Generic, TypeVar\n"
)
NUMPY = Dialect(
    "numpy", "numpy",
    _PYTHON + "import ml_dtypes\nimport numpy as np\nimport numpy.typing as npt\nT = TypeVar(\"T\")",
    ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
     "float64", "complex64", "complex128"),
    {"bool": "np.bool", "bfloat16": "ml_dtypes.bfloat16"},
    ("{x}.astype({d})", "{x}.astype({d})", "np.asarray({x}, dtype={d})", "np.astype({x}, {d})", "{d}({x})"),
    ("np.ones(3, {d})", "np.zeros((3,), dtype={d})", "np.arange(3).astype({d})", "np.full(3, 2, dtype={d})",
     "np.array([1, 0, 1], dtype={d})", "np.arange(3)", "np.array([1, 2, 3])", "np.array([1, 2.5, 3])",
     "np.array([True, False, True])", "np.linspace(0.0, 1.0, 3)", "np.ones(3)", "np.array([True, 2, 3])",
     "np.asarray((1, 2j, 3))"),
    ("np.eye(3, dtype={d})", "np.ones((3, 3), {d})", "np.ones((3, 3))", "np.array([[1, 2, 3]] * 3, dtype={d})",
     "np.array([[1, 2, 3], [4.5, 5, 6], [7, 8, True]])"),
    ("{d}(1)", "np.array(1, dtype={d})", "np.float32(2.5)", "np.int64(3)"),
)  # fmt: skip
_JAX = (
    "jax",
    _PYTHON + "import jax\nimport jax.numpy as jnp\n"
    "import jax.scipy.linalg\nimport jax.scipy.signal\nimport jax.scipy.special\n"
    "import jax.scipy.stats\nimport jax.image\nfrom jax import lax\n"
    "from jaxtyping import (Array, BFloat16, Bool, Complex, Complex64, Complex128, Float, Float16, Float32, Float64,\n"
    "    Inexact, Int, Int8, Int16, Int32, Int64, Integer, Num, Shaped, UInt, UInt8, UInt16, UInt32, UInt64)\n"
    "import numpy as np\nT = TypeVar(\"T\")\nkey = jax.random.key(0)",
)  # fmt: skip
_JAX_TEXTS = (
    ("{x}.astype({d})", "{x}.astype({d})", "jnp.asarray({x}, dtype={d})", "lax.convert_element_type({x}, {d})",
     "{d}({x})", "jnp.astype({x}, {d})"),
    ("jnp.ones(3, {d})", "jnp.zeros((3,), dtype={d})", "jnp.arange(3).astype({d})", "jnp.full(3, 2, dtype={d})",
     "jnp.array([1, 0, 1], dtype={d})", "jnp.arange(3)", "jnp.array([1, 2, 3])", "jnp.array([1, 2.5, 3])",
     "jnp.array([True, False, True])", "jnp.array([True, 2, 3])", "jnp.asarray((1, 2j, 3))",
     "jnp.linspace(0.0, 1.0, 3)", "jnp.ones(3)", "jnp.full(3, 2)", "jnp.full(3, 1.5)",
     "jnp.broadcast_to(jnp.asarray(2), (3,))", "jnp.broadcast_to(0.5, (3,))"),
    ("jnp.eye(3, dtype={d})", "jnp.ones((3, 3), {d})", "jnp.ones((3, 3))", "jnp.array([[1, 2, 3]] * 3, dtype={d})",
     "jnp.array([[1, 2, 3], [4.5, 5, 6], [7, 8, True]])"),
    ("{d}(1)", "jnp.array(1, dtype={d})", "jnp.asarray(2)", "jnp.asarray(1.5)", "jnp.array(2j)", "jnp.float32(2.5)"),
    ("np.ones(3, {n})", "np.arange(3).astype({n})", "{n}(1)", "jnp.asarray(np.ones(3, {n}))", "jnp.array({n}(1))",
     "{x} + np.ones(3, {n})", "{n}(1) * {x}", "np.full((3, 3), 2, {n}) - {x}"),
)  # fmt: skip
_NARROW = ("bool", "uint8", "uint16", "uint32", "int8", "int16", "int32", "bfloat16", "float16", "float32", "complex64")
JAX = Dialect("jax", *_JAX, (*_NARROW, "uint64", "int64", "float64", "complex128"), {"bool": "jnp.bool_"}, *_JAX_TEXTS)
JAX_X32 = Dialect("jax-x32", *_JAX, _NARROW, {"bool": "jnp.bool_"}, *_JAX_TEXTS, x64=False)
_TORCH = (
    "torch",
    _PYTHON + "import numpy as np\nimport torch\nT = TypeVar(\"T\")\n"
    "from jaxtyping import (BFloat16, Bool, Complex, Complex64, Complex128, Float, Float16, Float32, Float64,\n"
    "    Inexact, Int, Int8, Int16, Int32, Int64, Integer, Num, Shaped, UInt, UInt8, UInt16, UInt32, UInt64)",
    ("bool", "uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64",
     "complex128"),
    dict[str, str](),
    ("{x}.to({d})", "{x}.to({d})", "{x}.to(dtype={d})", "{x}.type({d})", "torch.as_tensor({x}, dtype={d})",
     "{x}.float()", "{x}.long()", "{x}.double()", "{x}.half()"),
    ("torch.ones(3, dtype={d})", "torch.zeros((3,), dtype={d})", "torch.arange(3).to({d})",
     "torch.full((3,), 2, dtype={d})", "torch.tensor([1, 0, 1], dtype={d})", "torch.arange(3)",
     "torch.tensor([1, 2, 3])", "torch.tensor([1, 2.5, 3])", "torch.tensor([True, 2, 3])",
     "torch.tensor([True, False, True])", "torch.ones(3)",
     "torch.linspace(0.0, 1.0, 3)"),
    ("torch.eye(3, dtype={d})", "torch.ones((3, 3), dtype={d})", "torch.rand(3, 3)",
     "torch.tensor([[1, 2, 3], [4.5, 5, 6], [7, 8, True]])"),
    ("torch.tensor(1, dtype={d})", "torch.ones((), dtype={d})", "torch.tensor(2)", "torch.tensor(1.5)",
     "torch.tensor(True)"),
    ("{x}.numpy()", "np.asarray({x})", "torch.from_numpy({x}.numpy())", "torch.tensor({x}.numpy())",
     "torch.as_tensor({x}.numpy() * 2)", "torch.from_numpy(np.ones(3, {n}))", "torch.tensor({n}(1))",
     "torch.asarray(np.arange(3).astype({n}))", "torch.tensor([{n}(1), {n}(2)])", "np.ones(3, {n})", "{n}(1)",
     "{x} + np.ones(3, {n})", "{n}(1) * {x}", "np.full(3, 2, {n}) - {x}"),
)  # fmt: skip
TORCH = Dialect("torch", *_TORCH)
TORCH_FLOAT64 = Dialect("torch-float64", *_TORCH, default="float64")
CUPY = Dialect(
    "cupy", "cupy",
    _PYTHON + "import cupy as cp\nimport ml_dtypes\nimport numpy as np\nT = TypeVar(\"T\")\n"
    "from jaxtyping import (BFloat16, Bool, Complex, Complex64, Complex128, Float, Float16, Float32, Float64,\n"
    "    Inexact, Int, Int8, Int16, Int32, Int64, Integer, Num, Shaped, UInt, UInt8, UInt16, UInt32, UInt64)",
    NUMPY.dtypes,
    {"bool": "cp.bool_", "bfloat16": "ml_dtypes.bfloat16"},
    ("{x}.astype({d})", "{x}.astype({d})", "cp.asarray({x}, dtype={d})", "cp.astype({x}, {d})"),
    ("cp.ones(3, {d})", "cp.zeros((3,), dtype={d})", "cp.arange(3).astype({d})", "cp.full(3, 2, dtype={d})",
     "cp.array([1, 0, 1], dtype={d})", "cp.arange(3)", "cp.array([1, 2, 3])", "cp.array([1, 2.5, 3])",
     "cp.array([True, False, True])", "cp.linspace(0.0, 1.0, 3)", "cp.ones(3)"),
    ("cp.eye(3, dtype={d})", "cp.ones((3, 3), {d})", "cp.ones((3, 3))", "cp.array([[1, 2, 3]] * 3, dtype={d})"),
    ("cp.array(1, dtype={d})", "cp.ones((), {d})", "cp.asarray(2)", "cp.asarray(1.5)"),
    ("cp.asnumpy({x})", "{x}.get()", "cp.asarray(np.ones(3, {n}))", "cp.array(cp.asnumpy({x}) * 2)", "{n}(1) * {x}",
     "{x} - {n}(2)", "cp.asarray(np.arange(3).astype({n}))"),
)  # fmt: skip
DIALECTS: Mapping[str, Dialect] = {each.name: each for each in (NUMPY, JAX, JAX_X32, TORCH, TORCH_FLOAT64)}
"""Those that run without a GPU."""
