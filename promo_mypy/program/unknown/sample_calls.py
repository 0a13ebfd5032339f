"""Ask the rules which arguments of unknown dtype decide that of a call, by trying some dtypes."""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final, NamedTuple

from mypy.types import Instance

from promo_mypy.plugin.interface.arrays import members
from promo_mypy.program.checked.array_kinds import KINDS
from promo_mypy.program.definitions.reader import Reader
from promo_mypy.program.following.library_calls import named_as
from promo_mypy.program.syntax.devices import is_device
from promo_mypy.program.syntax.keywords import is_passed_on, keywords, passed
from promo_mypy.program.syntax.operations import WRITTEN
from promo_mypy.program.unknown.known_types import array_of_shape, is_doubtful, is_number_of_shape
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

_SYSTEMS: Final = {"einops": "torch", "opt_einsum": "torch", "array_api_strict": "array-api"}
_SAMPLES: Final = (Operand(dt.float32), Operand(dt.int64), Operand(dt.bool_), Operand(dt.complex64), Operand(dt.py_int))
#: Parameters whose arguments name the dtype of a result.
_NAMING: Final = frozenset({"dtype", "out", "preferred_element_type", "other", "args"})
_PYTHON: Final = {"bool": dt.bool_, "int": dt.int64, "float": dt.float64, "complex": dt.complex128}


class _Samples(NamedTuple):
    """What stands for doubtful arguments: an operand, or its dtype for those that name one; or nothing.

    `texts`: calls that compute the name of a dtype. What they are given decides it.
    """

    operand: Operand
    naming: Set[ast.expr]
    texts: Set[ast.expr]
    unknown: Sequence[ast.expr]


class SampleCalls:
    """The calls of one module. `reader` reads its expressions."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._typed = reader.typed
        self._scopes = reader.scopes
        is_x64 = reader.module.options.jax_enable_x64
        self._systems: Final = _SYSTEMS if is_x64 else _SYSTEMS | {"jax": "jax-x32"}

    def deciding(self, row: Row, call: ast.Call, receiver: Sequence[ast.expr]) -> list[ast.expr] | None:
        """The arguments that decide the dtype of a call; None if it has none for any dtype of theirs."""
        given, options = [*receiver, *call.args], keywords(call, self._scopes)
        every = [*given, *(each.value for each in options)]
        naming = set(_naming(row, given, options))
        texts = dict(self._given_to_texts(naming))
        leaves = [leaf for each in every for leaf in _leaves(each)]
        doubtful = [leaf for leaf in leaves if leaf in texts or self._is_doubtful(leaf)]
        if not doubtful or not self._are_written(row, options):
            return None
        system = get_system(self._systems.get(row.library, row.library))

        def answers(sample: Operand, *unknown: ast.expr) -> bool:
            samples = _Samples(sample, naming, texts.keys(), unknown)
            named = {each.arg: self._argument(each.value, samples) for each in options if each.arg is not None}
            arguments = Arguments.of(*(self._argument(each, samples) for each in given), **named_as(row, named))
            answer = functions.resolve_call(system, row, arguments)
            return answer is not None and not isinstance(answer, Refusal)

        sample = next(filter(answers, _SAMPLES), None)
        if sample is None:
            return None
        deciding = [each for each in doubtful if not answers(sample, each)] or doubtful
        return [part for each in deciding for part in texts.get(each, [each])]

    def named_dtype(self, expression: ast.expr) -> DtypeArgument | None:
        """The dtype that a name of a library or of Python stands for."""
        name = self._scopes.imported(expression)
        if name is None and isinstance(expression, ast.Name) and expression.id in _PYTHON:
            return DtypeArgument(_PYTHON[expression.id])
        module, _, short = (name or "").rpartition(".")
        found = [dtype for kind in KINDS if module == kind.module and (dtype := kind.dtypes.get(short)) is not None]
        dtype = found[0] if found else dt.DTYPES.get(short)
        return DtypeArgument(dtype) if dtype is not None else None

    def _is_doubtful(self, expression: ast.expr) -> bool:
        is_told = is_device(expression, self._scopes) or self.named_dtype(expression) is not None
        return not is_told and is_doubtful(expression, self._reader)

    def _given_to_texts(self, naming: Iterable[ast.expr]) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
        """The calls among some arguments that compute the name of a dtype, and what they are given."""
        for each in naming:
            cls = self._typed.class_of(each)
            if isinstance(each, ast.Call) and cls is not None and cls.fullname == "builtins.str":
                yield each, passed(each)

    def _are_written(self, row: Row, options: Sequence[ast.keyword]) -> bool:
        """Whether no `**options` of a call can name its dtype, or those are the ones that its function is given."""
        named = {each.arg for each in options}
        asked = {each.name for each in signature(row.signature).parameters} & _NAMING
        spread = [each.value for each in options if each.arg is None]
        return asked <= named or all(is_passed_on(each, self._scopes) for each in spread)

    def _argument(self, expression: ast.expr, samples: "_Samples") -> Argument:
        if expression in samples.unknown:
            return UNKNOWN
        match expression:
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Items(tuple(self._argument(each, samples) for each in items))
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.Starred(value=item):
                return Many(self._argument(item, samples))
            case ast.Constant(value=value):
                return Value(value) if isinstance(value, WRITTEN) else OTHER
            case ast.Attribute(attr="dtype", value=array):
                return _dtype_of(self._argument(array, samples))
        if array_of_shape(expression) is not None:
            return Operand(dt.py_int) if is_number_of_shape(expression) else OTHER
        if expression in samples.texts or self._is_doubtful(expression):
            return _dtype_of(samples.operand) if expression in samples.naming else samples.operand
        return self.named_dtype(expression) or self._typed_argument(expression)

    def _typed_argument(self, expression: ast.expr) -> Argument:
        known = self._typed.known(expression)
        if known is None or is_device(expression, self._scopes):
            return OTHER
        if known.arrays is not None:
            dtypes = known.arrays.dtypes
            return Operand(min(dtypes, key=lambda each: each.name)) if dtypes else UNKNOWN
        inner = [each for typ in known.types for each in members(typ)]
        names = {each.type.name for each in inner if isinstance(each, Instance)}  # None would raise an error
        scalar = dt.PYTHON_SCALARS.get(f"py_{names.pop()}") if len(names) == 1 else None
        return Operand(scalar) if scalar is not None else OTHER


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
    """An expression, or what a display contains."""
    match expression:
        case ast.Tuple(elts=items) | ast.List(elts=items):
            for item in items:
                yield from _leaves(item)
        case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.Starred(value=item):
            yield from _leaves(item)
        case _:
            yield expression
