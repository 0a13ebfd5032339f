"""A TOML file to its tables and keys, each of which can say where it stands."""

import tomllib
from pathlib import Path

from promo_mypy.rules.lattices import toml_lines
from promo_mypy.rules.records import record


class TomlError(ValueError):
    """What a file says cannot be used; the message is one line that names file, line, key and fault."""


@record
class Source:
    """A table in a TOML file, as messages name it."""

    file: Path
    text: str
    table: toml_lines.Path = ()

    def at(self, *path: str | int) -> "Source":
        """What stands further down."""
        return Source(self.file, self.text, (*self.table, *path))

    @property
    def line(self) -> int:
        """The line where it is written."""
        return toml_lines.lines_of(self.text).get(self.table, 1)

    @property
    def key(self) -> str:
        """Its name, the elements of arrays counted from 1: tool.promo-mypy.systems.mine.add[2]."""
        name = ""
        for part in self.table:
            name += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
        return name.lstrip(".")

    def error(self, fault: str) -> TomlError:
        """The error for what is written here."""
        place = f"{self.file}:{self.line}: "
        return TomlError(place + (f"{self.key}: {fault}" if self.key else fault))


def source_of(file: Path) -> Source:
    """The top of a TOML file. Raises TomlError for what is none, OSError if it cannot be opened."""
    try:
        text = file.read_text(encoding="utf-8")
        tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise TomlError(f"{file}: is not UTF-8: byte {error.start} cannot be decoded") from error
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"{file}: is not valid TOML: {error}") from error
    return Source(file, text)
