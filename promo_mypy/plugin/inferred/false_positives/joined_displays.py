"""Find false positives about the items of a display that has NumPy arrays of several dtypes, one of them inferred.

To stock mypy, `[x, y]` is a list of arrays of unknown dtype. With the plugin, mypy joins the dtypes to a class without
operators. A variable that is bound to a display gets unknown dtypes (`marked_displays`). This is about displays that
are used at once, as in `map(lambda p: p + 1, [x, y])`.
"""

import re
from collections.abc import Iterator, Set
from functools import partial
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import CallExpr, Expression, GeneratorExpr, LambdaExpr, NameExpr, Node, TypeInfo
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.false_positives.operations_on_any import owners
from promo_mypy.plugin.inferred.marked_displays import is_of_several_dtypes
from promo_mypy.plugin.mypy_api.call_checking import checked_type
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes, nodes_in
from promo_mypy.plugin.types import numpy_scalars

CODES: Final = (codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_OVERLOAD, codes.INDEX, codes.OPERATOR)


def have_any_dtype(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about an operation on such an item."""
    if error.code is codes.ATTR_DEFINED and not _is_of_arrays(current, error):
        return False
    type_of = partial(checked_type, current, error)
    joined = (owner for owner in owners(current, error) if _is_join(type_of(owner)))
    return any(_is_item(owner, current, error, current.lookup_type_or_none) for owner in joined)


def _is_of_arrays(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether NumPy's arrays have the attribute that is missing."""
    found, numpy = re.search(r'has no attribute "(\w+)"', error.message), current.modules.get("numpy")
    symbol = numpy.names.get("ndarray") if numpy is not None else None
    array = symbol.node if symbol is not None else None
    return found is not None and isinstance(array, TypeInfo) and array.get(found[1]) is not None


def _is_join(typ: Type | None) -> bool:
    """Whether this is what mypy joins NumPy's arrays to."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return False
    scalar = numpy_scalars.scalar_of_array(proper)
    return proper.type.fullname == "builtins.object" or (
        isinstance(scalar, Instance) and scalar.type.fullname == names.NUMPY_GENERIC
    )


def _is_item(owner: Expression, current: TypeChecker, error: ErrorInfo, type_of: TypeOf) -> bool:
    """Whether a value comes from such a display: the display is a part of it, or gives a type to a variable in it."""
    if any(is_of_several_dtypes(each, type_of) for each in nodes(owner)):
        return True
    read = {each.node for each in nodes(owner) if isinstance(each, NameExpr)}
    region = nodes_in(Region.around(current.tree.defs, error.line))
    sources = (source for node in region for source in _sources(node, read))
    return any(is_of_several_dtypes(each, type_of) for source in sources for each in nodes(source))


def _sources(node: Node, variables: Set[Node | None]) -> Iterator[Expression]:
    """What gives types to some variables, if they belong to this comprehension, or to a lambda that this call gets."""
    match node:
        case GeneratorExpr(indices=targets, sequences=iterables):
            for target, iterable in zip(targets, iterables, strict=True):
                if any(isinstance(each, NameExpr) and each.node in variables for each in nodes(target)):
                    yield iterable
        case CallExpr(callee=callee, args=given):
            lambdas = (each for each in (callee, *given) if isinstance(each, LambdaExpr))
            if any(argument.variable in variables for each in lambdas for argument in each.arguments):
                yield from (each for each in given if not isinstance(each, LambdaExpr))
        case _:
            pass
