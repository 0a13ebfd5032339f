"""The commands -> the manual page `docs/promo-mypy.1`, which the wheel installs. `python -m tests.cli` writes it."""

import re
from collections.abc import Iterator
from typing import Any, Final

from typer.main import get_command

from promo_mypy.cli.app import COMMANDS, Command, app_of
from tests.mypy_runs import ROOT

PAGE: Final = ROOT / "docs" / "promo-mypy.1"


def man_page() -> str:
    """The page in the language of man(7)."""
    root: Any = get_command(app_of(COMMANDS))
    lines = ['.TH PROMO-MYPY 1 "" "promo-mypy" "User commands"']
    lines += [".SH NAME", "promo-mypy \\- dtype mistakes in array code, and the rules behind them"]
    lines += [".SH SYNOPSIS", ".B promo-mypy", ".I command", "[options]"]
    lines += [".SH DESCRIPTION", *_paragraphs(root.help)]
    for purpose in dict.fromkeys(command.purpose for command in COMMANDS):
        lines.append(f".SH {purpose.upper()}")
        for command in COMMANDS:
            if command.purpose == purpose:
                lines += _command(command, root)
    lines += [".SH EXIT STATUS", "0 without findings, 1 with findings, 2 for wrong usage or an internal error."]
    return "\n".join(lines) + "\n"


def _command(command: Command, root: Any) -> Iterator[str]:
    """A command with its options and examples."""
    group = root.commands[command.group] if command.group else root
    found = group.commands[command.name]
    yield f".SS {_escaped(' '.join(filter(None, ['promo-mypy', command.group, command.name])))}"
    yield from _paragraphs(found.help)
    for parameter in found.params:
        yield from [".TP", _shown(parameter), _escaped(" ".join((parameter.help or "").split()))]
    yield ".PP"
    yield "Examples:"
    for example in command.examples:
        yield from [".br", f".B {_escaped(example)}"]


def _shown(parameter: Any) -> str:
    """An option in bold with its value, or an argument."""
    if parameter.param_type_name == "argument":
        return f".I {_escaped(parameter.metavar or parameter.name.upper())}"
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
    return f".B {_escaped(', '.join(parameter.opts) + value)}"


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a docstring."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\f", "").strip()):
        yield from [".PP", _escaped(" ".join(paragraph.split()))]


def _escaped(text: str) -> str:
    """A text in which man finds no commands of its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
