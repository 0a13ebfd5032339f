"""Tell whether a value may have an expected type, whatever mypy says: it compares dtypes, not classes.

To mypy `Array[float32 | int32]` is not an `Array[float32] | Array[int32]`, nor `list[Array[weak_float32]]` a
`list[Array[float32]]`, nor `ndarray[tuple[int], dtype[int64]]` an array of a shape that is not known.
"""

from collections.abc import Callable, Iterator, Sequence

from mypy.maptype import map_instance_to_supertype
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, Instance, ProperType, TupleType, Type

from promo_mypy.plugin.types.array_types import Value, library_of, may_lack_dtype, read, shaped_dtypes
from promo_mypy.plugin.types.numpy_scalars import DTypeSet, dtypes_of_scalar, is_scalar_type, scalar_of_array
from promo_mypy.plugin.types.value_marks import unmarked
from promo_mypy.plugin.types.walks import contains_itself, members, opened, parts_of
from promo_mypy.rules.records import record


@record
class Fits:
    """Compares values with expected types.

    Attributes:
        platform: that of mypy's options.
        counts: whether a part of an expected type has a say. Of others stock mypy knows whether they fit.
    """

    platform: str
    counts: Callable[[Type], bool] = lambda _: True

    def may_fit(self, given: Type, expected: Type) -> bool:
        """Whether each array that a value may be has an expected dtype, or one of them an unknown dtype."""
        if contains_itself(given) or contains_itself(expected):
            return is_subtype(given, expected)
        every = [each for each in members(unmarked(given)) if not isinstance(each, AnyType)]
        is_unknown = any(may_lack_dtype(each, self.platform) for each in every)
        return is_unknown or all(self._fits(each, expected) for each in every)

    def _fits(self, given: ProperType, expected: Type) -> bool:
        wanted = members(expected)
        if is_subtype(given, expected) or any(self._holds(each, given) for each in wanted):
            return True
        value = next(iter(read(given, self.platform) or ()), None)
        if value is None or not value.is_array:
            return False
        dtypes = frozenset(dtype for each in wanted for dtype in self._dtypes_of_kin(each, value))
        fits = all(dtype.strong in dtypes or dtype in dtypes for dtype in shaped_dtypes([value]))
        return fits or self._shares(given, dtypes)

    def _dtypes_of_kin(self, expected: ProperType, value: Value) -> DTypeSet:
        """The dtypes of an expected array of the library of a value."""
        found = read(expected, self.platform) or ()
        return shaped_dtypes(each for each in found if each.is_array and each.library is value.library)

    def _shares(self, given: ProperType, dtypes: DTypeSet) -> bool:
        """Whether a NumPy array may be of a category of these dtypes, or another one: of `np.integer` or float64.

        Stock mypy infers no dtype for it, and an error is not certain.
        """
        found = [dtypes_of_scalar(each, self.platform) for each in members(scalar_of_array(given) or given)]
        return len(found) > 1 and any(part is not None and len(part) > 1 and part <= dtypes for part in found)

    def _holds(self, expected: ProperType, given: ProperType) -> bool:
        """Whether the second one is such a container, too, and what is in it may fit into the first."""
        if isinstance(expected, TupleType) and isinstance(given, TupleType):
            return len(given.items) == len(expected.items) and self._fit_each(given.items, expected.items)
        if not isinstance(expected, Instance) or not isinstance(given, Instance) or not expected.args:
            return False
        if not given.type.has_base(expected.type.fullname) or library_of(given) is not None or is_scalar_type(given):
            return False
        return self._fit_each(map_instance_to_supertype(given, expected.type).args, expected.args)

    def _fit_each(self, given: Sequence[Type], expected: Sequence[Type]) -> bool:
        pairs = zip(given, expected, strict=True)
        return all(not self.counts(wanted) or self.may_fit(part, wanted) for part, wanted in pairs)


def items_within(expected: Type) -> Iterator[Type]:
    """What the items of a container, and of containers in it, are expected to be; the result of a function."""
    typ = opened(expected)
    inner = [typ.ret_type] if isinstance(typ, CallableType) else parts_of(typ)
    if library_of(typ) is None and not is_scalar_type(typ):
        for each in inner:
            yield each
            yield from items_within(each)
