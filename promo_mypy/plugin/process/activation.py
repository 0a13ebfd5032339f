"""Write a configuration with the plugin enabled, for a tool that runs mypy on a user's behalf.

mypy reads plugins only from its configuration file. A project that checks dtypes only in a tool's own environment
(pre-commit, pipx) cannot list the plugin there: mypy would fail wherever the plugin is not installed.
"""

import configparser
import contextlib
import io
import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from mypy.config_parser import parse_config_file
from mypy.options import Options

from promo_mypy.rules.lattices.file_names import PYPROJECT, TOOL_TABLE

PLUGIN = "promo_mypy.plugin"


@contextlib.contextmanager
def activated(config_file: str | None = None) -> Iterator[str]:
    """The path of a configuration for one run of mypy: the one that mypy would read, with the plugin enabled.

    The path is the user's own file if that lists the plugin. Otherwise it is a temporary copy of mypy's sections with
    the plugin first among the plugins. The copy is beside the original, because paths in it are relative to it.

    Args:
        config_file: the user's value of `--config-file`. With None mypy searches as usual, "" means no file.

    Raises:
        OSError: the given file does not exist, or the copy cannot be written.
    """
    if config_file and not Path(config_file).exists():
        raise FileNotFoundError(f"there is no {config_file}")
    complaints = io.StringIO()
    options = Options()
    parse_config_file(options, lambda: None, config_file, complaints, complaints)
    if any(plugin.split(":")[0] == PLUGIN for plugin in options.plugins):
        assert options.config_file  # the plugins come from it
        yield options.config_file
        return
    original = Path(options.config_file) if options.config_file else None
    if original is None:
        # mypy reads only the copy, so its complaints about an unreadable original are shown here.
        sys.stderr.write(complaints.getvalue())
    copy = _copied(original, [PLUGIN, *options.plugins])
    # Closed before mypy opens it, as Windows requires.
    with tempfile.NamedTemporaryFile(
        "w",
        encoding="utf-8",
        dir=Path(options.config_file or config_file or "").parent,
        prefix=".promo-mypy-",
        suffix=f"-{original.name}" if original else ".toml",
        delete=False,
    ) as file:
        file.write(copy)
    try:
        yield file.name
    finally:
        Path(file.name).unlink()


def _copied(original: Path | None, plugins: list[str]) -> str:
    """mypy's sections of a configuration file with these plugins, in the format of the file."""
    if original is None:
        return _toml_table("mypy", {"plugins": plugins})
    text = original.read_text(encoding="utf-8")
    if original.suffix == ".toml":
        tool = tomllib.loads(text)["tool"]
        copy = _toml_table("mypy", tool["mypy"] | {"plugins": plugins})
        # A pyproject.toml beside the copy is read for the plugin's options anyway, and messages should name that file.
        ours_is_here_only = TOOL_TABLE in tool and original.name != PYPROJECT
        return copy + _toml_table(TOOL_TABLE, tool[TOOL_TABLE]) if ours_is_here_only else copy
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    for section in parser.sections():
        if not section.startswith("mypy"):
            parser.remove_section(section)
    if not parser.has_section("mypy"):
        parser.add_section("mypy")
    parser.set("mypy", "plugins", ", ".join(plugins))
    written = io.StringIO()
    parser.write(written)
    return written.getvalue()


def _toml_table(name: str, table: dict[str, object]) -> str:
    return f"[tool.{name}]\n" + "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: object) -> str:
    """A value in TOML. JSON spells strings, numbers, booleans and arrays the same way."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
