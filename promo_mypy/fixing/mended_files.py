"""Make the changes that findings propose in files, and in the cells of notebooks. Nothing else in them changes."""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import libcst as cst

from promo_mypy.fixing.changes import Change
from promo_mypy.fixing.fixes import with_fixes
from promo_mypy.notebooks.reading import NotebookError, read_notebook
from promo_mypy.notebooks.writing import NotWritableError, merged, with_sources
from promo_mypy.rules.findings import Finding


@dataclass(frozen=True, slots=True)
class Mended:
    """A file with the casts that were inserted, and without the comments that were removed.

    Attributes:
        path: the file.
        changes: what has changed in it.
        content: its new content.
        casts: how many casts it has more.
        comments: how many comments have changed.
    """

    path: str
    changes: tuple[Change, ...]
    content: bytes
    casts: int
    comments: int

    @property
    def diff(self) -> str:
        """The changes as unified diffs."""
        return "".join(change.diff for change in self.changes)


def mended(found: Iterable[Finding], contents: Mapping[str, bytes] | None = None) -> tuple[Mended, ...]:
    """The files that change, with their casts and comments. What libcst cannot parse stays as it is.

    `contents`: the content of files that are not to be read.
    """
    known = contents or {}
    changed = []
    for path, of_file in groupby(found, key=lambda finding: finding.path):
        findings = [each for each in of_file if each.cast is not None or each.replacement is not None]
        if findings:
            content = known.get(path) or Path(path).read_bytes()
            file = _file(path, content, findings) if findings[0].cell is None else _notebook(path, content, findings)
            changed += [file] if file is not None else []
    return tuple(changed)


def write(files: Iterable[Mended]) -> None:
    """Write the files. Raises OSError."""
    for file in files:
        Path(file.path).write_bytes(file.content)


def _file(path: str, content: bytes, findings: Sequence[Finding]) -> Mended | None:
    try:
        module = cst.parse_module(content)
    except (cst.ParserSyntaxError, UnicodeDecodeError):
        return None
    after, casts, comments = with_fixes(module, findings)
    if after == module.code:
        return None
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    stored = mark + after.encode(module.encoding).removeprefix(codecs.BOM_UTF8)
    return Mended(path, (Change(path, module.code, after),), stored, casts, comments)


def _notebook(path: str, content: bytes, findings: Sequence[Finding]) -> Mended | None:
    sources: dict[int, str] = {}
    changes: list[Change] = []
    casts = comments = 0
    try:
        notebook = read_notebook(content)
        for number, of_cell in groupby(findings, key=lambda finding: finding.cell or 0):
            cell = notebook.cell(number)
            if cell is None or "\r" in cell.source:
                continue
            before = notebook.python_of(cell)
            after, more_casts, more_comments = with_fixes(cst.parse_module(before), list(of_cell))
            sources[number] = merged(cell.source, before, after)
            changes.append(Change(f"{path}:cell {number}", cell.source, sources[number]))
            casts, comments = casts + more_casts, comments + more_comments
        text = with_sources(content.decode("utf-8"), sources)
    except (NotebookError, NotWritableError, cst.ParserSyntaxError, UnicodeDecodeError):
        return None
    changed = tuple(change for change in changes if change.before != change.after)
    return Mended(path, changed, text.encode("utf-8"), casts, comments) if changed else None
