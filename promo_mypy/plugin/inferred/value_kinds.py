"""Read from the type of a variable whether its value is a number, an array or a container: what `variables` asks."""

from mypy.types import Instance, Type

from promo_mypy.plugin.inferred.numbers import number_variables
from promo_mypy.plugin.types import array_types, container_types, filled_generics, mutable_types, numpy_scalars
from promo_mypy.plugin.types.walks import members, parts_of
from promo_mypy.rules.records import record


@record
class ValueKind:
    """What the type of a variable tells about its value.

    Attributes:
        of_arrays: it is or holds an array or a NumPy scalar.
        number: it is a number, but not a bool.
        containers: it has mutable containers of arrays or NumPy scalars.
        generic: it is a value of a user's generic class that holds arrays.
        scalars: it is a tuple or container with NumPy scalars in it.
    """

    of_arrays: bool
    number: bool
    containers: bool
    generic: bool
    scalars: bool


def kind_of(typ: Type) -> ValueKind:
    """The kind of the values of a type."""
    of_arrays = container_types.holds_array(typ) or holds_scalar(typ)
    return ValueKind(
        of_arrays=of_arrays,
        number=number_variables.is_number(typ),
        containers=mutable_types.depth(typ) > 0,
        generic=of_arrays and filled_generics.is_generic(typ),
        scalars=container_types.holds_scalars(typ),
    )


def holds_numbers(typ: Type) -> bool:
    """Whether the type is that of a tuple or container with Python numbers in it."""
    return any(array_types.is_python_number(part) or holds_numbers(part) for part in parts_of(typ))


def holds_scalar(typ: Type) -> bool:
    """Whether the type, or a member of it, is a NumPy scalar."""
    return any(isinstance(item, Instance) and numpy_scalars.is_scalar(item) for item in members(typ))
