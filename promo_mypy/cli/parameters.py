"""Parameters of several commands, and the checks of their values."""

from pathlib import Path
from typing import Annotated

import typer

from promo_mypy.cli import names, own_systems
from promo_mypy.rules.operands import Operand


def checked_system(text: str | None) -> str | None:
    """The unchanged name of a system. Raises typer.BadParameter."""
    if text is not None:
        names.system_named(text)
    return text


def checked_systems(texts: list[str]) -> list[str]:
    """The unchanged names of systems, without repetitions. Raises typer.BadParameter."""
    for text in texts:
        names.system_named(text)
    return list(dict.fromkeys(texts))


def checked_operation(text: str) -> str:
    """The unchanged name of an operation. Raises typer.BadParameter."""
    return names.operation_named(text)


def checked_operands(texts: list[str]) -> list[str]:
    """The unchanged names of operands. Raises typer.BadParameter."""
    for text in texts:
        names.operand_named(text)
    return texts


def checked_operand_list(text: str) -> str:
    """The unchanged list of operands, separated by commas. Raises typer.BadParameter."""
    operands_listed(text)
    return text


def operands_listed(text: str) -> tuple[Operand, ...]:
    """The operands of a list, separated by commas. Raises typer.BadParameter."""
    return tuple(names.operand_named(name.strip()) for name in text.split(",") if name.strip())


System = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        callback=checked_system,
        autocompletion=names.complete_system,
        help="The promotion system: numpy, jax, torch, ...",
        show_default=False,
    ),
]

Operation = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        callback=checked_operation,
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
