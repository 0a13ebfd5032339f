"""Report differences of neighbours among unsigned integers, which wrap around below zero: `np.diff(u8)`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.diagnostics.wrapping import remedy
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.wording import diagnostics

#: Library -> its functions that take each item away from the next one.
_FUNCTIONS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "numpy": frozenset({"diff", "ediff1d"}),
        "cupy": frozenset({"diff", "ediff1d"}),
        "dask": frozenset({"diff", "ediff1d"}),
        "jax": frozenset({"numpy.diff", "numpy.ediff1d"}),
        "torch": frozenset({"diff"}),
        "array_api_strict": frozenset({"diff"}),
    }
)


def report(
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report a call whose result is of unsigned integers, if somebody asks. Return whether there was a report."""
    diagnostic = diagnostics.WRAPPING
    if row.name not in _FUNCTIONS.get(row.library, ()) or not type_checker.is_enabled(api, CODES[diagnostic]):
        return False
    found = answers_of(row, given, receiver, session, api)
    answers = found.answers if found is not None else ()
    dtypes = [each for each in answers if isinstance(each, type) and issubclass(each, dt.UnsignedInteger)]
    if not dtypes or len(dtypes) < len(answers):
        return False
    system = session.own_system(BY_PACKAGE[row.library], api)
    finding = made(
        diagnostic,
        remedy(system, dtypes[0], f"{row.full_name}({{x}})"),
        [each.expression for each in given] if receiver is None else (),
        operands=f"{row.full_name}({dtypes[0].name})",
        system=system.name,
        result=dtypes[0].name,
    )
    type_checker.report(api, finding, context)
    return True
