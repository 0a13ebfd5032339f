"""The commands of `promo-mypy`, in one table."""

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Annotated, Final

import typer

from promo_mypy.cli.commands import (
    annotate,
    check,
    coverage,
    explain,
    infer,
    lattice_check,
    lattice_show,
    lsp,
    port,
    record,
    table,
)
from promo_mypy.cli.versions import version


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its place, its function, and the examples in its help."""

    group: str
    """The word before its name; "" for none."""
    name: str
    function: Callable[..., None]
    examples: tuple[str, ...]
    """Command lines that run as they are; the tests run them."""

    @property
    def needs_words(self) -> bool:
        """Whether it requires an argument or option."""
        return any(each.default is Parameter.empty for each in signature(self.function).parameters.values())


#: The words before a command -> their help.
GROUPS: Final = {"lattice": "The order that a promotion system joins dtypes in."}

COMMANDS: Final = (
    Command("", "check", check.check, check.EXAMPLES),
    Command("", "lsp", lsp.lsp, lsp.EXAMPLES),
    Command("", "port", port.port, port.EXAMPLES),
    Command("", "infer", infer.infer, infer.EXAMPLES),
    Command("", "coverage", coverage.coverage, coverage.EXAMPLES),
    Command("", "annotate", annotate.annotate, annotate.EXAMPLES),
    Command("", "record", record.record, record.EXAMPLES),
    Command("", "table", table.table, table.EXAMPLES),
    Command("", "explain", explain.explain, explain.EXAMPLES),
    Command("lattice", "show", lattice_show.show, lattice_show.EXAMPLES),
    Command("lattice", "check", lattice_check.check, lattice_check.EXAMPLES),
)


def _help_end(examples: tuple[str, ...]) -> str:
    # Separate paragraphs: some versions of typer join the lines of a paragraph.
    return "\n\n".join(["[bold]Examples[/bold]", *(f"  {example}" for example in examples)])


def _group(text: str) -> typer.Typer:
    names = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(
        help=text,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_show_locals=False,
        context_settings=names,
    )


def _versions(is_wanted: bool) -> None:
    """Print the versions that a bug report needs, and exit."""
    if is_wanted:
        used = f"mypy {version('mypy')}, Python {platform.python_version()}"
        typer.echo(f"promo-mypy {version('promo-mypy')} ({used})")
        raise typer.Exit


def _start(
    _versions: Annotated[
        bool, typer.Option("--version", callback=_versions, is_eager=True, help="Show the versions and exit.")
    ] = False,
) -> None:
    pass


def _app() -> typer.Typer:
    app = _group("What arrays of different dtypes promote to, and why.")
    app.callback()(_start)
    groups = {"": app} | {name: _group(text) for name, text in GROUPS.items()}
    for name in GROUPS:
        app.add_typer(groups[name], name=name)
    for command in COMMANDS:
        groups[command.group].command(
            command.name, epilog=_help_end(command.examples), no_args_is_help=command.needs_words
        )(command.function)
    return app


app: Final = _app()


def main() -> None:
    """Run the command line of this process; wrong usage, bad names and an unsupported mypy exit with status 2."""
    try:
        app(prog_name="promo-mypy")
    except ImportError as error:
        # The import of the plugin fails without mypy, or for an unsupported version of it.
        if error.name != "mypy":
            raise
        typer.echo(f"promo-mypy: error: {error}", err=True)
        sys.exit(2)
