"""Report a NumPy array that PyTorch or JAX cannot convert: of dates, texts, objects, or long doubles."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules.functions.exports import NO_NUMBERS, refuses
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.mixing import CONVERTIBLE

with late():
    from promo_mypy.plugin.calls.reports import rejected_calls

_OTHERS: Final = {f"numpy.{name}": name for name in NO_NUMBERS}


def report(
    row: Row, given: Sequence[Argument], context: Context, session: Session, api: CheckerPluginInterface
) -> bool:
    """Report the array if its dtype is known, and rejected. Return whether there was a report."""
    if not given or not refuses(row.library, row.name, casts=len(given) > 1):
        return False
    library = BY_PACKAGE[row.library]
    refused = _refused(given[0].type, library, session.platform)
    if refused is not None:
        system = session.own_system(library, api)
        reason = f"{system.dialect.library} converts no NumPy arrays of dtype {refused}"
        remedy = "cast the array first, for example with astype(np.float32)"
        rejected_calls.report_call(f"{row.full_name}({refused})", system, reason, remedy, context, api)
    return refused is not None


def _refused(typ: Type, library: Library, platform: str) -> str | None:
    """The dtype of an ndarray that the library rejects; None for any other value, and where the rules reject it."""
    array = get_proper_type(typ)
    if not isinstance(array, Instance) or array.type.fullname != names.NUMPY_ARRAY:
        return None
    values = read(array, platform)
    if values is None:
        dtype = get_proper_type(array.args[1])
        scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
        return _OTHERS.get(scalar.type.fullname) if isinstance(scalar, Instance) else None
    dtypes = {dtype for value in values for dtype in value.dtypes}
    if library is not Library.TORCH or not dtypes.isdisjoint(CONVERTIBLE):
        return None
    return min(dtype.name for dtype in dtypes)
