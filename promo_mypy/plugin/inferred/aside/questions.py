"""Tell which errors may exist because of the plugin: those with a type of the plugin in their lines."""

from mypy.nodes import Expression, NameExpr, RefExpr, Var
from mypy.types import AnyType, Type

from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.file_parts import part_at
from promo_mypy.plugin.trees.syntax_trees import Region, nodes_in
from promo_mypy.plugin.types import untyped_functions
from promo_mypy.plugin.types.any_parts import is_stock_any
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import holds_array, holds_scalars
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.plugin.types.walks import members


def may_be_ours(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether the function around an error has an array or a scalar, a value that holds one, or an Any of the plugin.

    The value itself may be a number, such as the length of an array.
    """
    region = Region.around(current.tree.defs, error.line)
    lines = range(error.line, max(error.line, error.end_line) + 1)
    if not any(each.line in lines and isinstance(each, Expression) for each in nodes_in(region)):
        return False  # an import, or a definition
    if part_at(current.tree, error.line).is_top:
        return True  # the statements around it may have one
    types = (_type_of(each, current) for each in nodes_in(region) if isinstance(each, Expression))
    return any(_is_ours(each) for each in types if each is not None)


def _type_of(expression: Expression, current: TypeChecker) -> Type | None:
    """The type of an expression. mypy keeps none for some that it checks for a context."""
    typ = current.lookup_type_or_none(expression)
    if typ is None and isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        return expression.node.type
    return None if typ is None and isinstance(expression, RefExpr) else typ


def _is_ours(typ: Type) -> bool:
    every = list(members(typ))
    if any(isinstance(each, AnyType) and (len(every) > 1 or not is_stock_any(each)) for each in every):
        return True
    is_known = any(library_of(each) is not None or is_scalar_type(each) for each in every)
    return is_known or untyped_functions.is_among([typ]) or holds_array(typ) or holds_scalars(typ)
