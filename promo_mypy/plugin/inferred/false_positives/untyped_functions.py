"""Find false positives about functions that `jax.jit` or `torch.autocast` returned, and about what they return.

Stock mypy checks neither their arguments nor their results. With the plugin their dtypes are checked, and only those.
"""

from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import CallExpr, Expression, IndexExpr, Node, OpExpr

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.uses import given_at, nodes_at, reads_missing, uses_begun
from promo_mypy.plugin.inferred.stock.untyped_calls import calls_untyped
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages

#: The codes of errors about a call, and about the use of a value.
OF_CALLS: Final = (codes.ARG_TYPE, codes.CALL_ARG)
OF_USES: Final = (codes.ATTR_DEFINED, codes.INDEX, codes.OPERATOR, codes.UNION_ATTR)


def accept_anything(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about the arguments of such a function, and no dtype is declared for them."""
    if error.code is codes.ARG_TYPE:
        given = [node for node, _ in given_at(current, error)]
        is_declared = marked_messages.wants_dtype(error.message)
        return not is_declared and any(calls_untyped(node, current.lookup_type_or_none) for node in given)
    return any(calls_untyped(node, current.lookup_type_or_none) for node in nodes_at(current, error))


def return_anything(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about an attribute, item or operator of what such a function returned."""
    declared = current.var_decl_frames
    if not isinstance(declared, Declarations):
        return False
    nodes = {node for node, _ in uses_begun(current, error)}
    type_of = current.lookup_type_or_none
    return any(declared.variables.is_of_untyped(owner, type_of) for node in nodes for owner in _owners(node, error))


def _owners(node: Node, error: ErrorInfo) -> Iterator[Expression]:
    """The values that the error may be about."""
    match node:
        case OpExpr(left=left, right=right) if error.code is codes.OPERATOR:
            yield from (left, right)
        case IndexExpr(base=owner) if error.code is codes.INDEX:
            yield owner
        case CallExpr() | OpExpr() | IndexExpr():
            return
        case _:
            yield from reads_missing(node, error)
