"""A changed text, as a diff shows it."""

import difflib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """A file, or a cell of a notebook, before and after its changes; `name` as a diff shows it."""

    name: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        before, after = self.before.splitlines(keepends=True), self.after.splitlines(keepends=True)
        lines = difflib.unified_diff(before, after, f"a/{self.name}", f"b/{self.name}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
