"""A file that nobody could parse, while all others were checked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """A file that a run went on without.

    Attributes:
        path: the file, as mypy names it.
        reason: why, in one line.
    """

    path: str
    reason: str

    def __str__(self) -> str:
        """The file and the reason."""
        return f"{self.path}: {self.reason}"
