"""Find mypy's own errors about dtypes that a comment accepts: `# promo: ignore[promo-mismatch]`."""

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_versions import comment_lines
from promo_mypy.plugin.trees import accepted_lines
from promo_mypy.rules.wording.diagnostics import MISMATCH

with late():
    from promo_mypy.plugin.types import mismatches


def is_accepted(file: str, info: ErrorInfo) -> bool:
    """Whether a comment accepts an error, and the error is about a dtype. Such a comment hides no other error."""
    lines = list(comment_lines(info)) or [info.line]
    if not accepted_lines.is_accepted(file, MISMATCH.code, min(lines), max(lines)):
        return False
    return info.severity == "error" and mismatches.mismatch_in(info.message) is not None
