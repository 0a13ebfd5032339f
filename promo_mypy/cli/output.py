"""Write text to the terminal or a file, and errors to stderr."""

from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text


def width() -> int:
    """The width of a line: the variable COLUMNS, else the width of the terminal, else 80."""
    return Console().width


def emit(text: str | Text, output: Path | None = None) -> None:
    """Print a text, with its colours if the terminal supports them; or write it to a file without colours.

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
    """Print the user's mistake in one line on stderr, and exit with status 2."""
    typer.echo(f"promo-mypy: error: {message}", err=True)
    raise typer.Exit(2)
