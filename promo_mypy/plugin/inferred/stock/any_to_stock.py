"""Find out whether a value is Any to stock mypy though its type has no mark: an array of PyTorch or JAX, or a tuple."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred import bound_values
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.stock.called_parts import Known
from promo_mypy.plugin.inferred.stock.deciding_values import never
from promo_mypy.plugin.inferred.stock.parts import Scope, StockParts
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.trees.expressions import items_of_display
from promo_mypy.plugin.types.any_parts import Parts, is_stock_any
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.value_marks import never_marked
from promo_mypy.plugin.types.walks import members

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.variables import RebindableVariables

#: Methods of dicts that may return None.
_LOOK_UPS: Final = frozenset({"get", "pop", "setdefault"})
#: Those that return Any for a default of type Any, as several of their overloads fit.
_WITH_DEFAULT: Final = frozenset({"get", "pop"})


def has_no_mark(typ: Type) -> bool:
    """Whether this may be an array of PyTorch or JAX, a tuple of arrays, or their join. NumPy's values have marks."""
    return any(isinstance(each, TupleType) or never_marked(each) or _is_object(each) for each in members(typ))


def _is_object(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.object"


def is_any_to_stock(
    value: Expression, variables: "RebindableVariables", type_of: TypeOf, around: Sequence[Scope] = ()
) -> bool:
    """Whether stock mypy infers Any for a value.

    `around`: the comprehensions and calls of lambdas around the value, from the outermost.
    """
    return _of_inside(value, stock_parts(variables, type_of), around) is True


def _of_inside(value: Expression, parts: StockParts, around: Sequence[Scope]) -> Parts:
    inside: Known = {}
    for made in around:
        inside = parts.inside(made, inside)
    return parts.of(value, inside)


def stock_parts(
    variables: "RebindableVariables", type_of: TypeOf, is_beside_none: Callable[[Expression], bool] = never
) -> StockParts:
    """Finds the parts of values that are Any to stock mypy, apart from those that may be None, too."""
    is_any = partial(_is_any, variables, type_of)
    noted = variables.parts_noted, variables.first_parts
    return StockParts(is_any, type_of, variables.known, *noted, is_beside_none)


def is_of_array(value: Expression, variables: "RebindableVariables", type_of: TypeOf) -> bool:
    """Whether a value is a part of an array of PyTorch or JAX, or is computed of one: `x.shape[0] + 1`."""
    match value:
        case MemberExpr(expr=owner) | CallExpr(callee=MemberExpr(expr=owner)):
            typ = type_of(owner)
            return (typ is not None and never_marked(typ)) or is_of_array(owner, variables, type_of)
        case IndexExpr(base=inner) | UnaryExpr(expr=inner):
            return is_of_array(inner, variables, type_of)
        case OpExpr(left=left, right=right):
            return is_of_array(left, variables, type_of) or is_of_array(right, variables, type_of)
        case NameExpr(node=Var() as variable):
            first = [each for each in variables.values_of(variable)[:1] if each.line < value.line]
            return any(is_of_array(each, variables, type_of) for each in first)
        case _:
            return False


def _is_any(variables: "RebindableVariables", type_of: TypeOf, parts: StockParts, value: Expression) -> bool:
    if (
        _is_unknown(type_of(value))
        or variables.stock(type_of).may_be_anything(value)
        or variables.is_of_untyped(value, type_of)
    ):
        return True
    match value:
        case CallExpr(callee=callee) if _is_module(type_of(callee)):
            return True
        case CallExpr(callee=MemberExpr(expr=owner, name=name), args=[_, default]) if name in _WITH_DEFAULT:
            return any(parts.of(each) is True for each in (owner, default))
        case CallExpr(callee=NameExpr(fullname="builtins.divmod"), args=given):
            return _reflects(given, type_of) or any(parts.of(each) is True for each in given)
        case CallExpr(callee=IndexExpr(base=NameExpr(node=Var() as functions))):
            return any(parts.of(each.expr()) is True for each in first_lambdas(functions, variables))
        case _:
            return False


def first_lambdas(variable: Var, variables: "RebindableVariables") -> Sequence[LambdaExpr]:
    """The lambdas in the first display that a variable is bound to."""
    first = variables.values_of(variable)[:1]
    return [each for display in first for each in items_of_display(display) if isinstance(each, LambdaExpr)]


def _is_unknown(typ: Type | None) -> bool:
    """Whether mypy infers Any for a value, not the plugin."""
    proper = get_proper_type(typ)
    return isinstance(proper, AnyType) and is_stock_any(proper)


def _reflects(given: Sequence[Expression], type_of: TypeOf) -> bool:
    """Whether `divmod` gets a number and an array of JAX. The stubs declare one array for the pair."""
    match [type_of(each) for each in given]:
        case [Type() as number, Type() as array]:
            return is_python_number(number) and library_of(array) is Library.JAX
        case _:
            return False


def may_be_none(variable: Var, variables: "RebindableVariables", type_of: TypeOf) -> bool:
    """Whether stock mypy, too, may know that a variable of Any may be None."""
    values = variables.values_of(variable)
    if not values:
        return not variables.is_noted_alone(variable)
    return any(map(bound_values.may_be_none, values)) or any(_looks_up(each, variables, type_of) for each in values)


def _looks_up(value: Expression, variables: "RebindableVariables", type_of: TypeOf) -> bool:
    """Whether this looks up a key in a dict, or may be another variable."""
    match value:
        case CallExpr(callee=MemberExpr(name=name), args=[_, default]) if name in _WITH_DEFAULT:
            return not is_any_to_stock(default, variables, type_of)
        case CallExpr(callee=MemberExpr(name=name)):
            return name in _LOOK_UPS
        case _:
            return not isinstance(value, CallExpr)


def _is_module(callee: Type | None) -> bool:
    """Whether this is a module of PyTorch: the stubs declare what it returns as Any, its own class perhaps does not."""
    typ = get_proper_type(callee)
    if not isinstance(typ, Instance) or not typ.type.has_base(names.TORCH_MODULE):
        return False
    definer = typ.type.get_containing_type_info("__call__")
    return definer is None or definer.fullname == names.TORCH_MODULE
