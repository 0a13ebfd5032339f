"""Pass a finding through mypy with its message: outside mypy's public plugin surface.

mypy's plugin interface takes the text of an error, and its record of the error keeps that very object. So the text
carries the finding to whoever runs mypy in this process. (tests/plugin/mypy_api/test_told.py)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy.errors import ErrorInfo

    from promo_mypy.rules.findings import Finding


class Told(str):
    """The text of an error, with its finding."""

    __slots__ = ("finding",)

    finding: "Finding"

    @classmethod
    def of(cls, finding: "Finding", text: str | None = None) -> "Told":
        """The text of a finding, or another text that mypy has for it."""
        told = cls(finding.text if text is None else text)
        told.finding = finding
        return told


def finding_of(error: "ErrorInfo") -> "Finding | None":
    """The finding that an error reports; None for an error that is not about dtypes."""
    return error.message.finding if isinstance(error.message, Told) else None
