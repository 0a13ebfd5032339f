"""Find the line of every key, table and array element of a TOML text: tomllib gives values, but not their places."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

from promo_mypy.rules.records import record

Path = tuple[str | int, ...]
"""Keys from the top of the document down; a number counts the elements of an array from 0."""

# A closing delimiter of three may have one or two more quotes before it, which are part of the string.
_TOKEN: Final = (
    r'(?P<string>"""(?:\\[\s\S]|[^\\])*?"""(?:"{0,2})|\'\'\'[\s\S]*?\'\'\'(?:\'{0,2})'
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<comment>#[^\n]*)|(?P<newline>\n)|(?P<space>[ \t\r]+)|(?P<mark>[\[\]{}=.,])|(?P<bare>[^\s\"'\[\]{}=.,#]+)"
)


@record
class _Token:
    kind: str
    text: str
    line: int


def lines_of(text: str) -> Mapping[Path, int]:
    """Path -> the line, from 1, of its first occurrence. For a table it is the line of its header.

    The text must be valid TOML: tomllib reports anything else.
    """
    return _Document(text).lines


class _Document:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens = list(_tokens(text))
        self._next = 0
        self._tables: dict[Path, int] = {}  # array of tables -> the number of its tables so far
        here: Path = ()
        while self._skip_newlines():
            if self._take("["):
                here = self._header()
            else:
                self._pair(here)

    def _header(self) -> Path:
        """The path of the table whose header begins with the bracket just taken."""
        is_array = self._take("[")
        line, key = self._key()
        path: Path = ()
        for name in key[:-1]:
            path = self._at(path, name, line)
        if not is_array:
            path = self._at(path, key[-1], line)
        else:
            path = self._note((*path, key[-1]), line)
            self._tables[path] = self._tables.get(path, 0) + 1
            path = self._note((*path, self._tables[path] - 1), line)
        while self._take("]"):
            pass
        return path

    def _at(self, path: Path, name: str, line: int) -> Path:
        """The table `name` in `path`; for an array of tables, the last one so far."""
        path = self._note((*path, name), line)
        return (*path, self._tables[path] - 1) if path in self._tables else path

    def _pair(self, table: Path) -> None:
        line, key = self._key()
        for name in key:
            table = self._note((*table, name), line)
        self._take("=")
        self._value(table)

    def _key(self) -> tuple[int, list[str]]:
        line, names = self._tokens[self._next].line, [self._name()]
        while self._take("."):
            names.append(self._name())
        return line, names

    def _name(self) -> str:
        token = self._tokens[self._next]
        self._next += 1
        return str(tomllib.loads(f"x = {token.text}")["x"]) if token.kind == "string" else token.text

    def _value(self, path: Path) -> None:
        if self._take("["):
            count = 0
            while self._skip_newlines() and not self._take("]"):
                if self._take(","):
                    continue
                self._value(self._note((*path, count), self._tokens[self._next].line))
                count += 1
        elif self._take("{"):
            while self._skip_newlines() and not self._take("}"):
                if not self._take(","):
                    self._pair(path)
        else:
            # A number or a date is several tokens; a string is one.
            while self._next < len(self._tokens) and self._tokens[self._next].text not in ("\n", ",", "]", "}"):
                self._next += 1

    def _note(self, path: Path, line: int) -> Path:
        self.lines.setdefault(path, line)
        return path

    def _take(self, mark: str) -> bool:
        found = self._next < len(self._tokens) and self._tokens[self._next] == _Token(
            "mark", mark, self._tokens[self._next].line
        )
        self._next += found
        return found

    def _skip_newlines(self) -> bool:
        """Go to the next token of the document; False at its end."""
        while self._next < len(self._tokens) and self._tokens[self._next].kind == "newline":
            self._next += 1
        return self._next < len(self._tokens)


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in re.finditer(_TOKEN, text):
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            yield _Token(kind, match[0], line)
        line += match[0].count("\n")
