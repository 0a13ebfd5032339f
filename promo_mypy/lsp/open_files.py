"""The open files of a program: the text that mypy has checked, and the one that it has not."""

import re
from dataclasses import dataclass

from promo_mypy.linting.values import FileValues
from promo_mypy.lsp.messages import Document, Hint
from promo_mypy.program.syntax.written import Source


@dataclass(frozen=True, slots=True)
class Text:
    """One text of an open file, with Python's tree of it."""

    document: Document
    source: Source

    @classmethod
    def of(cls, document: Document) -> "Text":
        """Parse a text."""
        return cls(document, Source.of(document.path, document.text.encode("utf-8", "surrogatepass")))

    @property
    def lines(self) -> list[str]:
        """The lines, as Python counts them."""
        return re.split(r"\r\n|\n|\r", self.document.text)

    @property
    def is_parsed(self) -> bool:
        """Whether the running Python can parse it."""
        return self.source.tree is not None


@dataclass(slots=True, eq=False)
class OpenFile:
    """An open file.

    Attributes:
        path: the file.
        module: the name under which mypy knows it; empty before its first check.
        checked: the last text that mypy could check; None before the first one.
        waiting: a newer text.
        values: the values in the checked text, once somebody has asked.
        hints: the hints in it, likewise.
    """

    path: str
    module: str = ""
    checked: Text | None = None
    waiting: Text | None = None
    values: FileValues | None = None
    hints: tuple[Hint, ...] | None = None

    def edit(self, document: Document) -> bool:
        """Take a new text, unless it looks like the middle of an edit: then the last good one stays."""
        text = Text.of(document)
        if not text.is_parsed and self.checked is not None and self.checked.is_parsed:
            self.waiting = None
            return False
        self.waiting = text
        return True

    def settle(self) -> None:
        """mypy has checked the newer text."""
        if self.waiting is not None:
            self.checked, self.waiting = self.waiting, None
        self.values = self.hints = None

    @property
    def content(self) -> bytes:
        """The checked text as bytes; nothing before the first one."""
        return self.checked.source.content if self.checked is not None else b""
