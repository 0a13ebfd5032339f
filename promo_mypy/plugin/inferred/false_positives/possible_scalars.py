"""mypy's errors about an array that may be a scalar: `def cosine(x, y) -> float: return np.dot(x, y)` is fine.

NumPy's types know no ranks, so that to us a product of two vectors is an array of its dtype; mypy alone says Any of it.
Where the scalar of that dtype would do, the error is ours alone, and no true one.
"""

from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    ARG_POS,
    AssignmentStmt,
    CallExpr,
    Expression,
    Node,
    OpExpr,
    ReturnStmt,
    UnaryExpr,
)
from mypy.subtypes import is_subtype
from mypy.types import CallableType, Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.refused_assignments import variable_of
from promo_mypy.plugin.inferred.false_positives.uses import place_of, uses
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import parts
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array

CODES: Final = (codes.RETURN_VALUE, codes.ASSIGNMENT, codes.ARG_TYPE)


def are_scalars(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the value that mypy refuses may be a scalar that it would accept, and mypy alone knows nothing of it."""
    place, declared = place_of(error), current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    return any(
        place_of(value) == place and _accepts_scalar(use, value, current) and _may_be_scalar(value, current, declared)
        for use, value in uses(current, error).get(place, ())
    )


def _accepts_scalar(use: Node, value: Expression, current: TypeChecker) -> bool:
    scalar, expected = scalar_of_array(current.lookup_type_or_none(value)), _expected(use, value, current)
    return scalar is not None and expected is not None and is_subtype(scalar, expected)


def _may_be_scalar(value: Node, current: TypeChecker, declared: Declarations) -> bool:
    match value:
        case OpExpr() | UnaryExpr():
            return any(_may_be_scalar(part, current, declared) for part in parts(value))
        case CallExpr(callee=callee, args=arguments) if _is_ufunc(callee, current):
            return any(_may_be_scalar(argument, current, declared) for argument in arguments)
        case _:
            return declared.variables.may_be_anything(value, current.lookup_type_or_none)


def _is_ufunc(callee: Expression, current: TypeChecker) -> bool:
    """Whether that is a function of NumPy's that keeps dimensions: of an argument of type Any its overloads say Any."""
    typ = get_proper_type(current.lookup_type_or_none(callee))
    return isinstance(typ, Instance) and typ.type.fullname in names.FUNCTION_OBJECTS


def _expected(use: Node, value: Expression, current: TypeChecker) -> Type | None:
    match use:
        case ReturnStmt():
            return current.return_types[-1] if current.return_types else None
        case AssignmentStmt(lvalues=[target]):
            variable = variable_of(target, current)
            return variable.type if variable is not None else None
        case CallExpr(callee=callee, args=arguments):
            function = get_proper_type(current.lookup_type_or_none(callee))
            if not isinstance(function, CallableType):
                return None
            position = arguments.index(value)
            name = use.arg_names[position]
            is_plain = use.arg_kinds[: position + 1] == [ARG_POS] * (position + 1)
            parameter = function.argument_by_name(name) if name else None
            if name is None and is_plain:
                parameter = function.argument_by_position(position)
            return parameter.typ if parameter is not None else None
        case _:
            return None
