"""Find the types that mypy compares where it reports that a value does not fit: outside mypy's public plugin surface.

mypy's errors have a place and a text, and no types. While mypy reports, its checker still knows them: the type of the
expression in that place, and that of the variable, parameter, result or item that takes it.
(tests/plugin/types/test_mismatches.py)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import DictExpr, Expression, FuncDef, Node

from promo_mypy.plugin.mypy_api.compared.assigned import assignments
from promo_mypy.plugin.mypy_api.compared.called import arguments
from promo_mypy.plugin.mypy_api.compared.comparisons import Compared, fills_inferred
from promo_mypy.plugin.mypy_api.compared.displays import entries_at, items, keys
from promo_mypy.plugin.mypy_api.compared.places import place_of, start_of
from promo_mypy.plugin.mypy_api.compared.returned import results, yields
from promo_mypy.plugin.trees.syntax_trees import nodes, nodes_with_parents

_FINDERS: Final[Mapping[ErrorCode, Callable[[TypeChecker, Node, Sequence[Node]], Iterator[Compared]]]] = {
    codes.RETURN_VALUE: results,
    codes.ASSIGNMENT: assignments,
    codes.ARG_TYPE: arguments,
    codes.LIST_ITEM: items,
    codes.TYPEDDICT_ITEM: keys,
    codes.MISC: yields,
}


def compared(current: TypeChecker, error: ErrorInfo) -> Iterator[Compared]:
    """What mypy may have compared for an error that it reports now; nothing for an error of another kind.

    What goes into a container of inferred type meets no declared type.
    """
    if (
        error.code is None
        or error.severity != "error"
        or (error.code not in _FINDERS and error.code != codes.DICT_ITEM)
    ):
        return
    find, place = _FINDERS.get(error.code), (error.line, error.column, error.end_line, error.end_column)
    for node, parents in nodes_with_parents(_checked_now(current)):
        if find is None:  # mypy reports from the key of an entry to its value, where no expression is
            found = entries_at(current, node, parents, place) if isinstance(node, DictExpr) else ()
        # It gives unpacked values no end.
        elif place_of(node) == place or (find is assignments and start_of(node) == place):
            found = find(current, node, parents)
        else:
            continue
        every = list(found)
        yield from every if every and not fills_inferred(current, node, parents) else ()


def _checked_now(current: TypeChecker) -> Node:
    """What mypy checks: a function or file, or the last copy of a function with restricted variables that it knows."""
    function = current.scope.current_function()
    copies = function.expanded if isinstance(function, FuncDef) else []
    for copy in reversed(copies):
        if any(isinstance(node, Expression) and current.has_type(node) for node in nodes(copy.body)):
            return copy
    return function or current.tree
