"""Write text to the terminal or a file, and errors to stderr."""

import os
import sys
from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text


def width() -> int:
    """The width of a line: the variable COLUMNS, else the width of the terminal, else 80."""
    return Console().width


class _Console(Console):
    """A console that goes on when the reader of a pipe has gone: the exit status still reports the result."""

    def on_broken_pipe(self) -> None:
        """Write nothing more."""
        _discard_output()


def emit(text: str | Text, output: Path | None = None) -> None:
    """Print a text, with its colours if the terminal supports them; or write it to a file without colours.

    Exits with status 2 if the file cannot be written.
    """
    if output is None:
        try:
            if isinstance(text, Text):
                _Console(highlight=False, soft_wrap=True).print(text)
            else:
                typer.echo(text)
            sys.stdout.flush()
        except BrokenPipeError:
            _discard_output()
        return
    plain = text.plain if isinstance(text, Text) else text
    try:
        output.write_text(plain if plain.endswith("\n") else plain + "\n", encoding="utf-8")
    except OSError as error:
        fail(f"{output}: cannot be written: {error.strerror}")


def append(text: str, file: Path) -> None:
    """Write a text at the end of a file. Exits with status 2 if that is impossible."""
    try:
        with file.open("a", encoding="utf-8") as opened:
            opened.write(text + "\n")
    except OSError as error:
        fail(f"{file}: cannot be written: {error.strerror}")


def note(message: str) -> None:
    """Print one line on stderr."""
    typer.echo(f"promo-mypy: {message}", err=True)


def _discard_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def fail(message: str) -> NoReturn:
    """Print the user's mistake in one line on stderr, and exit with status 2."""
    typer.echo(f"promo-mypy: error: {message}", err=True)
    raise typer.Exit(2)
