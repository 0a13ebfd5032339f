"""Read lists of reviewed, correct errors from TOML, and compare them with the errors of a run."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from tests.mypy_runs import Message
from tests.on_and_off import normalised

#: The table of errors that only the plugin reports, and the table of errors that only stock mypy reports.
NEW: Final = "new"
LOST: Final = "lost"


@dataclass(frozen=True, slots=True)
class Entry:
    """A reviewed error. Its place is the text of its line, which stays the same when lines above it come and go.

    Attributes:
        file: the path of the file, relative to the folder that the list is about.
        source: the line of source, stripped.
        error: mypy's message, with its code in brackets.
        reason: why the error is correct.
    """

    file: str
    source: str
    error: str
    reason: str


def load(path: Path, kind: str = NEW) -> tuple[Entry, ...]:
    """The entries of one kind, `NEW` or `LOST`, in a list.

    Raises:
        ValueError: an entry lacks a key, has an unknown key or an empty value, or occurs twice.
    """
    keys = {field.name for field in fields(Entry)}
    entries: list[Entry] = []
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if not set(content) <= {NEW, LOST}:
        raise ValueError(f"{path}: the tables are {NEW} and {LOST}, not {', '.join(sorted(content))}")
    for row in content.get(kind, []):
        texts = all(isinstance(value, str) and value.strip() for value in row.values())
        if not (set(row) == keys and texts):
            raise ValueError(f"{path}: every entry has the keys {', '.join(sorted(keys))}, all of them texts: {row}")
        entries.append(Entry(**row))
    repeated = [entry for entry, times in Counter(entries).items() if times > 1]
    if repeated:
        raise ValueError(f"{path}: stands there twice: {repeated[0]}")
    return tuple(entries)


def place(message: Message, root: Path, prefix: str = "") -> tuple[str, str, str]:
    """File, source line and text of an error as entries spell them.

    `message.file` is a path below `root`; entries put `prefix` before it.
    """
    lines = (root / message.file).read_text(encoding="utf-8").splitlines()
    return prefix + message.file, lines[message.line - 1].strip(), f"{normalised(message.text)}  [{message.code}]"


def unreviewed(
    messages: Iterable[Message], entries: Sequence[Entry], root: Path, prefix: str = ""
) -> tuple[list[Message], list[Entry]]:
    """The errors without an entry, and the entries without an error; for `root` and `prefix` see `place`.

    One entry allows the same error on every equal line of its file.
    """
    allowed = {(entry.file, entry.source, entry.error): entry for entry in entries}
    unknown: list[Message] = []
    seen: set[tuple[str, str, str]] = set()
    for message in messages:
        key = place(message, root, prefix)
        seen.add(key)
        if key not in allowed:
            unknown.append(message)
    return unknown, [entry for key, entry in allowed.items() if key not in seen]


def as_entry(message: Message, root: Path, prefix: str = "", kind: str = NEW) -> str:
    """An error as an entry to be reviewed: everything except the reason."""
    texts = zip(("file", "source", "error"), place(message, root, prefix), strict=True)
    return "\n".join([f"[[{kind}]]", *(f"{key} = {literal(text)}" for key, text in texts), 'reason = ""'])


def literal(text: str) -> str:
    """A TOML string; the literal form if possible, since types are full of double quotes."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
