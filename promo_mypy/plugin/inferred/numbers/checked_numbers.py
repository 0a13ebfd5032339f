"""Report values that stock mypy rejects for a number variable, although the plugin has added Any to its type.

A variable of a module, or one that an inner function reads, gets the type `float | Any` if it may be bound to a value
of type Any (see `number_variables`). It would accept a tensor, too. After each assignment an inserted call, for which
mypy calls a hook, compares the value with the type that stock mypy has: see `rejected_numbers`.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    FloatExpr,
    IntExpr,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, Type, TypeOfAny

from promo_mypy.plugin.inferred import reset_containers
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import operands_of
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.walks import members

_Assignment = AssignmentStmt | OperatorAssignmentStmt
#: Values that are numbers in any case.
_NUMBERS: Final = (IntExpr, FloatExpr)


def check_after(tree: MypyFile, variable: Var, modules: Mapping[str, MypyFile]) -> None:
    """Insert such calls after the assignments to a variable that is not an attribute."""
    function = reset_containers.called_function(modules)
    for site in definitions(tree).statements if function is not None else ():
        statement = site.node
        if not isinstance(statement, _Assignment) or isinstance(statement.rvalue, _NUMBERS):
            continue
        targets = statement.lvalues if isinstance(statement, AssignmentStmt) else [statement.lvalue]
        if function is not None and any(isinstance(each, NameExpr) and each.node is variable for each in targets):
            call_after(reset_containers.block_of(statement, site, tree), statement, variable, function)


def is_computed(typ: Type, value: Expression | None, type_of: TypeOf) -> bool:
    """Whether a value of type `float | Any` is computed from such a variable. Stock mypy infers a number for it.

    `type_of`: mypy's type of an expression.
    """
    every = list(members(typ))
    others = [each for each in every if isinstance(each, AnyType)]
    return (
        0 < len(others) < len(every)
        and _is_of_numbers(typ)
        and all(map(_is_ours, others))
        and isinstance(value, NameExpr | OpExpr | UnaryExpr)
        and not _is_choice(value)
        and all(map(_is_of_numbers, map(type_of, operands_of(value))))
    )


def _is_of_numbers(typ: Type | None) -> bool:
    """Whether these are Python's numbers, perhaps beside an Any. Of another operand, stock mypy may infer Any."""
    return typ is not None and all(isinstance(each, AnyType) or is_python_number(each) for each in members(typ))


def _is_ours(anything: AnyType) -> bool:
    """Whether this is the Any of such a variable, or follows from it."""
    first = anything.source_any or anything
    return first.type_of_any == TypeOfAny.special_form


def _is_choice(value: Expression) -> bool:
    return isinstance(value, OpExpr) and value.op in ("and", "or")
