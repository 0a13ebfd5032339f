"""Report an index of a dtype that the library of the array does not accept: `x[mask.float()]`."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Context, Expression, SliceExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import by_position
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.integer_types import is_bool, is_int
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.rows import Row

with late():
    from promo_mypy.plugin.calls.reports import integer_arguments, rejected_calls

_PACKAGES: Final = {library: package for package, library in BY_PACKAGE.items()}
#: Libraries whose arrays are indices of the arrays of a library, and are checked like those of its own.
_ALSO: Final = {Library.JAX: frozenset({Library.NUMPY}), Library.NUMPY: frozenset({Library.JAX})}


def report(
    array: Type, index: Expression, typ: Type, context: Context, session: Session, api: CheckerPluginInterface
) -> bool:
    """Report the index if every dtype that it may have is rejected. Return whether there was a report."""
    library = library_of(array)
    if library is None or session.watch.leaves_alone(api):
        return False
    if _has_slice(index) and integer_arguments.report_slices(array, index, context, session, api):
        return True
    given = [by_position(part, of) for part, of in _parts(index, typ) if _is_checked(of, library)]
    row = _row(library) if given else None
    found = None if row is None else answers_of(row, given, array, session, api)
    if row is None or found is None or found.refusal is None:
        return False
    rejected_calls.report_refusal(found.refusal, row, context, api)
    return True


def _has_slice(index: Expression) -> bool:
    return any(isinstance(part, SliceExpr) for part in (index.items if isinstance(index, TupleExpr) else (index,)))


def _row(library: Library) -> Row | None:
    package = _PACKAGES[library]
    return functions.library(package).method("__getitem__") if package in functions.LIBRARY_NAMES else None


def _parts(index: Expression, typ: Type) -> Iterator[tuple[Expression, Type]]:
    proper = get_proper_type(typ)
    if isinstance(index, TupleExpr) and isinstance(proper, TupleType) and len(index.items) == len(proper.items):
        yield from zip(index.items, proper.items, strict=True)
    else:
        yield index, typ


def _is_checked(part: Type, library: Library) -> bool:
    """Whether this is an array, or a number that the types of the library accept as an index."""
    proper = get_proper_type(part)
    if not isinstance(proper, Instance) or is_int(proper) or is_bool(proper):
        return False
    own = library_of(proper)
    if own is not None:
        return own is library or own in _ALSO.get(library, ())
    # NumPy's types reject its scalars, unless stock mypy infers Any. PyTorch's reject numbers.
    return is_number(proper) and (
        library is Library.JAX or (library is Library.NUMPY and value_marks.is_marked(proper))
    )
