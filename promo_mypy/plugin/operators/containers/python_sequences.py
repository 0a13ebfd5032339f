"""Infer items and repetitions of Python's sequences where mypy has no array, or stock mypy infers Any.

`names[i]` is overloaded for an int and a slice, and `names * i` has an operand of type Any, if `i` is a marked number.
"""

from typing import Final

from mypy.nodes import (
    GDEF,
    Context,
    DictExpr,
    Expression,
    IndexExpr,
    IntExpr,
    ListExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    SliceExpr,
    StrExpr,
    Var,
)
from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred import displays, marked_displays
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.repeated_tuples import stock_product
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.read_variables import read_variables
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.plugin.types.container_types import holds_array
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.unknown_dtypes import has_unknown_dtype

#: The methods of sequences. Those of dicts and strings are left out: stock mypy gives the same answer.
METHODS: Final = (
    *(f"typing.{name}.__getitem__" for name in ("Sequence", "MutableSequence")),
    *(f"builtins.{name}.__getitem__" for name in ("list", "tuple", "range", "bytes", "bytearray")),
    *(f"builtins.{name}.__mul__" for name in ("list", "tuple", "str", "bytes")),
)
#: The method of dicts.
OF_DICTS: Final = "builtins.dict.__getitem__"


def infer(ctx: MethodContext, session: Session) -> Type:
    """The declared result, unless the index or factor is marked. Arrays keep their dtype, with a mark."""
    declared = _of_display(ctx) or _declared(ctx)
    if not ctx.arg_types or not value_marks.is_any_marked(ctx.arg_types[0]) or _repeats_display(ctx.context):
        return declared
    if (holds_array(declared) or is_scalar_type(declared)) and not has_unknown_dtype(declared, session.platform):
        return value_marks.marked(declared, session.symbols, session.platform)
    return AnyType(TypeOfAny.implementation_artifact)


def _declared(ctx: MethodContext) -> Type:
    """The declared result; of `(x, y) * 2` the exact tuple, which mypy infers if no other plugin has a hook."""
    is_repeated = isinstance(ctx.context, OpExpr) and ctx.context.op == "*"
    return stock_product(ctx) if is_repeated else ctx.default_return_type


def infer_value(ctx: MethodContext, session: Session) -> Type:
    """`{"a": x, "b": y}["b"]`: an array, where mypy joins arrays to object. The dict may have a name."""
    return _of_display(ctx) or _of_constant(ctx, session) or ctx.default_return_type


def _of_constant(ctx: MethodContext, session: Session) -> Type | None:
    """The array that a key of an unannotated dict stands for, if mypy has joined arrays of several dtypes."""
    index, file = ctx.context, type_checker.tree(ctx.api)
    if not isinstance(index, IndexExpr) or not isinstance(index.base, NameExpr):
        return None
    variable, is_global = index.base.node, index.base.kind == GDEF
    if not isinstance(variable, Var) or not is_unannotated(variable):
        return None
    if is_global and type_checker.current_function(ctx.api) is not None:
        return None  # mypy's daemon may check the function alone
    joined = read(ctx.default_return_type, session.platform)
    if joined is not None and all(len(value.dtypes) == 1 for value in joined):
        return None
    value = _value_at(index, file)
    typ = type_checker.expression_type(type_checker.checker(ctx.api), value) if value is not None else None
    return typ if typ is not None and library_of(typ) is not None else None


def _of_display(ctx: MethodContext) -> Type | None:
    """The item of a display of arrays in which mypy finds no array, or of one that stock mypy infers as Any; None for
    any other expression.
    """
    type_of, declared = type_checker.checker(ctx.api).lookup_type_or_none, ctx.default_return_type
    match ctx.context:
        case IndexExpr(base=ListExpr() | DictExpr() as display) if not value_marks.is_marked(declared):
            found: Type | None = marked_displays.with_any_items(ctx.type, display, type_of)
            if found == ctx.type:
                found = displays.joined(display, type_of) if displays.hides(declared) else None
            whole = get_proper_type(found)
            return _item_or_slice(whole, ctx.context) if isinstance(whole, Instance) else None
        case _:
            return None


def _item_or_slice(container: Instance, indexed: IndexExpr) -> Type:
    return container if isinstance(indexed.index, SliceExpr) else container.args[-1]


def _repeats_display(context: Context) -> bool:
    """Whether this is `[x] * n`, for which mypy infers a list of any n."""
    return isinstance(context, OpExpr) and isinstance(context.left, ListExpr)


def _value_at(index: IndexExpr, tree: MypyFile) -> Expression | None:
    """The expression that an item of such a dict is; None for other items."""
    variable = index.base.node if isinstance(index.base, NameExpr) else None
    key = _key(index.index)
    if not isinstance(variable, Var) or key is None:
        return None
    values = definitions(tree).values(variable)
    display = values[0] if values is not None and len(values) == 1 else None
    if not isinstance(display, DictExpr) or variable not in read_variables(tree).variables:
        return None
    keys = [None if each is None else _key(each) for each, _ in display.items]
    found = [value for each, (_, value) in zip(keys, display.items, strict=True) if each == key]
    return found[0] if None not in keys and len(found) == 1 else None


def _key(expression: Expression) -> str | int | None:
    return expression.value if isinstance(expression, StrExpr | IntExpr) else None
