"""Accept today's findings: write them into a file, and report only those that are not in it.

An entry has no line number, so it survives moved lines: it names the file, the code, the message and the source line.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from promo_mypy.rules.findings import Finding

#: Increases when the meaning of an entry changes.
VERSION: Final = 1

_KEYS: Final = ("path", "code", "message", "source")
#: Path, code, message and source line.
_Entry = tuple[str, str, str, str]


class BaselineError(Exception):
    """The file cannot be read or written, or is no baseline. The message is one line."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The findings that a baseline does not have, how many it has, and how many of its entries are gone."""

    new: tuple[Finding, ...]
    known: int
    gone: int


def compare(findings: Sequence[Finding], file: Path) -> Compared:
    """Compare with a baseline. Equal findings count: a third one is new if the baseline has two.

    Raises:
        BaselineError: the file cannot be read.
    """
    left = Counter(_read(file))
    new = []
    for finding in findings:
        entry = _entry(finding, file)
        if left[entry] > 0:
            left[entry] -= 1
        else:
            new.append(finding)
    return Compared(tuple(new), len(findings) - len(new), left.total())


def write(findings: Iterable[Finding], file: Path) -> None:
    """Write a baseline. Raises BaselineError."""
    _store([_entry(finding, file) for finding in findings], file)


def add(finding: Finding, file: Path) -> None:
    """Accept one more finding in a baseline, which need not exist. Raises BaselineError."""
    _store([*(_read(file) if file.exists() else ()), _entry(finding, file)], file)


def _store(entries: Iterable[_Entry], file: Path) -> None:
    content = {"version": VERSION, "findings": [dict(zip(_KEYS, entry, strict=True)) for entry in entries]}
    try:
        file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise BaselineError(f"{file}: cannot be written: {error.strerror}") from error


def _entry(finding: Finding, file: Path) -> _Entry:
    """The entry of a finding; its path is relative to the folder of the baseline, if it is in there."""
    path = Path(finding.path).resolve()
    home = file.resolve().parent
    shown = path.relative_to(home) if path.is_relative_to(home) else path
    return shown.as_posix(), finding.code, finding.message, finding.source


def _read(file: Path) -> Iterable[_Entry]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BaselineError(f"{file}: cannot be read: {error.strerror}; --write-baseline makes it") from error
    except ValueError as error:
        raise BaselineError(f"{file}: is not JSON: {error}{_merging(file)}") from error
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise BaselineError(f"{file}: is no baseline of version {VERSION}; --write-baseline makes a new one")
    entries = content.get("findings")
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise BaselineError(f"{file}: is no baseline: `findings` is no list of entries")
    return [(each["path"], each["code"], each["message"], each["source"]) for each in entries]


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in _KEYS)


def _merging(file: Path) -> str:
    has_markers = "<<<<<<< " in file.read_text(encoding="utf-8", errors="replace")
    return "; it has conflict markers of a merge" if has_markers else ""
