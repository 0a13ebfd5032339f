"""What a user sees of a run of mypy: a bar on stderr while it lasts, and one line if it cannot be finished."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.cli import output


@contextmanager
def shown() -> Iterator[Callable[[int, int], None]]:
    """A bar in a terminal, to be told how many of how many files are done; exits with status 2 on a CheckError."""
    from promo_mypy.checking.runs import CheckError

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("Checking with mypy", total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
    except CheckError as error:
        output.fail(str(error))


def end(left_out: Sequence[LeftOut]) -> None:
    """Say on stderr which files could not be parsed, and exit with status 2 if there are any: the rest is not all."""
    for each in left_out:
        typer.echo(f"promo-mypy: left out {each}", err=True)
    if left_out:
        raise typer.Exit(2)


def tell_errors(errors: Sequence[str]) -> None:
    """Say on stderr how many errors mypy has found; they do not keep the rest of the code from being known."""
    if errors:
        what = "an error" if len(errors) == 1 else f"{len(errors)} errors"
        typer.echo(f"promo-mypy: mypy finds {what} in this code; run mypy to see", err=True)
