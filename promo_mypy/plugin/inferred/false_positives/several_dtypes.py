"""Find errors about an array of one of several dtypes where a union of arrays is declared that has one of each.

To mypy `Array[float32 | int32]`, which `jnp.flip` returns for the union, is not an `Array[float32] | Array[int32]`.
Nor is `Array[Inexact]`, whose category has the dtypes of both, an `Array[Float] | Array[Complex]`.
"""

import re
from collections.abc import Sequence
from typing import Final

from promo_mypy.plugin.inferred.false_positives.category_values import ABOVE, TYPES
from promo_mypy.plugin.messages import printed_marks
from promo_mypy.plugin.messages.printed_types import type_arguments, union_members
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt

#: The classes whose items are compared.
_CONTAINERS: Final = frozenset({"tuple", "list", "dict", "set", "Sequence", "Iterable", "Mapping"})
#: The classes above the scalars of NumPy that have names of their own.
_ABOVE: Final = {**ABOVE, "float64": "floating", "complex128": "complexfloating"}


def fit_apart(error: ErrorInfo) -> bool:
    """Whether an array of each of the dtypes would fit."""
    if " | " not in error.message:
        return False
    types = re.search(TYPES, printed_marks.without_marks(error.message))
    if types is None:
        return False
    return _accepts(types[2], types[1])


def _accepts(expected: str, text: str) -> bool:
    """Whether each member of a printed type that is not expected itself fits by its dtypes, and there is one."""
    wanted = union_members(expected)
    given = [each for each in union_members(text) if each not in (*wanted, "Any")]
    return bool(given) and all(_fits(each, wanted) or any(_holds(other, each) for other in wanted) for each in given)


def _holds(expected: str, container: str) -> bool:
    """Whether two printed types are containers of one class, and what is in the second one fits into the first."""
    if container.partition("[")[0] not in _CONTAINERS or container.partition("[")[0] != expected.partition("[")[0]:
        return False
    pairs = [type_arguments(each) for each in (expected, container)]
    is_alike = len(pairs[0]) == len(pairs[1])
    return is_alike and all(one == other or _accepts(one, other) for one, other in zip(*pairs, strict=True))


def _fits(array: str, wanted: Sequence[str]) -> bool:
    """Whether this is an array of several dtypes, each of which is that of a wanted array of the same class."""
    kind, named = _class_and_dtypes(array)
    parts = _numpy_parts if kind == "ndarray" else _parts
    dtypes = [part for each in named for part in parts(each)]
    declared = [each for other in map(_class_and_dtypes, wanted) if other[0] == kind for each in other[1]]
    is_one_of = _is_numpy_dtype if kind == "ndarray" else _is_dtype
    return len(dtypes) > 1 and all(any(is_one_of(each, other) for other in declared) for each in dtypes)


def _class_and_dtypes(array: str) -> tuple[str, Sequence[str]]:
    """The class of a printed array, and its dtypes; none for any other type."""
    kind = array.partition("[")[0]
    if kind == array or kind not in ("ndarray", "Array", "Tensor"):
        return kind, ()
    arguments = type_arguments(array)
    if kind != "ndarray":
        return kind, union_members(arguments[0])
    if len(arguments) == 1:
        return "cupy.ndarray", union_members(arguments[0])
    dtype = arguments[1]
    return kind, union_members(dtype[len("dtype[") : -1]) if dtype.startswith("dtype[") else ()


def _numpy_parts(dtype: str) -> Sequence[str]:
    """The classes of one kind in a printed class of NumPy's scalars of any width; the class itself for any other."""
    below = [cls for cls, above in ABOVE.items() if above == dtype.partition("[")[0]]
    return [part for cls in below for part in _numpy_parts(f"{cls}[Any]")] if below and "[Any" in dtype else [dtype]


def _parts(dtype: str) -> Sequence[str]:
    """The dtypes in a printed category; a dtype itself."""
    category = getattr(dt, dtype, None)
    if not isinstance(category, type) or not issubclass(category, dt.Shaped) or category.exact:
        return [dtype]
    return [each.__name__ for each in categories.members(category)]


def _is_numpy_dtype(dtype: str, declared: str) -> bool:
    """Whether a printed dtype of NumPy is a declared one, or belongs to a declared class."""
    name, wanted = dtype.partition("[")[0], declared.partition("[")[0]
    if name == wanted:
        return dtype == declared or bool(set(_widths(declared)) & {"Any", *_widths(dtype)})
    while name in _ABOVE and name != wanted:
        name = _ABOVE[name]
    return name == wanted and _widths(declared) == ["Any"]


def _widths(dtype: str) -> Sequence[str]:
    return list(union_members(type_arguments(dtype)[0])) if "[" in dtype else []


def _is_dtype(dtype: str, declared: str) -> bool:
    """Whether a printed dtype of the rules is a declared one, or belongs to a declared category."""
    known, wanted = getattr(dt, dtype, None), getattr(dt, declared, None)
    return isinstance(known, type) and isinstance(wanted, type) and issubclass(known, wanted)
