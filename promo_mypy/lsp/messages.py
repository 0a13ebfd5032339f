"""The messages between the server and the worker of a folder, as plain values."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from promo_mypy.linting.request import LintRequest
from promo_mypy.notebooks.modules import NotebookModule
from promo_mypy.rules.findings import Finding, Span

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that is open in the editor.

    Attributes:
        path: the file, absolute and without links.
        version: the number of its text; it grows with every edit.
        text: its text, saved or not.
        notebook: the module with that text, if it is that of a notebook.
    """

    path: str
    version: int
    text: str
    notebook: NotebookModule | None = None


@dataclass(frozen=True, slots=True)
class Edits:
    """What has changed since the last check.

    Attributes:
        documents: the documents with a new text.
        closed: the documents that the editor has closed.
        saved: other files that have changed.
        anew: the check to do from now on, if the options or the set of files have changed.
    """

    documents: tuple[Document, ...] = ()
    closed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    anew: LintRequest | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A dtype to show in the text.

    Attributes:
        line: the line, from 1.
        column: the column after which it stands, from 1, in characters.
        dtype: the dtype.
        is_operator: whether it belongs to an operator, and not to the target of an assignment.
        is_repeated: whether the hint of an assignment shows the same dtype.
    """

    line: int
    column: int
    dtype: str
    is_operator: bool = False
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Hover:
    """The dtype of an expression and its causes, as Markdown."""

    span: Span
    markdown: str


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What is asked about a document, for one version of it; None without an answer."""

    version: int
    value: Value | None


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of one document, about a version of its text: the last one that can be parsed."""

    path: str
    version: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings after some edits.

    Attributes:
        is_partial: whether only edited functions were checked. `Edits` without a change let mypy check the rest.
        results: the findings of all open documents that could be parsed once.
        failure: the reason why there are no results, in one line; empty if mypy has finished.
    """

    results: tuple[Result, ...]
    failure: str = ""
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """mypy has checked that many modules of its first run."""

    done: int
