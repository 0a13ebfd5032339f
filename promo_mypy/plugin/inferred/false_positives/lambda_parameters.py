"""Find errors about None or an object beside a parameter of a lambda that gets its type from the plugin.

Stock mypy infers Any for `p` in `lax.map(lambda p: p / scale, xs)`, so a `scale` that may be None is not an error. Nor
is an object that is passed to `functools.partial(lambda p: p / scale)`. Of `lax.scan` the stubs declare the parameters.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, LambdaExpr, NameExpr, Node, OpExpr, RefExpr, Var
from mypy.types import CallableType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.stock.called_parts import declared_type
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes, nodes_in

#: Operands that are neither arrays nor numbers, as mypy writes them.
_OTHERS: Final = ('"None"', '"object"')


def are_beside_others(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an operation with None or an object has such a parameter among its operands."""
    if not any(other in error.message for other in _OTHERS):
        return False
    place, region = (error.line, error.column), nodes_in(Region.around(current.tree.defs, error.line))
    operations = [node for node in region if isinstance(node, OpExpr) and (node.line, node.column) == place]
    read = {name.node for each in operations for name in nodes(each) if isinstance(name, NameExpr)}
    return bool(read) and not read.isdisjoint(_parameters(region))


def _parameters(region: Iterable[Node]) -> Iterator[Var]:
    """The parameters of the lambdas that are arguments of an array library's function, or of `functools.partial`.

    Those to which the stubs give a type are left out.
    """
    for node in region:
        if isinstance(node, CallExpr) and _types_parameters(node.callee):
            for position, argument in enumerate(node.args):
                if isinstance(argument, LambdaExpr):
                    declared = _declared(node, position)
                    for place, each in enumerate(argument.arguments):
                        if not declared[place : place + 1]:
                            yield each.variable


def _declared(call: CallExpr, position: int) -> Sequence[Type]:
    """The types that a function declares for the parameters of one that it gets as an argument."""
    function_node = call.callee.node if isinstance(call.callee, RefExpr) else None
    callee = declared_type(function_node) if isinstance(function_node, FuncDef | Decorator) else None
    name = call.arg_names[position]
    if callee is None:
        return ()
    formal = callee.argument_by_position(position) if name is None else callee.argument_by_name(name)
    function = get_proper_type(formal.typ) if formal is not None else None
    if not isinstance(function, CallableType) or function.is_ellipsis_args or function.param_spec() is not None:
        return ()
    return function.arg_types


def _types_parameters(callee: Expression) -> bool:
    """Whether the plugin gives types to the parameters of lambdas that this function gets."""
    return isinstance(callee, RefExpr) and (is_own(callee.fullname) or callee.fullname == names.FUNCTOOLS_PARTIAL)
