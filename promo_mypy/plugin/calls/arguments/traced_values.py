"""Compute the types that values have while JAX traces a function."""

from collections.abc import Callable

from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, ProperType, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import argument_of, is_python_number, library_of, numpy_array, read
from promo_mypy.plugin.types.walks import members, opened
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.functions.jax.traced import traced

Dtypes = frozenset[type[dt.Shaped]]

#: The libraries whose values JAX turns into arrays.
_TAKEN = frozenset({Library.JAX, Library.NUMPY, Library.PYTHON})


def dtypes_of_leaf(leaf: Type, session: Session, api: CheckerPluginInterface) -> Dtypes | None:
    """The dtypes of a tree's leaf in JAX; None if they are unknown, or if the leaf is of another library."""
    values = read(leaf, session.platform)
    if values is None or any(value.library not in _TAKEN for value in values):
        return None
    x64 = session.options(api).jax_x64
    return frozenset(traced(dtype, x64=x64) for value in values for dtype in value.dtypes)


def jax_array(dtypes: Dtypes, session: Session) -> Type | None:
    """The type of a JAX array of these dtypes."""
    return session.symbols.instance(names.JAX_ARRAY, [argument_of(dtypes, session.symbols)])


def as_traced(tree: Type, session: Session, api: CheckerPluginInterface) -> Type:
    """The tree with the leaves that JAX turns into arrays. A leaf of unknown dtype stays as it is.

    A number in a field stays a number, too, as it is declared: parameters of functions are declared alike.
    """

    def leaf_as_traced(path: pytrees.Path, leaf: Type, _: Type) -> Type:
        dtypes = dtypes_of_leaf(leaf, session, api)
        is_declared = path and path[-1].startswith(".") and is_python_number(leaf)
        if dtypes is None or is_declared or is_jax_array(leaf):
            return leaf
        return jax_array(dtypes, session) or leaf

    return pytrees.map_pairs(leaf_as_traced, tree, tree, fields=True) or tree


def is_jax_array(leaf: Type) -> bool:
    """Whether a leaf is already a JAX array."""
    return library_of(leaf) is Library.JAX


def accepting_numbers(function: CallableType, session: Session) -> CallableType:
    """The function with Any in place of weak arrays in its parameters: it may be called with Python numbers."""
    return function.copy_modified(
        arg_types=[pytrees.map_leaves(lambda leaf: _if_strong(leaf, session), typ) for typ in function.arg_types]
    )


def accepting_numpy_arrays(function: CallableType, session: Session, api: CheckerPluginInterface) -> CallableType:
    """The function that JAX calls with an array of its own where it is given a NumPy array."""
    return function.copy_modified(arg_types=[_or_numpy_array(typ, session, api) for typ in function.arg_types])


def _or_numpy_array(parameter: Type, session: Session, api: CheckerPluginInterface) -> Type:
    """The type that takes a NumPy array, too, where a parameter or an item of its tuple is a JAX array."""
    changed = _with_parts(parameter, lambda part: _or_numpy_array(part, session, api))
    if changed is not None:
        return changed
    values = read(parameter, session.platform) or ()
    if len(values) != 1 or values[0].library is not Library.JAX:
        return parameter
    x64 = session.options(api).jax_x64
    strong = [dtype for dtype in (*values[0].dtypes, *X32) if issubclass(dtype, dt.Shaped)]
    dtypes = frozenset(dtype for dtype in strong if traced(dtype, x64=x64) in values[0].dtypes)
    array = session.symbols.instance(names.NUMPY_ARRAY)
    found = numpy_array(array, dtypes, session.symbols, keep_shape=False) if array is not None and dtypes else None
    mark = session.symbols.instance(names.TAKEN_BY_JAX)
    taken = get_proper_type(found)
    if not isinstance(taken, Instance) or mark is None:
        return parameter
    shape, dtype = taken.args
    return UnionType([parameter, taken.copy_modified(args=[UnionType([shape, mark]), dtype])])


def traced_parameters(function: CallableType) -> list[Type]:
    """The types of the parameters while JAX traces a function: JAX arrays alone."""
    return list(map(_without_numpy_array, function.arg_types))


def _without_numpy_array(parameter: Type) -> Type:
    items = members(parameter)
    kept = [item for item in items if not _is_taken_array(item)]
    alone = parameter if len(kept) == len(items) else UnionType.make_union(kept)
    return _with_parts(alone, _without_numpy_array) or alone


def _with_parts(parameter: Type, change: Callable[[Type], Type]) -> Type | None:
    """A union or tuple with changed members or items; None for any other type."""
    proper = opened(parameter)
    match proper:
        case UnionType():
            return UnionType(list(map(change, proper.items)))
        case TupleType() if proper.partial_fallback.type.fullname == "builtins.tuple":
            return proper.copy_modified(items=list(map(change, proper.items)))
        case _:
            return None


def _is_taken_array(item: ProperType) -> bool:
    """Whether it is a NumPy array that the plugin put beside a JAX array."""
    if not isinstance(item, Instance) or item.type.fullname != names.NUMPY_ARRAY:
        return False
    return any(
        isinstance(part, Instance) and part.type.fullname == names.TAKEN_BY_JAX for part in members(item.args[0])
    )


def _if_strong(leaf: Type, session: Session) -> Type:
    values = read(leaf, session.platform) or ()
    weak = any(issubclass(dtype, dt.Shaped) and dtype.weak for value in values for dtype in value.dtypes)
    return unknown() if weak else leaf


def has_known_array(tree: Type, session: Session) -> bool:
    """Whether any leaf is an array of known dtype. A tree without one keeps the type of its library's stubs."""
    for leaf in pytrees.leaves(tree, fields=True):
        values = read(pytrees.present(leaf), session.platform)
        if values is not None and any(value.library is not Library.PYTHON for value in values):
            return True
    return False
