"""Where text goes: the terminal or a file, and errors to stderr."""

from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text


def width() -> int:
    """Characters in a line: the terminal's, 80 where there is none; the variable COLUMNS decides over both."""
    return Console().width


def emit(text: str | Text, output: Path | None = None) -> None:
    """Print a text as it is, coloured if it has colours and a terminal shows them; or write it, plain, into a file.

    Exits with status 2 if the file cannot be written.
    """
    if output is None:
        if isinstance(text, Text):
            Console(highlight=False, soft_wrap=True).print(text)
        else:
            typer.echo(text)
        return
    plain = text.plain if isinstance(text, Text) else text
    try:
        output.write_text(plain if plain.endswith("\n") else plain + "\n", encoding="utf-8")
    except OSError as error:
        fail(f"{output}: cannot be written: {error.strerror}")


def fail(message: str) -> NoReturn:
    """Tell the user's mistake in one line on stderr, and exit with status 2."""
    typer.echo(f"promo-mypy: error: {message}", err=True)
    raise typer.Exit(2)
