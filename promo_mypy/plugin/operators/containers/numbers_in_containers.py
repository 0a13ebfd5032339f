"""Report what stock mypy rejects for a list or dict of numbers that has got a value of type Any.

After `d = {"a": 0}` and `d["a"] = x.sum()` the items have the type `int | Any` with the plugin: what is read there may
have any dtype. Stock mypy keeps `dict[str, int]`, and rejects `d["b"] = np.int64(1)`.
"""

from itertools import chain

from mypy.nodes import DictExpr, Expression, IndexExpr, ListExpr, OpExpr, Var
from mypy.plugin import MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, UnionType, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import declarations, stock_checks
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.operators.containers.any_items import variable_of
from promo_mypy.plugin.trees.expressions import items_of_display
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.walks import members, opened, with_parts


def refusing_signature(ctx: MethodSigContext, filled: Expression) -> FunctionLike | None:
    """The signature that accepts numbers alone, if stock mypy infers Any for no argument; None for other containers."""
    number, variable = _number(ctx.type), variable_of(filled, ctx)
    given = list(chain(*ctx.args))
    if number is None or variable is None or not given or not _began_with_numbers(variable, ctx):
        return None
    match given[-1]:
        case OpExpr(left=IndexExpr(base=base), right=right) as added if variable_of(base, ctx) is variable:
            # Here `d["a"]` may have a mark, which fits a number.
            if not _is_any(right, ctx):
                _report(added, number, ctx)
            return None
        case added:
            is_any = any(_is_any(each, ctx) for each in items_of_display(added))
            return None if is_any else _of_numbers(ctx.default_signature, number)


def _began_with_numbers(variable: Var, ctx: MethodSigContext) -> bool:
    """Whether no type is declared for a container, and stock mypy knows that its first items are numbers."""
    current = type_checker.checker(ctx.api)
    declared = declarations(ctx.api)
    if not is_unannotated(variable) or declared is None:
        return False
    firsts = [each for each in declared.variables.values_of(variable)[:1] if isinstance(each, ListExpr | DictExpr)]
    types = [current.lookup_type_or_none(item) for first in firsts for item in items_of_display(first)]
    return bool(types) and all(typ is not None and is_python_number(typ) for typ in types)


def _number(container: Type) -> Type | None:
    """The type of the numbers in a container whose items may be anything else, too."""
    proper = get_proper_type(container)
    return _opened(proper.args[-1]) if isinstance(proper, Instance) and proper.args else None


def _opened(typ: Type) -> Type | None:
    """The type of Python numbers beside an Any; None for any other union or type."""
    items = list(members(typ))
    known = [each for each in items if not isinstance(each, AnyType)]
    is_opened = 0 < len(known) < len(items) and all(map(is_python_number, known))
    return UnionType.make_union(known) if is_opened else None


def _report(added: OpExpr, number: Type, ctx: MethodSigContext) -> None:
    """Report the value of an operation with an item, if it is no number."""
    typ = value_marks.unmarked(type_checker.quiet_type(ctx.api, added))
    known = UnionType.make_union([each for each in members(typ) if not isinstance(each, AnyType)])
    if not is_subtype(known, number):
        type_checker.report_incompatible(ctx.api, known, number, added)


def _is_any(value: Expression, ctx: MethodSigContext) -> bool:
    """Whether stock mypy may infer Any for a value."""
    stock = stock_checks(ctx.api)
    return stock is None or stock.is_any(value)


def _of_numbers(signature: CallableType, number: Type) -> CallableType:
    """The signature with the numbers in place of the items."""
    return signature.copy_modified(arg_types=[_with_number(typ, number) for typ in signature.arg_types])


def _with_number(typ: Type, number: Type) -> Type:
    proper = opened(typ)
    if _opened(proper) is not None:
        return number
    return with_parts(typ, lambda part: _with_number(part, number)) if isinstance(proper, Instance) else typ
