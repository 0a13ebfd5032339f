"""Show a run of mypy: a progress bar on stderr, and one line if it cannot be finished."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.cli import output


@contextmanager
def shown() -> Iterator[Callable[[str, int, int | None], None]]:
    """A progress bar in a terminal, called with what mypy does, and the numbers of finished and of all modules. Exits
    with status 2 on a CheckError.
    """
    from promo_mypy.checking.runs import CHECKING, CheckError

    console = Console(file=sys.stderr)  # as it is now: a run of mypy redirects it
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(CHECKING, total=None)
            yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
    except CheckError as error:
        output.fail(str(error))


def end(left_out: Sequence[LeftOut]) -> None:
    """Print the files that could not be parsed on stderr, and exit with status 2 if there are any: the result is
    incomplete.
    """
    for each in left_out:
        typer.echo(f"promo-mypy: left out {each}", err=True)
    if left_out:
        raise typer.Exit(2)


def tell_errors(errors: Sequence[str]) -> None:
    """Print the number of mypy's errors on stderr. The rest of the code is still inferred."""
    if errors:
        what = "an error" if len(errors) == 1 else f"{len(errors)} errors"
        typer.echo(f"promo-mypy: mypy finds {what} in this code; run mypy to see", err=True)
