"""Give `Int[T, ""]` in a result, with a type variable `T` over arrays, the dtype that is written.

A type variable stands for one type in a whole signature, dtype included. mypy solves it from the arguments: for
`def argmax(x: Float[T, "n"]) -> Int[T, ""]` it would infer a float32 index from a float32 array. If the arguments do
not determine the dtype of the result, the result is the bound of the variable with the written dtype.
"""

from collections.abc import Iterator

from mypy.nodes import FuncDef
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    CallableType,
    TupleType,
    Type,
    TypeList,
    TypeVarType,
    UnboundType,
    UnionType,
)

from promo_mypy.plugin.annotations.narrowing import Claimed
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.types.array_types import library_of


def apply(variable: TypeVarType, claimed: Claimed, ctx: AnalyzeTypeContext) -> Type:
    """The variable, or its bound with the claimed dtype.

    A variable with values, or with a bound of several classes, stays: mypy solves it for one library, which the bound
    does not name.
    """
    bound = variable.upper_bound
    if variable.values or library_of(bound) is None or not _returns_another_dtype(ctx):
        return variable
    return claimed.apply(bound) or variable


def _returns_another_dtype(ctx: AnalyzeTypeContext) -> bool:
    function = semantic_analysis.statement(ctx)
    if not isinstance(function, FuncDef) or not isinstance(function.unanalyzed_type, CallableType):
        return False
    here = ctx.type
    returned = [mention for mention, _ in _mentions(function.unanalyzed_type.ret_type)]
    if all((mention.line, mention.column) != (here.line, here.column) for mention in returned):
        return False
    variable = here.args[0]
    assert isinstance(variable, UnboundType)
    arguments = (_mentions(argument) for argument in function.unanalyzed_type.arg_types)
    around = [outer for argument in arguments for mention, outer in argument if mention.name == variable.name]
    return not around or any(name != here.name for name in around)


def _mentions(typ: Type, around: str | None = None) -> Iterator[tuple[UnboundType, str | None]]:
    """Every name in a type as it is written, with the name whose argument it is."""
    if isinstance(typ, UnboundType):
        yield typ, around
        for argument in typ.args:
            yield from _mentions(argument, typ.name)
    elif isinstance(typ, UnionType | TypeList | TupleType):
        for item in typ.items:
            yield from _mentions(item, around)
