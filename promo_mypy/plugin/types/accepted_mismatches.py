"""Let mypy's own errors about dtypes carry a finding for the linter, and find those that a comment accepts."""

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.reports.told import Told, finding_of
from promo_mypy.plugin.mypy_versions import comment_lines
from promo_mypy.plugin.trees import accepted_lines
from promo_mypy.rules.wording.diagnostics import MISMATCH

with late():
    from promo_mypy.plugin.types import mismatches


def note(current: TypeChecker, file: str, info: ErrorInfo) -> bool:
    """Let an error about dtypes carry its finding. Return whether a comment accepts it: it hides no other error."""
    lines = list(comment_lines(info)) or [info.line]
    is_accepted = accepted_lines.is_accepted(file, MISMATCH.code, min(lines), max(lines))
    if not (is_accepted or accepted_lines.are_reported()) or finding_of(info) is not None:
        return False
    found = mismatches.mismatch(current, info)
    if found is not None:
        info.message = Told.of(found, info.message)
    return is_accepted and found is not None
