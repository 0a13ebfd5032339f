"""Find false positives about the items of a display that has inferred values, or arrays of several inferred dtypes.

To stock mypy, `[x, y]` is a list of Any, or of arrays of unknown dtype. With the plugin, mypy joins the values to an
object, and the dtypes to a class without operators. A variable that is bound to a display gets the items of stock mypy
(`marked_displays`). This is about displays that are used at once, as in `map(lambda p: p + 1, [x, y])`.
"""

import re
from collections.abc import Iterator, Set
from functools import partial
from typing import Final

from mypy import errorcodes as codes
from mypy.nodes import (
    CallExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    LambdaExpr,
    NameExpr,
    Node,
    TypeInfo,
)
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import JOINS
from promo_mypy.plugin.inferred.false_positives.operations_on_any import owners
from promo_mypy.plugin.inferred.marked_displays import has_any_items, is_of_several_dtypes
from promo_mypy.plugin.mypy_api.call_checking import checked_type
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.syntax_trees import Region, nodes, nodes_in
from promo_mypy.plugin.types import numpy_scalars, value_marks

CODES: Final = (codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_OVERLOAD, codes.INDEX, codes.OPERATOR)


def are_any(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about an operation on such an item."""
    type_of = partial(checked_type, current, error)
    joined = [owner for owner in owners(current, error) if _is_join(type_of(owner))]
    if not joined:
        return False
    displays = [each for owner in joined for each in _displays(owner, current, error)]
    if any(has_any_items(each, current.lookup_type_or_none) for each in displays):
        return True
    if error.code is codes.ATTR_DEFINED and not _is_of_arrays(current, error):
        return False
    return any(is_of_several_dtypes(each, current.lookup_type_or_none) for each in displays)


def _is_of_arrays(current: TypeChecker, error: ErrorInfo) -> bool:
    """Whether NumPy's arrays have the attribute that is missing."""
    found, numpy = re.search(r'has no attribute "(\w+)"', error.message), current.modules.get("numpy")
    symbol = numpy.names.get("ndarray") if numpy is not None else None
    array = symbol.node if symbol is not None else None
    return found is not None and isinstance(array, TypeInfo) and array.get(found[1]) is not None


def _is_join(typ: Type | None) -> bool:
    """Whether this is what mypy joins inferred values to, or arrays of several dtypes."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return False
    scalar = numpy_scalars.scalar_of_array(proper)
    is_generic = isinstance(scalar, Instance) and scalar.type.fullname == names.NUMPY_GENERIC
    return is_generic or proper.type.fullname in JOINS or value_marks.is_marked(proper)


def _displays(owner: Expression, current: TypeChecker, error: ErrorInfo) -> Iterator[Node]:
    """What may be the display that a value comes from: a part of it, or what gives a type to a variable in it."""
    yield from nodes(owner)
    read = {each.node for each in nodes(owner) if isinstance(each, NameExpr)}
    for node in nodes_in(Region.around(current.tree.defs, error.line)):
        for source in _sources(node, read):
            yield from nodes(source)


def _sources(node: Node, variables: Set[Node | None]) -> Iterator[Expression]:
    """What gives types to some variables, if they belong to this comprehension, or to a lambda that this call gets."""
    match node:
        case (
            GeneratorExpr(indices=targets, sequences=iterables)
            | DictionaryComprehension(indices=targets, sequences=iterables)
        ):
            for target, iterable in zip(targets, iterables, strict=True):
                if any(isinstance(each, NameExpr) and each.node in variables for each in nodes(target)):
                    yield iterable
        case CallExpr(callee=callee, args=given):
            lambdas = (each for each in (callee, *given) if isinstance(each, LambdaExpr))
            if any(argument.variable in variables for each in lambdas for argument in each.arguments):
                yield from (each for each in given if not isinstance(each, LambdaExpr))
        case _:
            pass
