"""Find the functions in mypy's tree of a module whose array parameters all have exact dtypes."""

from collections.abc import Iterable, Iterator

from mypy.nodes import FuncDef, Node
from mypy.types import AnyType, CallableType, Instance, Type, TypeVarType, get_proper_type

from promo_mypy.plugin.interface.arrays import parts_of
from promo_mypy.program.checked.arrays import arrays_of


def exact_functions(nodes: Iterable[Node], platform: str) -> frozenset[int]:
    """The lines of the `def` of those among some nodes.

    They have an array parameter. No array among the parameters, or in a container among them, has an unknown dtype
    or several possible ones. No parameter may have any type, as a type variable without a bound does.
    """
    functions = (node for node in nodes if isinstance(node, FuncDef))
    return frozenset(function.line for function in functions if _is_exact(function, platform))


def _is_exact(function: FuncDef, platform: str) -> bool:
    if not isinstance(function.type, CallableType):
        return False
    is_method = bool(function.info) and function.has_self_or_cls_argument
    types = function.type.arg_types[is_method:]
    exact = [each for typ in types for each in _exactness(typ, platform)]
    return bool(exact) and all(exact) and not any(map(_is_anything, types))


def _is_anything(typ: Type) -> bool:
    proper = get_proper_type(typ)
    if isinstance(proper, TypeVarType) and not proper.values:
        bound = get_proper_type(proper.upper_bound)
        return isinstance(bound, AnyType) or (isinstance(bound, Instance) and bound.type.fullname == "builtins.object")
    return isinstance(proper, AnyType)


def _exactness(typ: Type, platform: str) -> Iterator[bool]:
    """For each array in a type, whether it has one dtype."""
    arrays = arrays_of(typ, platform)
    if arrays is not None:
        yield arrays.dtypes is not None and len(arrays.dtypes) == 1
    else:
        for part in parts_of(typ):
            yield from _exactness(part, platform)
