"""The tables and keys of a TOML file, with their places."""

import tomllib
from pathlib import Path

from promo_mypy.rules.lattices import toml_lines
from promo_mypy.rules.records import record


class TomlError(ValueError):
    """Invalid content of a file. The message is one line with file, line, key and fault."""


@record
class Source:
    """A place in a TOML file, as messages name it."""

    file: Path
    text: str
    table: toml_lines.Path = ()

    def at(self, *path: str | int) -> "Source":
        """A place below this one."""
        return Source(self.file, self.text, (*self.table, *path))

    @property
    def line(self) -> int:
        """Its line."""
        return toml_lines.lines_of(self.text).get(self.table, 1)

    @property
    def key(self) -> str:
        """Its name, the elements of arrays counted from 1: tool.promo-mypy.systems.mine.add[2]."""
        name = ""
        for part in self.table:
            name += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
        return name.lstrip(".")

    def error(self, fault: str) -> TomlError:
        """The error for the content of this place."""
        place = f"{self.file}:{self.line}: "
        return TomlError(place + (f"{self.key}: {fault}" if self.key else fault))


def source_of(file: Path) -> Source:
    """The top of a TOML file. Raises TomlError if it is not TOML, OSError if it cannot be opened."""
    try:
        text = file.read_text(encoding="utf-8")
        tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise TomlError(f"{file}: is not UTF-8: byte {error.start} cannot be decoded") from error
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"{file}: is not valid TOML: {error}") from error
    return Source(file, text)
