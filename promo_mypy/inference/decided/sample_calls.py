"""Ask the rules whether a call has a known dtype as soon as its arguments have one, by trying some dtypes."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

from mypy.types import Instance

from promo_mypy.inference.scopes import Scopes
from promo_mypy.inference.typed_expressions import TypedExpressions
from promo_mypy.plugin.types.union_members import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import (
    OTHER,
    UNKNOWN,
    Argument,
    Arguments,
    DtypeArgument,
    Items,
    Many,
    Value,
)
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system

#: Attributes of arrays that are no arrays: they decide no dtype.
_OF_SHAPE: Final = frozenset({"shape", "ndim", "size", "device", "itemsize", "nbytes"})
_CLASSES: Final = ("numpy.ndarray", "jax.Array", "torch.Tensor")
_SYSTEMS: Final = {"einops": "torch", "opt_einsum": "torch", "array_api_strict": "array-api"}
_SAMPLES: Final = (Operand(dt.float32), Operand(dt.int64), Operand(dt.bool_), Operand(dt.complex64), Operand(dt.py_int))
_WRITTEN: Final = (bool, int, float, complex, str, type(None))


class SampleCalls:
    """The calls of one module. `follows`: whether a dtype follows from those of parameters."""

    def __init__(self, typed: TypedExpressions, scopes: Scopes, follows: Callable[[ast.expr], bool]) -> None:
        self._typed = typed
        self._scopes = scopes
        self._follows = follows

    def decide(self, row: Row, call: ast.Call, receiver: ast.expr | None = None) -> bool:
        """Whether the parameters decide the dtype of a call: it has one for some dtype of theirs."""
        given = [*([receiver] if receiver is not None else []), *call.args]
        every = [*given, *(keyword.value for keyword in call.keywords)]
        if not any(map(self._is_decisive, every)) or not _are_written(call):
            return False
        system = get_system(_SYSTEMS.get(row.library, row.library))
        for sample in _SAMPLES:
            keywords = {
                str(each.arg): self._argument(each.value, sample, each.arg == "dtype") for each in call.keywords
            }
            arguments = Arguments.of(*(self._argument(each, sample) for each in given), **keywords)
            answer = functions.resolve_call(system, row, arguments)
            if answer is not None and not isinstance(answer, Refusal):
                return True
        return False

    def decide_method(self, method: ast.Attribute, call: ast.Call) -> bool:
        """The same for the method of an array. An array of unknown class has the methods of its library."""
        name = self._typed.member(method)
        names = [name] if name is not None else [f"{cls}.{method.attr}" for cls in _CLASSES]
        rows = [row for name in names if (row := functions.find(name)) is not None]
        return any(self.decide(row, call, method.value) for row in rows)

    def _is_decisive(self, expression: ast.expr) -> bool:
        return any(map(self._follows, _leaves(expression)))

    def _argument(self, expression: ast.expr, sample: Operand, is_dtype: bool = False) -> Argument:
        match expression:
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Items(tuple(self._argument(each, sample) for each in items))
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.Starred(value=item):
                return Many(self._argument(item, sample))
            case ast.Constant(value=value):
                return Value(value) if isinstance(value, _WRITTEN) else OTHER
            case ast.Attribute(attr="dtype", value=array):
                return _dtype_of(self._argument(array, sample))
        if self._follows(expression):
            return _dtype_of(sample) if is_dtype else sample
        return self._named_dtype(expression) or self._typed_argument(expression)

    def _named_dtype(self, expression: ast.expr) -> DtypeArgument | None:
        name = self._scopes.imported(expression)
        if name is None and isinstance(expression, ast.Name) and expression.id in _PYTHON:
            return DtypeArgument(_PYTHON[expression.id])
        dtype = dt.DTYPES.get(name.rpartition(".")[2]) if name is not None else None
        return DtypeArgument(dtype) if dtype is not None else None

    def _typed_argument(self, expression: ast.expr) -> Argument:
        if is_of_shape(expression):
            return Operand(dt.py_int) if isinstance(expression, ast.Subscript) else OTHER
        known = self._typed.known(expression)
        if known is None or self._typed.is_any(expression):
            return UNKNOWN
        if known.arrays is not None:
            dtypes = known.arrays.dtypes
            return Operand(min(dtypes, key=lambda each: each.name)) if dtypes else UNKNOWN
        inner = [each for typ in known.types for each in members(typ)]
        names = {each.type.name for each in inner if isinstance(each, Instance)}  # None would raise an error
        scalar = dt.PYTHON_SCALARS.get(f"py_{names.pop()}") if len(names) == 1 else None
        return Operand(scalar) if scalar is not None else OTHER


_PYTHON: Final = {"bool": dt.bool_, "int": dt.int64, "float": dt.float64, "complex": dt.complex128}


def is_of_shape(expression: ast.expr) -> bool:
    """Whether it is the shape of an array, its device or the like, or an item of it."""
    inner = expression.value if isinstance(expression, ast.Subscript) else expression
    return isinstance(inner, ast.Attribute) and inner.attr in _OF_SHAPE


def _are_written(call: ast.Call) -> bool:
    """Whether a call has no `**options`, or none that can name its dtype."""
    named = {each.arg for each in call.keywords}
    return None not in named or "dtype" in named


def _dtype_of(argument: Argument) -> Argument:
    match argument:
        case Operand(dtype) if issubclass(dtype, dt.Shaped):
            return DtypeArgument(dtype)
    return UNKNOWN


def _leaves(expression: ast.expr) -> Iterator[ast.expr]:
    """An expression, or what a display contains; the array of `x.dtype`."""
    match expression:
        case ast.Tuple(elts=items) | ast.List(elts=items):
            for item in items:
                yield from _leaves(item)
        case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.Starred(value=item):
            yield from _leaves(item)
        case ast.Attribute(attr="dtype", value=array):
            yield from _leaves(array)
        case ast.Subscript(value=ast.Attribute(attr=attr, value=array)) if attr in _OF_SHAPE:
            yield from _leaves(array)
        case _:
            yield expression
