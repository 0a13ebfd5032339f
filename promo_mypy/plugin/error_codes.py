"""Register the diagnostics as mypy error codes, all under the parent `promo`."""

from collections.abc import Mapping
from typing import Final

from mypy.errorcodes import ErrorCode

from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, PARENT, PARENT_MEANING, Diagnostic

PARENT_CODE: Final = ErrorCode(PARENT, PARENT_MEANING, "promo-mypy")

CODES: Final[Mapping[Diagnostic, ErrorCode]] = {
    diagnostic: ErrorCode(
        diagnostic.code,
        diagnostic.meaning,
        "promo-mypy",
        default_enabled=diagnostic.enabled,
        sub_code_of=PARENT_CODE,
    )
    for diagnostic in DIAGNOSTICS
}
#: The name of a code -> the code.
BY_NAME: Final[Mapping[str, ErrorCode]] = {code.code: code for code in CODES.values()}
#: The codes of all errors of the plugin.
OWN_CODES: Final = frozenset(CODES.values())
