"""Functions of namespaces as data: the signature, and for each library the call that decides the dtype.

The dtype comes from the row of the library in `promo_mypy.rules.functions`. A call is written as a
program would write it: "unique(x, return_counts=True)" resolves the row torch.unique with the array that the
namespace's function gets.
"""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from promo_mypy.rules.functions import LIBRARY_NAMES, find
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.promotion import PromotionSystem
from promo_runtime.functions.availability import root_name

#: Root system -> the library whose functions follow it, and its module with the functions of the standard.
_LIBRARIES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "numpy": ("numpy", ""),
        "dask": ("dask", "array."),
        "cupy": ("cupy", ""),
        "jax": ("jax", "numpy."),
        "jax-x32": ("jax", "numpy."),
        "jax-strict": ("jax", "numpy."),
        "torch": ("torch", ""),
        "array-api": ("array_api_strict", ""),
    }
)

#: Library -> its calls for functions that have another name or other arguments in the standard.
_CALLS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "dask": {
            **{f"a{name}": f"arc{name}(x)" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")},
            "atan2": "arctan2(x1, x2)",
            "cumulative_sum": "cumsum(x, dtype=dtype)",
            "cumulative_prod": "cumprod(x, dtype=dtype)",
            "unique_values": "unique(x)",
            "unique_counts": "unique(x, return_counts=True)",
            "unique_inverse": "unique(x, return_inverse=True)",
            "unique_all": "unique(x, return_index=True, return_inverse=True, return_counts=True)",
            "linalg.diagonal": "diagonal(x)",
            "linalg.matmul": "matmul(x1, x2)",
            "linalg.matrix_norm": "linalg.norm(x)",
            "linalg.outer": "outer(x1, x2)",
            "linalg.tensordot": "tensordot(x1, x2)",
            "linalg.trace": "trace(x, dtype=dtype)",
            "linalg.vector_norm": "linalg.norm(x)",
            "einsum": "einsum(subscripts, *operands)",
            "swapaxes": "swapaxes(x, 0, 1)",
        }
    }
)

PARTS: Final = "parts"
"""Arrays are cast to the precision of the result; complex arrays stay complex."""
JOIN: Final = "join"
"""Arrays are cast to the dtype that they promote to."""
FLOATS: Final = "floats"
"""The same, but integers to float64."""
TRUTH: Final = "truth"
"""Arrays are cast to bool."""
EACH: Final = "each"
"""Arrays are not cast."""


@dataclass(frozen=True, slots=True)
class RowCall:
    """The call of a library's function: its arguments are parameters of the function, or values."""

    name: str
    positional: tuple[ast.expr, ...]
    keywords: tuple[tuple[str, ast.expr], ...]
    places: tuple[int, ...] | int | None = None
    """Which of several results are used; None for all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """One function, compared by identity."""

    name: str
    """Its name in the standard, below the namespace: "linalg.svd"."""
    signature: inspect.Signature
    calls: Mapping[str, str]
    """Library -> call, "" where it has no such function; without an entry the call is the function itself."""
    casts: str = PARTS
    """The casts of arrays before the function computes: PARTS, JOIN, FLOATS, TRUTH, EACH."""
    within: bool = False
    """Whether it takes `dtype=` and casts itself."""
    kept: bool = False
    """Whether every library keeps the dtype of the array."""
    elementwise: bool = False
    """Whether a ufunc computes it."""

    @property
    def arrays(self) -> tuple[str, ...]:
        """The parameters that are arrays."""
        return tuple(name for name in self.signature.parameters if name in _ARRAYS)

    def call(self, library: str) -> str:
        """The call of the library, as text."""
        given = self.signature.parameters
        named = [*self.arrays, *(["dtype"] if "dtype" in given else [])]
        arguments = [_FORMS.get(given[name].kind, "{0}").format(name) for name in named]
        prefix = next((prefix for name, prefix in _LIBRARIES.values() if name == library), "")
        if library in self.calls:
            return self.calls[library]
        return prefix + _CALLS.get(library, {}).get(self.name, f"{self.name}({', '.join(arguments)})")


#: Kind of parameter -> how to pass an argument to it.
_FORMS: Final[Mapping[Any, str]] = MappingProxyType(
    {inspect.Parameter.VAR_POSITIONAL: "*{0}", inspect.Parameter.KEYWORD_ONLY: "{0}={0}"}
)

#: The names of array parameters, whose dtypes decide.
_ARRAYS: Final = frozenset({"x", "x1", "x2", "min", "max", "prepend", "append", "arrays", "operands"})


def entry(names: str, signature: str, casts: str = PARTS, **options: Any) -> Mapping[str, Function]:
    """Functions that differ only in their names. `options`: calls by library, in which {} is the name; flags."""
    flags = {name: options.pop(name) for name in ("within", "kept", "elementwise") if name in options}
    parsed = parameters(signature)
    return {
        name: Function(name, parsed, {library: call.format(name) for library, call in options.items()}, casts, **flags)
        for name in names.split()
    }


def library_of(system: PromotionSystem) -> str | None:
    """The library whose functions follow a system; None if no library was measured."""
    name = _LIBRARIES.get(root_name(system), ("",))[0]
    return name if name in LIBRARY_NAMES else None


def has_row(system: PromotionSystem, name: str) -> bool:
    """Whether the system's library has a row for a function of that name."""
    library, prefix = library_of(system), _LIBRARIES.get(root_name(system), ("", ""))[1]
    return library is not None and find(f"{library}.{prefix}{name}") is not None


@cache
def row_of(function: Function, library: str) -> tuple[Row, RowCall] | None:
    """The row that decides the dtype, and its arguments; None if the library lacks the function."""
    text = function.call(library)
    if not text:
        return None
    call = row_call(text)
    row = find(f"{library}.{call.name}")
    return None if row is None else (row, call)


@cache
def row_call(text: str) -> RowCall:
    """Parse a call: "unique(x, return_counts=True)[0]"."""
    expression = ast.parse(text, mode="eval").body
    places = None
    if isinstance(expression, ast.Subscript):
        places, expression = ast.literal_eval(expression.slice), expression.value
    assert isinstance(expression, ast.Call), "that is what the text says"
    keywords = tuple((str(each.arg), each.value) for each in expression.keywords)
    return RowCall(ast.unparse(expression.func), tuple(expression.args), keywords, places)


@cache
def parameters(text: str) -> inspect.Signature:
    """Parse a signature: "x, /, *, axis=None"."""
    function = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef), "that is what the text says"
    given = function.args
    kind = inspect.Parameter
    found = []
    positional = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(given.defaults)), *given.defaults]
    for place, (each, default) in enumerate(zip(positional, defaults, strict=True)):
        only = place < len(given.posonlyargs)
        found.append(_parameter(each, default, kind.POSITIONAL_ONLY if only else kind.POSITIONAL_OR_KEYWORD))
    if given.vararg is not None:
        found.append(_parameter(given.vararg, None, kind.VAR_POSITIONAL))
    for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(_parameter(each, default, kind.KEYWORD_ONLY))
    return inspect.Signature(found)


def _parameter(argument: ast.arg, default: ast.expr | None, kind: Any) -> inspect.Parameter:
    value = inspect.Parameter.empty if default is None else ast.literal_eval(default)
    return inspect.Parameter(argument.arg, kind, default=value)
