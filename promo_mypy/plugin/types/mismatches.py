"""Find mypy's errors whose cause is a dtype: the declared type and the inferred type differ only in dtypes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mypy.maptype import map_instance_to_supertype
from mypy.nodes import Expression
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, Instance, ProperType, TupleType, Type, TypeType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.compared.reported import compared
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.types import numpy_scalars, value_marks
from promo_mypy.plugin.types.array_types import array_row, as_array, dtypes_of_argument, has_open_array
from promo_mypy.plugin.types.walks import contains_itself, members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.diagnostics import MISMATCH

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

DTypeSet = frozenset[type[dt.Shaped]]


@record
class _Dtypes:
    """The dtypes of an array, or of a scalar of NumPy.

    Attributes:
        library: its library.
        is_scalar: whether it is a scalar.
        names: the dtypes and categories in words.
        exact: the dtypes that are named.
        open: those of the categories: it has one of them.
    """

    library: Library
    is_scalar: bool
    names: tuple[str, ...]
    exact: DTypeSet
    open: DTypeSet

    @property
    def all(self) -> DTypeSet:
        """Every dtype that it may have."""
        return self.exact | self.open

    def __str__(self) -> str:
        """The dtypes: `float32 | float64`."""
        return " | ".join(self.names)


_Pairs = list[tuple[_Dtypes, _Dtypes]]


def mismatch(current: TypeChecker, error: ErrorInfo) -> "Finding | None":
    """The finding about an error that mypy reports now; None for an error that is not about dtypes alone."""
    for each in compared(current, error):
        pairs = _different(each.given, each.declared, current.options.platform)
        if not pairs:
            continue
        inferred, declared = pairs[0]
        # NumPy's stubs often leave it at a category, and so do annotations of functions for several dtypes.
        if inferred.open & declared.all:
            return None
        is_part = not all(_is_array(member) or isinstance(member, AnyType) for member in members(each.given))
        return _finding(each.subject, each.value, inferred, declared, is_part=is_part)
    return None


def _finding(subject: str, value: Expression, inferred: _Dtypes, declared: _Dtypes, *, is_part: bool) -> "Finding":
    from promo_mypy.rules.findings import Cast, Span, finding  # few programs have mistakes

    cast = None
    if not is_part and not declared.open and len(declared.exact) == 1:
        (dtype,) = declared.exact
        end_line, end_column = value.end_line or value.line, value.end_column or value.column
        cast = Cast(Span(value.line, value.column, end_line, end_column), dtype=dtype.strong.name)
    return finding(
        MISMATCH,
        "",
        cast=cast,
        system=inferred.library.value,
        subject=subject[0].upper() + subject[1:],
        verb="contains" if is_part else "is",
        inferred=inferred,
        declared=declared,
    )


def _is_array(typ: ProperType) -> bool:
    return isinstance(typ, Instance) and (array_row(typ) is not None or numpy_scalars.is_scalar(typ))


def _different(given: Type, wanted: Type, platform: str) -> _Pairs | None:
    """The arrays in which two types differ only by dtype; None if they differ in anything else.

    What names a dtype is no array, and mypy infers it where nobody declares a dtype: for `dtype = np.float32`.
    """
    if contains_itself(given) or contains_itself(wanted):
        return None
    if is_subtype(given, wanted):
        return []
    ours, theirs = members(given), [each for each in members(wanted) if not _is_taken_by_jax(each)]
    if len(ours) > 1 or len(theirs) > 1:
        return _different_members(ours, theirs, platform)
    (one,), (other,) = ours, theirs
    if _is_array(one) or _is_array(other):
        return _different_arrays(one, other, platform)
    parts = _parts(one, other)
    return _all_different(parts, platform) if parts else None


def _different_arrays(given: ProperType, wanted: ProperType, platform: str) -> _Pairs | None:
    inferred, declared = _dtypes(given, platform), _dtypes(wanted, platform)
    if inferred is None or declared is None:
        return None
    if (inferred.library, inferred.is_scalar) != (declared.library, declared.is_scalar):
        return None
    return [] if inferred.all <= declared.all else [(inferred, declared)]


def _different_members(given: Sequence[ProperType], wanted: Sequence[ProperType], platform: str) -> _Pairs | None:
    found: _Pairs = []
    is_open = has_open_array(given, platform)
    for member in given:
        if is_open and numpy_scalars.is_scalar_type(member):
            continue
        outcomes = [_different(member, each, platform) for each in wanted]
        if [] in outcomes:
            continue
        differences = [outcome for outcome in outcomes if outcome]
        if not differences:
            return None
        found += differences[0]
    return found


def _all_different(parts: Sequence[tuple[Type, Type]], platform: str) -> _Pairs | None:
    found: _Pairs = []
    for one, other in parts:
        pairs = _different(one, other, platform)
        if pairs is None:
            return None
        found += pairs
    return found


def _parts(given: ProperType, wanted: ProperType) -> Sequence[tuple[Type, Type]]:
    """The types inside two types of one form; none for other types."""
    if isinstance(given, CallableType) and isinstance(wanted, CallableType):
        if given.is_type_obj() or len(given.arg_types) != len(wanted.arg_types):
            return ()
        return list(zip((*given.arg_types, given.ret_type), (*wanted.arg_types, wanted.ret_type), strict=True))
    if isinstance(given, TupleType) and isinstance(wanted, TupleType):
        return list(zip(given.items, wanted.items, strict=True)) if len(given.items) == len(wanted.items) else ()
    if isinstance(given, TypeType) or not isinstance(given, Instance) or not isinstance(wanted, Instance):
        return ()
    if given.type.fullname == names.NUMPY_DTYPE or not given.type.has_base(wanted.type.fullname):
        return ()
    return list(zip(map_instance_to_supertype(given, wanted.type).args, wanted.args, strict=True))


def _dtypes(typ: ProperType, platform: str) -> _Dtypes | None:
    """The dtypes of an array or NumPy scalar; None for any other type and for an unknown dtype."""
    unmarked = get_proper_type(value_marks.unmarked(typ))
    if not isinstance(unmarked, Instance):
        return None
    row, is_scalar = array_row(unmarked), numpy_scalars.is_scalar(unmarked)
    library = row.library if row is not None else Library.NUMPY
    if is_scalar:
        named: Type = unmarked
    elif row is None:
        return None
    elif library is Library.NUMPY:
        dtype = get_proper_type(unmarked.args[1])
        if not isinstance(dtype, Instance) or not dtype.args:
            return None
        named = dtype.args[0]
    else:
        named = as_array(unmarked, row.array).args[0]
    texts: list[str] = []
    exact, categories = set[type[dt.Shaped]](), set[type[dt.Shaped]]()
    for member in members(named):
        found = numpy_scalars.dtypes_of_scalar(member, platform) if library is Library.NUMPY else None
        found = dtypes_of_argument(member) if library is not Library.NUMPY else found
        if not found or not isinstance(member, Instance):
            return None
        (categories if len(found) > 1 else exact).update(found)
        texts.append(member.type.name if len(found) > 1 else _spoken(next(iter(found))))
    return _Dtypes(library, is_scalar, tuple(dict.fromkeys(texts)), frozenset(exact), frozenset(categories))


def _spoken(dtype: type[dt.Shaped]) -> str:
    return f"weak {dtype.strong.name}" if dtype.weak else dtype.name


def _is_taken_by_jax(typ: ProperType) -> bool:
    """Whether this is the NumPy array that the plugin adds to a parameter for JAX arrays."""
    if not isinstance(typ, Instance) or typ.type.fullname not in names.NUMPY_ARRAYS:
        return False
    return any(isinstance(each, Instance) and each.type.fullname == names.TAKEN_BY_JAX for each in members(typ.args[0]))
