"""Find containers of which mypy infers no item type, because stock mypy infers Any for what is added to them.

mypy gives `xs = []` the type `list[Any]` at `xs.extend(v)` if `v` is Any. If `v` is an array of inferred dtype, mypy
asks for an annotation.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, DictExpr, Expression, ListExpr, MemberExpr
from mypy.types import AnyType, Type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.partial_types import complete
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_number
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.plugin.types.union_members import members
from promo_mypy.plugin.types.value_marks import never_marked

#: The methods that add the items of their argument.
_ADDING: Final = frozenset({"extend", "update"})


def go_on(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the error asks for the annotation of a container to which a value is added that is Any to stock mypy.

    The container then gets the type that stock mypy infers.
    """
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        match node:
            case AssignmentStmt(line=line, rvalue=ListExpr(items=items)) if line == error.line:
                if _joins_array(items, current):
                    return True
            case CallExpr(callee=MemberExpr(expr=container, name=name), args=[value]) if name in _ADDING:
                variable = variable_of(container, current)
                if variable is not None and variable.line == error.line and _is_any(value, current):
                    complete(current, variable)
                    return True
    return False


def _joins_array(items: Sequence[Expression], current: TypeChecker) -> bool:
    """Whether empty displays stand beside an array of several dtypes, or a scalar or number that may be anything: stock
    mypy infers a list of objects.
    """
    types = map(current.lookup_type_or_none, (item for item in items if not _is_empty(item)))
    return any(map(_is_empty, items)) and any(typ is not None and _is_joined(typ) for typ in types)


def _is_joined(typ: Type) -> bool:
    known = [each for each in members(typ) if not isinstance(each, AnyType)]
    return all(map(never_marked, members(typ))) or (bool(known) and may_be_anything(typ) and all(map(is_number, known)))


def _is_empty(item: Expression) -> bool:
    return isinstance(item, ListExpr | DictExpr) and not item.items


def _is_any(value: Expression, current: TypeChecker) -> bool:
    typ, declared = current.lookup_type_or_none(value), current.var_decl_frames
    if typ is None or not isinstance(declared, Declarations):
        return False
    return value_marks.is_marked(typ) or declared.variables.stock(current.lookup_type_or_none).may_be_anything(value)
