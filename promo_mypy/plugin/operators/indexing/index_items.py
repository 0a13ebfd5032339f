"""Compute what the parts of an index (`0`, `1:`, `None`, `...`, masks, integer arrays) do to the rank.

A part takes a number of dimensions and replaces them: an integer by no dimension, a slice by its own, a boolean mask of
any rank by a single one. None adds a dimension. Integer arrays and masks are broadcast together and are replaced by the
dimensions of the broadcast. NumPy and PyTorch agree on this. They differ in the position of those dimensions.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Expression, IntExpr, ListExpr, NameExpr, TupleExpr, UnaryExpr
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, UnpackType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.types.array_types import Value, read
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form
from promo_mypy.rules.ranks import AT_LEAST_ONE, UNKNOWN_RANK, RankFacts, broadcast
from promo_mypy.rules.records import record

_TRUTH_VALUES: Final = frozenset({"builtins.True", "builtins.False"})


@record
class IndexPart:
    """What one part of an index does to the dimensions of the array.

    Attributes:
        taken: the number of dimensions that it takes; None if unknown.
        put: the number of dimensions that it certainly adds in their place.
        advanced: for an integer array or a mask, the rank to broadcast with those of others.
    """

    taken: int | None = None
    put: int = 0
    advanced: RankFacts | None = None


def parts_of(expression: Expression, typ: Type, platform: str) -> list[IndexPart]:
    """The parts of an index. An unknown part takes an unknown number of dimensions."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType) and not any(isinstance(item, UnpackType) for item in proper.items):
        written: Sequence[Expression | None] = [None] * len(proper.items)
        if isinstance(expression, TupleExpr) and len(expression.items) == len(proper.items):
            written = expression.items
        return [_part(item, part, platform) for item, part in zip(written, proper.items, strict=True)]
    return [_part(expression, proper, platform)]


def rank_after(rank: RankFacts, parts: Sequence[IndexPart]) -> RankFacts:
    """The rank of `x[index]` for an x of that rank."""
    advanced = [part.advanced for part in parts if part.advanced is not None]
    put_in = broadcast(*advanced) if advanced else RankFacts.of(0)
    kept = sum(part.put for part in parts)
    taken = [part.taken for part in parts if part.taken is not None]
    if rank.exact is not None and put_in.exact is not None and len(taken) == len(parts):
        left = rank.exact - sum(taken)
        return RankFacts.of(left + kept + put_in.exact) if left >= 0 else UNKNOWN_RANK
    return AT_LEAST_ONE if kept or put_in.positive else UNKNOWN_RANK


def _part(expression: Expression | None, typ: Type, platform: str) -> IndexPart:
    proper = get_proper_type(typ)
    if isinstance(proper, NoneType):
        return IndexPart(0, 1)
    if is_int(proper):
        return IndexPart(1)
    if isinstance(proper, LiteralType):
        return IndexPart()
    if isinstance(proper, Instance):
        name = proper.type.fullname
        if name == "builtins.slice":
            return IndexPart(1, 1)
        if name in names.ELLIPSES:
            return IndexPart(0)
        if name == "builtins.list":
            return _list_part(expression, proper)
    values = read(proper, platform)
    return _array_part(values[0]) if values is not None and len(values) == 1 else IndexPart()


def _list_part(expression: Expression | None, typ: Instance) -> IndexPart:
    # Both [0, 2] and [True, False] take one dimension and add one. mypy infers a list display in the context of the
    # index type, so its items are used instead.
    if isinstance(expression, ListExpr):
        flat = bool(expression.items) and all(_is_literal_number(item) for item in expression.items)
    else:
        item = get_proper_type(typ.args[0])
        flat = is_int(item) or (isinstance(item, Instance) and item.type.fullname == "builtins.bool")
    return IndexPart(1, 0, RankFacts.of(1)) if flat else IndexPart()


def _is_literal_number(expression: Expression) -> bool:
    if isinstance(expression, UnaryExpr):
        return _is_literal_number(expression.expr)
    if isinstance(expression, NameExpr):
        return expression.fullname in _TRUTH_VALUES
    return isinstance(expression, IntExpr)


def _array_part(value: Value) -> IndexPart:
    if value.form is Form.PYTHON:
        return IndexPart()
    kinds = {dtype.kind for dtype in value.dtypes}
    if value.form is Form.SCALAR and kinds <= {"i", "u"}:
        return IndexPart(1)
    rank = RankFacts.of(0) if value.form is Form.SCALAR else value.rank
    if kinds == {"b"}:
        return IndexPart(rank.exact, 0, RankFacts.of(1))
    # PyTorch reads an array of uint8 as a mask.
    if kinds <= {"i", "u"} and not (value.library is Library.TORCH and dt.uint8 in value.dtypes):
        return IndexPart(1, 0, rank)
    return IndexPart()
