"""Find false positives about what is added to a container whose items only the plugin knows.

Stock mypy joins arrays of several dtypes to objects, so that `xs = [np.ones(3), np.ones(3, int)]` accepts anything. For
the plugin its items are arrays of unknown dtype.
"""

from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import AssignmentStmt, CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Var
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.inferred import displays
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in

CODES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.CALL_OVERLOAD, codes.LIST_ITEM)


def accept_more(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about such a container."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    filled = [each for each in _filled(current, error) if is_unannotated(each)]
    firsts = (value for each in filled for value in declared.variables.values_of(each)[:1])
    return any(_joins_to_objects(each, current) for each in firsts)


def _joins_to_objects(display: Expression, current: TypeChecker) -> bool:
    typ = get_proper_type(current.lookup_type_or_none(display))
    return isinstance(typ, Instance) and bool(typ.args) and displays.hides(typ.args[-1])


def _filled(current: TypeChecker, error: ErrorInfo) -> Iterator[Var]:
    """The variables whose container gets an item in the line of an error."""
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        match node:
            case CallExpr(callee=MemberExpr(expr=NameExpr(node=Var() as variable), name=name), line=line) if (
                name in containers.FILLING and line == error.line
            ):
                yield variable
            case AssignmentStmt(lvalues=[IndexExpr(base=NameExpr(node=Var() as variable))], line=line) if (
                line == error.line
            ):
                yield variable
