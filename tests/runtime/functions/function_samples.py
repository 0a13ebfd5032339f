"""Arguments for every function of a namespace, and the same call of the library whose rules it has."""

import ast
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np

import promo_runtime as pr
from promo_mypy.rules.systems import get_system
from promo_runtime.functions.definitions import Function, library_of, row_call
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.plans.function_rules import is_offered

VECTOR: Final = [1, 2, 3]
#: Symmetric and positive definite; also for bools and two bits.
MATRIX: Final = [[1, 0], [0, 1]]

#: Functions of matrices.
_MATRICES: Final = frozenset({
    "matrix_transpose", "tril", "triu", "trace", "diag", "diagonal", "fliplr", "swapaxes", "rot90",
    "fft.fft2", "fft.ifft2", "fft.rfft2", "fft.irfft2", "cov", "corrcoef", "hsplit", "vsplit",
    "tril_indices_from", "triu_indices_from",
})  # fmt: skip
_VECTORS: Final = frozenset({"linalg.outer", "linalg.cross", "linalg.vecdot", "linalg.vector_norm"})
#: Required arguments besides the arrays.
EXTRA: Final[dict[str, tuple[Any, ...]]] = {
    "broadcast_to": ((2, 3),), "expand_dims": (0,), "squeeze": ((),), "moveaxis": (0, 0), "permute_dims": ((0,),),
    "repeat": (2,), "reshape": ((3, 1),), "roll": (1,), "take": (np.array([0, 2]),),
    "take_along_axis": (np.array([0]),), "tile": ((2,),), "linalg.matrix_power": (2,),
    "swapaxes": (0, 1), "pad": (1,), "resize": (2,), "delete": (0,), "partition": (1,), "argpartition": (1,),
    "split": (3,), "array_split": (3,), "hsplit": (2,), "vsplit": (2,), "dsplit": (2,), "rollaxis": (0,),
    "unravel_index": ((2, 2),), "ravel_multi_index": ((4, 4),),
    **dict.fromkeys(("quantile", "nanquantile"), (0.5,)),
    **dict.fromkeys(("percentile", "nanpercentile"), (50.0,)),
}  # fmt: skip
#: Required arguments before the arrays.
BEFORE: Final[dict[str, Any]] = {
    "einsum": "i,i->", "compress": np.array([True, False, True]), "extract": np.array([True, False, True]),
    "choose": np.array([0, 1, 0]),
}  # fmt: skip
#: Functions of a sequence of arrays.
SEQUENCES: Final = frozenset({
    "lexsort", "hstack", "vstack", "dstack", "column_stack", "linalg.multi_dot", "choose", "ravel_multi_index",
})  # fmt: skip
#: Functions that give one bool, which need not be an array.
COMPARING: Final = frozenset({"allclose", "array_equal", "array_equiv"})
#: By name in the namespace: axes, if vectors lack the default one. By name in a library: its names for them.
KEYWORDS: Final[dict[str, dict[str, Any]]] = {
    "tensordot": {"axes": 1},
    **{f"{library}.tensordot": {"axes": 1} for library in ("numpy", "jax", "array_api_strict", "dask")},
    "torch.tensordot": {"dims": 1},
}


def offered(system: str) -> Iterator[tuple[str, Function]]:
    """The functions of the namespace that make arrays of arrays, by name."""
    return (
        (name, each)
        for name, each in FUNCTIONS.items()
        if each.arrays and is_offered(get_system(system), each) and name not in COMPARING
    )


def named(space: Any, name: str) -> Any:
    """The object of that name below a namespace or a module: "linalg.svd"."""
    for part in name.split("."):
        space = getattr(space, part)
    return space


def shape(name: str) -> Any:
    """Numbers in a shape that the function accepts."""
    if name == "dsplit":
        return [MATRIX, MATRIX]
    return MATRIX if name in _MATRICES or (name.startswith("linalg.") and name not in _VECTORS) else VECTOR


def required(function: Function) -> list[str]:
    """The required arrays."""
    parameters = function.signature.parameters
    return [name for name in function.arrays if parameters[name].default is not None]


def takes_several(function: Function) -> bool:
    """Whether it takes any number of arrays."""
    parameters = function.signature.parameters.values()
    return function.name in SEQUENCES or any(each.kind is each.VAR_POSITIONAL for each in parameters)


def arity(function: Function) -> int:
    """How many arrays the samples pass."""
    return 2 if takes_several(function) else len(required(function))


def ours(system: str, name: str, arrays: list[Any]) -> Any:
    """Call the namespace's function, with arrays of the wrapper or plain ones."""
    return called(pr.namespace(system), name, arrays)


def called(space: Any, name: str, arrays: list[Any]) -> Any:
    """Call the same function of a given namespace."""
    call: Callable[..., Any] = named(space, name)
    before = (BEFORE[name],) if name in BEFORE else ()
    if name in SEQUENCES:
        arrays = [arrays]
    if name == "insert":
        return call(arrays[0], 0, arrays[1])
    return call(*before, *arrays, *EXTRA.get(name, ()), **KEYWORDS.get(name, {}))


def theirs(system: str, function: Function, arrays: list[Any]) -> Any:
    """Call the library's function, as the table has it, with its own arrays."""
    library = library_of(get_system(system))
    assert library is not None
    if takes_several(function):
        arrays = [tuple(arrays)]
    given = dict(zip(required(function), arrays, strict=True)) | {
        "n": 2,
        "subscripts": BEFORE["einsum"],
        "condition": BEFORE["compress"],
        "indices": BEFORE["choose"],
        "q": EXTRA.get(function.name, (None,))[0],
    }
    call = row_call(function.call(library))
    positional = [each for expression in call.positional for each in _values(expression, given)]
    keywords = {name: value for name, each in call.keywords if (value := _value(each, given)) is not None}
    result = named(imported(library), call.name)(
        *positional, **keywords, **KEYWORDS.get(f"{library}.{function.name}", {})
    )
    if call.places is None:
        return result
    return result[call.places] if isinstance(call.places, int) else tuple(result[place] for place in call.places)


def _values(expression: ast.expr, given: dict[str, Any]) -> Sequence[Any]:
    if isinstance(expression, ast.Starred):
        found: Sequence[Any] = _value(expression.value, given)
        return found
    return [each for each in (_value(expression, given),) if each is not None]


def _value(expression: ast.expr, given: dict[str, Any]) -> Any:
    return given.get(expression.id) if isinstance(expression, ast.Name) else ast.literal_eval(expression)


def imported(library: str) -> Any:
    """The module, with its submodules that have functions."""
    if library == "dask":
        import_module("dask.array")
    if library == "jax":
        import_module("jax.numpy")
    return import_module(library)


def parts(result: Any) -> tuple[Any, ...]:
    """One result or several, as a tuple."""
    return tuple(result) if isinstance(result, tuple | list) else (result,)
