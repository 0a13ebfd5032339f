"""Turn mypy's types and expressions of arguments into the arguments that the rules take, in every combination."""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from mypy.nodes import (
    ComplexExpr,
    Expression,
    FloatExpr,
    ListExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.alternatives import NOTHING_KNOWN, combined, in_order, sequence_of
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.arguments.ignored_options import without_options
from promo_mypy.plugin.calls.arguments.length_hooks import with_lengths
from promo_mypy.plugin.calls.arguments.numbers_as_arrays import is_made_of_number
from promo_mypy.plugin.calls.arguments.replaced_options import may_hold_dtype
from promo_mypy.plugin.calls.arguments.sequence_items import Item, item_of_display, item_of_sequence
from promo_mypy.plugin.libraries import BY_LIBRARY, Library
from promo_mypy.plugin.mypy_api.arguments import Argument as Given
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import array_types
from promo_mypy.plugin.types.walks import opened
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.exports import CONVERTED, EXPORTING, takes
from promo_mypy.rules.functions.language.arguments import (
    OTHER,
    Argument,
    Arguments,
    DtypeArgument,
    Items,
    Many,
    Value,
)
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.numpy.forms import CONVERTING
from promo_mypy.rules.functions.stored_numbers import ITEMS
from promo_mypy.rules.mixing import CONVERTIBLE
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record

#: Parameters that take a dtype, beside `dtype` and those whose names end with it.
_DTYPES: Final = frozenset({"preferred_element_type", "output_type", "out_type"})


#: Classes of arguments that may name a dtype, for a parameter that takes other things, too. See `replaced_options`.
_NAMING: Final = frozenset({names.TORCH_DTYPE, names.NUMPY_DTYPE, names.TORCH_DEVICE, "builtins.str"})

#: The classes of an index that may be a tuple, with an index for each axis.
_MAYBE_TUPLES: Final = frozenset({"builtins.tuple", "typing.Sequence", "torch._C.Size"})


@record
class CallReader:
    """Reads the arguments of calls of one function.

    Attributes:
        row: the function.
        library: the library of the function; if it takes arrays of any library, the library of the arrays in the call.
        system: the promotion system that applies.
        session: the run of mypy.
        api: the type checker.
    """

    row: Row
    library: Library
    system: PromotionSystem
    session: Session
    api: CheckerPluginInterface

    @property
    def asks_rank(self) -> bool:
        """Whether the result may differ for an array without dimensions."""
        if self.system.rank_matters and BY_LIBRARY[self.library].ranked:
            return True
        return _asks_rank(self.row, self.system)

    def combinations(self, given: Sequence[Given], receiver: Type | None) -> Iterator[Arguments] | None:
        """All calls that this call may be; None if it has `*args` or `**kwargs`, or if there are too many.

        `receiver`: the array whose method is called.
        """
        parameters = signature(self.row.signature).parameters
        given = without_options(given, parameters, self.library)
        if any(argument.is_star for argument in given):
            return None
        named = [parameter for parameter in parameters if parameter.positional]
        positional = [] if receiver is None else [self._of_type(receiver)]
        keywords: list[tuple[str, Sequence[Argument]]] = []
        for argument in given:
            place = min(len(positional), len(named) - 1)
            name = argument.keyword or (named[place].name if named else "")
            read = self._of_argument(name, argument)
            if argument.keyword is None:
                positional.append(read)
            else:
                keywords.append((argument.keyword, read))
        keywords.sort(key=lambda keyword: keyword[0])
        choices = combined(*positional, *(read for _, read in keywords))
        if choices is None:
            return None
        order = [name for name, _ in keywords]
        return (
            Arguments(choice[: len(positional)], tuple(zip(order, choice[len(positional) :], strict=True)))
            for choice in choices
        )

    def _of_argument(self, parameter: str, argument: Given) -> Sequence[Argument]:
        typ = self._type(argument.expression, argument.type)
        if parameter == "key" and self.row.name == ITEMS:
            return self._of_key(argument.expression, typ)
        if isinstance(typ, NoneType):
            return (Value(None),)
        if parameter.endswith("dtype") or parameter in _DTYPES:
            return self._of_dtype(argument.expression, typ, makes_array=True)
        if self.row.rule.takes_dtypes and _may_name_dtype(argument.expression, typ):
            named = self._of_dtype(argument.expression, typ)
            if named is not NOTHING_KNOWN or may_hold_dtype(argument.expression, typ, self.api):
                return named
        return self._of_expression(argument.expression, typ)

    def _of_key(self, expression: Expression, typ: ProperType) -> Sequence[Argument]:
        """The parts of an index: those of a tuple of known length, or a single one. A list is a single part."""
        if isinstance(expression, TupleExpr) or isinstance(typ, TupleType):
            return self._of_expression(expression, typ)
        parts = self._of_expression(expression, typ)
        if isinstance(typ, Instance) and typ.type.fullname in _MAYBE_TUPLES:
            parts = [part.item if isinstance(part, Many) else part for part in parts]
        return tuple(Items((part,)) for part in parts)

    def _type(self, expression: Expression, declared: Type) -> ProperType:
        return get_proper_type(with_lengths(expression, declared, self.session, self.api))

    def _of_dtype(self, expression: Expression, typ: ProperType, *, makes_array: bool = False) -> Sequence[Argument]:
        found = dtypes_named(expression, typ, self.library, self.session, self.api, makes_array=makes_array)
        if found is not None:
            return tuple(DtypeArgument(dtype) for dtype in in_order(found))
        text = typ.last_known_value if isinstance(typ, Instance) else None
        return (Value(text.value),) if text is not None and isinstance(text.value, str) else NOTHING_KNOWN

    def _of_expression(self, expression: Expression, typ: ProperType) -> Sequence[Argument]:
        if isinstance(expression, ListExpr | TupleExpr):
            return self._of_display(expression.items)
        every = item_of_sequence(expression, self.api)
        if every is not None:
            return sequence_of(self._of_item(every))
        if _may_name_dtype(expression, typ) and not isinstance(typ, Instance):
            named = self._of_dtype(expression, typ)
            if named is not NOTHING_KNOWN:
                return named
        if isinstance(expression, OpExpr | UnaryExpr | FloatExpr | ComplexExpr):
            value = type_checker.folded(self.api, expression)
            if isinstance(value, bool | int) or (self.system.examples and isinstance(value, float | complex)):
                return (Value(value),)
        found = self._of_type(typ)
        if self.library is Library.NUMPY and self.asks_rank and is_made_of_number(expression, self.api):
            return tuple(Operand(each.dtype, Form.ZERO_D) if isinstance(each, Operand) else each for each in found)
        return found

    def _of_display(self, items: Sequence[Expression]) -> Sequence[Argument]:
        """The items of a display, one by one: mypy's type of a list has only what they have in common."""
        read: dict[object, Sequence[Argument]] = {}
        places: list[object] = []
        for expression in items:
            item = item_of_display(expression, self.api)
            if item is None:
                return NOTHING_KNOWN
            # A variable that occurs twice has one dtype.
            place = expression.node if isinstance(expression, NameExpr) else expression
            places.append(place)
            if place not in read:
                read[place] = self._of_item(item)
        if any(isinstance(item, StarExpr) for item in items):
            return sequence_of(list(dict.fromkeys(itertools.chain.from_iterable(read.values()))))
        choices = combined(*read.values())
        if choices is None:
            return NOTHING_KNOWN
        chosen = (dict(zip(read, choice, strict=True)) for choice in choices)
        return tuple(Items(tuple(map(choice.__getitem__, places))) for choice in chosen)

    def _of_item(self, item: Item) -> Sequence[Argument]:
        return self._of_expression(item.expression, self._type(item.expression, item.type))

    def _of_type(self, declared: Type) -> Sequence[Argument]:
        typ = opened(declared)
        match typ:
            case NoneType():
                return (Value(None),)
            case UnionType():
                parts = [self._of_type(item) for item in typ.items]
                return tuple(dict.fromkeys(itertools.chain.from_iterable(parts)))
            case LiteralType(value=bool() | int() | str() as value):
                return (Value(value),)
            case Instance(last_known_value=LiteralType(value=bool() | int() | str() as value)):
                return (Value(value),)
            case TupleType() if not any(isinstance(item, UnpackType) for item in typ.items):
                choices = combined(*(self._of_type(item) for item in typ.items))
                return NOTHING_KNOWN if choices is None else tuple(map(Items, choices))
            case Instance() if typ.type.fullname == names.TORCH_DTYPE:
                return NOTHING_KNOWN
            case Instance() if typ.type.fullname in names.OTHER_VALUES:
                return (OTHER,)
            case Instance() if typ.type.fullname in names.SEQUENCES or self._is_of_parameters(typ):
                return self._of_sequence(typ)
            case Instance():
                return self._of_instance(typ)
            case _:
                return NOTHING_KNOWN

    def _is_of_parameters(self, typ: Instance) -> bool:
        """Whether this is what `module.parameters()` returns. NumPy makes an array of an object of an iterator."""
        return self.library is Library.TORCH and typ.type.fullname == names.ITERATOR

    def _of_sequence(self, sequence: Instance) -> Sequence[Argument]:
        if not sequence.args:
            return (Many(Operand(dt.py_int)),)  # a range
        return sequence_of(self._of_type(sequence.args[0]))

    def _of_instance(self, typ: Instance) -> Sequence[Argument]:
        values = array_types.read(typ, self.session.platform)
        if values is None:
            return NOTHING_KNOWN
        operands: dict[Operand, None] = {}
        for value in values:
            for dtype in in_order(value.dtypes):
                found = self._operands(value, dtype)
                if found is None:
                    return NOTHING_KNOWN
                operands.update(dict.fromkeys(found))
        return tuple(operands)

    def _operands(self, value: array_types.Value, dtype: dt.OperandType) -> Sequence[Operand] | None:
        """The value as operands of this library: two if its rank matters and is unknown."""
        if value.library is not Library.PYTHON and value.library is not self.library:
            assert issubclass(dtype, dt.Shaped)
            if not self._converts(value, dtype):
                return None
            dtype = dtype.strong
            if self.library is not Library.JAX:
                return (Operand(dtype),)
        if value.is_array and self.asks_rank:
            if value.rank.zero:
                return (Operand(dtype, Form.ZERO_D),)
            # Few of NumPy's types have a rank.
            if not value.rank.positive and self.library is not Library.NUMPY:
                return Operand(dtype), Operand(dtype, Form.ZERO_D)
        if value.may_be_array:
            return Operand(dtype, value.form), Operand(dtype)
        return (Operand(dtype, value.form),)

    def _converts(self, value: array_types.Value, dtype: type[dt.Shaped]) -> bool:
        """Whether the function converts a value of another library to an array of its own with the same dtype."""
        library = value.library
        if library.value in CONVERTED.get(self.library.value, ()):
            return True
        if library is Library.NUMPY:
            scalar = value.form is Form.SCALAR and not value.may_be_array
            return takes(self.row.library, self.row.name, dtype, scalar=scalar)
        if self.library is not Library.NUMPY or library.value not in EXPORTING or self.row.name not in CONVERTING:
            return False
        return library is not Library.TORCH or dtype in CONVERTIBLE


@cache
def _asks_rank(row: Row, system: PromotionSystem) -> bool:
    """The rule's answer, which is cached."""
    return row.rule.asks_rank(system)


def _may_name_dtype(expression: Expression, typ: ProperType) -> bool:
    """Whether this may be a dtype in a place that also accepts arrays."""
    match typ:
        case AnyType():
            return isinstance(expression, RefExpr)
        case FunctionLike() | TypeType():
            return True
        case Instance():
            return typ.type.fullname in _NAMING
        case _:
            return False
