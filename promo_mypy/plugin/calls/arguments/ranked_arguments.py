"""Apply the rank rule of a function to the arguments of a call: their ranks, and values that are written out."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ARG_STAR, Expression, ListExpr, OpExpr, StarExpr, TupleExpr, UnaryExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeVarType,
    UnpackType,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.sequence_items import item_of_sequence
from promo_mypy.plugin.calls.arguments.shape_ranks import rank_of_sizes
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument as Given
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.types.array_ranks import rank_of, rank_of_shape
from promo_mypy.plugin.types.array_types import array_row, as_array, is_number, library_of
from promo_mypy.plugin.types.walks import opened
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import (
    UNKNOWN,
    Argument,
    Arguments,
    DtypeArgument,
    Items,
    Many,
    Ranked,
    Sizes,
    Value,
)
from promo_mypy.rules.functions.language.rank_rules import result_rank
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts

with late():
    from promo_mypy.plugin.calls.arguments import numpy_dimensions

# A rank rule needs to know whether an argument is a dtype, not which one.
_DTYPE: Final = DtypeArgument(dt.Shaped)


def rank_of_call(row: Row, given: Sequence[Given], receiver: Type | None, api: CheckerPluginInterface) -> RankFacts:
    """What is known of the rank of a call's result. `receiver`: the array whose method is called."""
    if row.rank is None:
        return UNKNOWN_RANK
    first = () if receiver is None else (_of_type(receiver),)
    positional = list[Argument]()
    for argument in given:
        if argument.is_star or argument.is_spread:
            spread = argument.expression if argument.kind is ARG_STAR else argument.spread
            sizes = rank_of_sizes(spread, api) if spread is not None else None
            if sizes is None or sizes.exact is None:
                return UNKNOWN_RANK
            positional += [Operand(dt.py_int)] * sizes.exact
        elif argument.keyword is None:
            positional.append(_read(argument, api))
    keywords = {argument.keyword: _read(argument, api) for argument in given if argument.keyword is not None}
    return result_rank(row, Arguments.of(*first, *positional, **keywords))


def _read(argument: Given, api: CheckerPluginInterface) -> Argument:
    found = _of_expression(argument.expression, argument.type, api)
    is_open = isinstance(found, Ranked) and found.rank == UNKNOWN_RANK
    if (
        is_open
        and library_of(argument.type) is Library.NUMPY
        and numpy_dimensions.has_dimensions(argument.expression, api)
    ):
        return Ranked(AT_LEAST_ONE)
    return found


def _of_expression(expression: Expression, typ: Type, api: CheckerPluginInterface) -> Argument:
    sizes = rank_of_sizes(expression, api)
    if sizes is not None:
        return Sizes(sizes)
    match expression:
        case ListExpr(items=items) | TupleExpr(items=items):
            if any(isinstance(item, StarExpr) for item in items):
                return UNKNOWN
            current = type_checker.checker(api)
            types = [type_checker.expression_type(current, item) for item in items]
            return Items(
                tuple(
                    UNKNOWN if known is None else _of_expression(item, known, api)
                    for item, known in zip(items, types, strict=True)
                )
            )
        case OpExpr() | UnaryExpr():
            value = type_checker.folded(api, expression)
            if isinstance(value, bool | int):
                return Value(value)
    every = item_of_sequence(expression, api)
    if every is None:
        return _of_type(typ)
    return Many(_of_expression(every.expression, every.type, api))


def _of_type(declared: Type) -> Argument:
    typ = opened(declared)
    match typ:
        case NoneType():
            return Value(None)
        case LiteralType(value=bool() | int() | str() as value):
            return Value(value)
        case Instance(last_known_value=LiteralType(value=bool() | int() | str() as value)):
            return Value(value)
        case TypeVarType():
            return _of_type(typ.upper_bound)
        case TupleType() if not any(isinstance(item, UnpackType) for item in typ.items):
            return Items(tuple(_of_type(item) for item in typ.items))
        case Instance() if typ.type.fullname in names.SEQUENCES:
            return Many(_of_type(typ.args[0]) if typ.args else Operand(dt.py_int))
        case Instance() if typ.type.fullname == names.TORCH_DTYPE:
            return _DTYPE
        case Instance() if is_number(typ):
            return Operand(dt.py_int if typ.type.fullname == "builtins.int" else dt.py_float)
        case Instance():
            return _of_array(typ)
        case _:
            return UNKNOWN


def _of_array(typ: Instance) -> Argument:
    row = array_row(typ)
    if row is None:
        return UNKNOWN
    return Ranked(rank_of_shape(typ) if row.library is Library.NUMPY else rank_of(as_array(typ, row.array)))
