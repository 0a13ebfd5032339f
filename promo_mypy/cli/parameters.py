"""Parameters of several commands."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from promo_mypy.cli import names, own_systems


class Data(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"


class Page(StrEnum):
    """How an answer is written that has a page, too."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


def checked(read: Callable[[str], object]) -> Callable[[Any], Any]:
    """A callback for a text, or for several: each must be one that `read` can read. They stay texts."""

    def callback(value: Any) -> Any:
        for text in [value] if isinstance(value, str) else value or ():
            read(text)
        return value

    return callback


System = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        callback=checked(names.system_named),
        autocompletion=names.complete_system,
        help="The promotion system: numpy, jax, torch, ...",
        show_default=False,
    ),
]

Operation = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        callback=checked(names.operation_named),
        autocompletion=names.complete_operation,
        help="What the dtypes go into: promote, or an operator such as truediv or iadd.",
    ),
]

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write into a file instead of the terminal."),
]

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,  # the systems must be registered before names are checked
        callback=own_systems.use_config,
        help="Where your own systems are, in place of the pyproject.toml of this folder.",
        show_default=False,
    ),
]

Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATHS",
        help="Files and folders; without any, those that mypy's configuration names.",
        show_default=False,
    ),
]

ConfigFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="mypy's configuration, if mypy does not find it.", show_default=False),
]


def format_of(what: str) -> Any:
    """The option that says how an answer is written."""
    return typer.Option("--format", "-f", help=f"How to write {what}.")


def system_option(flag: str, text: str, *, show_default: bool = False) -> Any:
    """An option for one promotion system, or for several."""
    return typer.Option(
        flag,
        metavar="SYSTEM",
        callback=checked(names.system_named),
        autocompletion=names.complete_system,
        help=text,
        show_default=show_default,
    )
