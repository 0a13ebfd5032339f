"""Fill in the dtypes that the user's profile has recorded where none is inferred.

The plugin uses a profile where mypy asks it for a type. Here follow the other expressions: operations on values of type
Any, and functions that mypy does not know.
"""

from dataclasses import replace

from promo_mypy.plugin.interface.arrays import Library, may_be_anything
from promo_mypy.program.checked.arrays import Arrays
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.expressions import How
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import Observations

_LIBRARIES = {library.value: library for library in Library}


def with_recorded(expression: Known, module: Module) -> Known:
    """An expression with its recorded dtypes, if its own is unknown."""
    found = module.facts.recorded.get(expression.place)
    if found is None or (expression.arrays is not None and expression.arrays.dtypes is not None):
        return expression
    is_any = any(map(may_be_anything, expression.types))
    arrays = _arrays(found)
    if arrays is None or not (is_any or expression.arrays is not None):
        return expression
    return replace(expression, arrays=arrays, how=How.OBSERVED)


def _arrays(found: Observations) -> Arrays | None:
    """The recorded arrays; None without any, or with one that the rules do not have."""
    libraries = frozenset(_LIBRARIES[each.library] for each in found.seen if each.library in _LIBRARIES)
    dtypes = [dt.DTYPES.get(each.dtype) for each in found.seen]
    if not libraries or None in dtypes:
        return None
    pairs = zip(found.seen, dtypes, strict=True)
    known = (dt.WEAK.get(dtype, dtype) if each.weak else dtype for each, dtype in pairs if dtype is not None)
    return Arrays(libraries, frozenset(known))
