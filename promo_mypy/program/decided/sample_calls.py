"""Ask the rules whether a call has a known dtype as soon as its arguments have one, by trying some dtypes."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from mypy.types import Instance

from promo_mypy.plugin.interface.arrays import members
from promo_mypy.program.checked.array_kinds import KINDS
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.decided.reader import Reader
from promo_mypy.program.syntax.devices import is_device
from promo_mypy.program.syntax.keywords import is_passed_on, keywords
from promo_mypy.program.syntax.operations import WRITTEN
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
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system

#: Attributes of arrays that are not arrays: they decide no dtype.
_OF_SHAPE: Final = frozenset({"shape", "ndim", "size", "device", "itemsize", "nbytes"})
_NUMBERS: Final = frozenset({"ndim", "size", "itemsize", "nbytes"})
_CLASSES: Final = ("numpy.ndarray", "jax.Array", "torch.Tensor")
_SYSTEMS: Final = {"einops": "torch", "opt_einsum": "torch", "array_api_strict": "array-api"}
_SAMPLES: Final = (Operand(dt.float32), Operand(dt.int64), Operand(dt.bool_), Operand(dt.complex64), Operand(dt.py_int))


class SampleCalls:
    """The calls of one module. `decided`: what follows there from the dtypes of parameters."""

    def __init__(self, module: Module, typed: TypedExpressions, decided: Reader) -> None:
        self._typed = typed
        self._scopes = decided.scopes
        self._decided = decided
        self._systems: Final = _SYSTEMS if module.options.jax_enable_x64 else _SYSTEMS | {"jax": "jax-x32"}

    def decide(self, row: Row, call: ast.Call, receiver: ast.expr | None = None) -> bool:
        """Whether the parameters decide the dtype of a call: it has one for some dtype of theirs."""
        given = [*([receiver] if receiver is not None else []), *call.args]
        options = keywords(call, self._scopes)
        every = [*given, *(each.value for each in options)]
        named = {id(each) for each in _naming(row, given, options) if self._decided.certain_dtype(each)}
        if not (named or any(map(self._is_decisive, every))) or not self._are_written(row, options):
            return False
        system = get_system(self._systems.get(row.library, row.library))
        for sample in _SAMPLES:
            others = {
                str(each.arg): self._argument(each.value, sample, id(each.value) in named)
                for each in options
                if each.arg is not None
            }
            arguments = Arguments.of(*(self._argument(each, sample, id(each) in named) for each in given), **others)
            answer = functions.resolve_call(system, row, arguments)
            if answer is not None and not isinstance(answer, Refusal):
                return True
        return False

    def decide_method(self, method: ast.Attribute, call: ast.Call) -> bool:
        """Whether the parameters decide the dtype of a method's call. An unknown receiver may be of any library."""
        name = self._typed.member(method)
        names = [name] if name is not None else [f"{cls}.{method.attr}" for cls in _CLASSES]
        rows = [row for name in names if (row := functions.find(name)) is not None]
        return any(self.decide(row, call, method.value) for row in rows)

    def _are_written(self, row: Row, options: Sequence[ast.keyword]) -> bool:
        """Whether no `**options` of a call can name its dtype, or those are the ones that its function is given."""
        named = {each.arg for each in options}
        asked = {each.name for each in signature(row.signature).parameters} & _NAMING
        spread = [each.value for each in options if each.arg is None]
        return asked <= named or all(is_passed_on(each, self._scopes) for each in spread)

    def _is_decisive(self, expression: ast.expr) -> bool:
        return any(map(self._decided.follows_parameters, _leaves(expression)))

    def _argument(self, expression: ast.expr, sample: Operand, is_dtype: bool = False) -> Argument:
        match expression:
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Items(tuple(self._argument(each, sample) for each in items))
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.Starred(value=item):
                return Many(self._argument(item, sample))
            case ast.Constant(value=value):
                return Value(value) if isinstance(value, WRITTEN) else OTHER
            case ast.Attribute(attr="dtype", value=array):
                return _dtype_of(self._argument(array, sample))
        if is_dtype or self._decided.follows_parameters(expression):
            return _dtype_of(sample) if is_dtype else sample
        return self.named_dtype(expression) or self._typed_argument(expression)

    def named_dtype(self, expression: ast.expr) -> DtypeArgument | None:
        """The dtype that a name of a library or of Python stands for."""
        name = self._scopes.imported(expression)
        if name is None and isinstance(expression, ast.Name) and expression.id in _PYTHON:
            return DtypeArgument(_PYTHON[expression.id])
        module, _, short = (name or "").rpartition(".")
        found = [dtype for kind in KINDS if module == kind.module and (dtype := kind.dtypes.get(short)) is not None]
        dtype = found[0] if found else dt.DTYPES.get(short)
        return DtypeArgument(dtype) if dtype is not None else None

    def _typed_argument(self, expression: ast.expr) -> Argument:
        if is_of_shape(expression):
            is_number = not isinstance(expression, ast.Attribute) or expression.attr in _NUMBERS
            return Operand(dt.py_int) if is_number else OTHER
        known = self._typed.known(expression)
        if is_device(expression, self._scopes):
            return OTHER
        if known is not None and known.arrays is not None:
            dtypes = known.arrays.dtypes
            return Operand(min(dtypes, key=lambda each: each.name)) if dtypes else UNKNOWN
        if known is None or self._typed.is_any(expression):
            return UNKNOWN
        inner = [each for typ in known.types for each in members(typ)]
        names = {each.type.name for each in inner if isinstance(each, Instance)}  # None would raise an error
        scalar = dt.PYTHON_SCALARS.get(f"py_{names.pop()}") if len(names) == 1 else None
        return Operand(scalar) if scalar is not None else OTHER


#: Parameters whose arguments name the dtype of a result.
_NAMING: Final = frozenset({"dtype", "out", "preferred_element_type", "other", "args"})
_PYTHON: Final = {"bool": dt.bool_, "int": dt.int64, "float": dt.float64, "complex": dt.complex128}


def is_of_shape(expression: ast.expr) -> bool:
    """Whether it is the shape of an array, its device or the like, or an item of it."""
    inner = expression.value if isinstance(expression, ast.Subscript) else expression
    return isinstance(inner, ast.Attribute) and inner.attr in _OF_SHAPE


def _naming(row: Row, given: Sequence[ast.expr], options: Sequence[ast.keyword]) -> Iterator[ast.expr]:
    """The arguments for a parameter `dtype`."""
    for parameter, argument in zip(signature(row.signature).parameters, given, strict=False):
        if parameter.several or isinstance(argument, ast.Starred):
            break
        if parameter.name == "dtype":
            yield argument
    yield from (each.value for each in options if each.arg == "dtype")


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
