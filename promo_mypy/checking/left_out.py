"""A file that could not be parsed and was left out of a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """A file that was left out of a run.

    Attributes:
        path: the file, as mypy names it.
        reason: why, in one line.
    """

    path: str
    reason: str

    def __str__(self) -> str:
        """The file and the reason."""
        return f"{self.path}: {self.reason}"
