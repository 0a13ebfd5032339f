"""The commands of `promo-mypy`, in one table."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Final

import typer

from promo_mypy.cli.commands import coverage, explain, infer, lattice_check, lattice_show, port, table


@dataclass(frozen=True, slots=True)
class Command:
    """One command: where it hangs, its function, and the examples under its help."""

    group: str
    """The word before its name; "" for none."""
    name: str
    function: Callable[..., None]
    examples: tuple[str, ...]
    """Command lines that run as they are; the tests run them."""

    @property
    def needs_words(self) -> bool:
        """Whether it can do nothing without an argument or option."""
        return any(each.default is Parameter.empty for each in signature(self.function).parameters.values())


#: The words before a command -> what they are about.
GROUPS: Final = {"lattice": "The order that a promotion system joins dtypes in."}

COMMANDS: Final = (
    Command("", "port", port.port, port.EXAMPLES),
    Command("", "infer", infer.infer, infer.EXAMPLES),
    Command("", "coverage", coverage.coverage, coverage.EXAMPLES),
    Command("", "table", table.table, table.EXAMPLES),
    Command("", "explain", explain.explain, explain.EXAMPLES),
    Command("lattice", "show", lattice_show.show, lattice_show.EXAMPLES),
    Command("lattice", "check", lattice_check.check, lattice_check.EXAMPLES),
)


def _help_end(examples: tuple[str, ...]) -> str:
    # Paragraphs, as some versions of typer join the lines of one.
    return "\n\n".join(["[bold]Examples[/bold]", *(f"  {example}" for example in examples)])


def _group(text: str) -> typer.Typer:
    return typer.Typer(help=text, no_args_is_help=True, rich_markup_mode="rich", pretty_exceptions_show_locals=False)


def _app() -> typer.Typer:
    app = _group("What arrays of different dtypes promote to, and why.")
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
    """Run the command line of this process; wrong usage and bad names exit with status 2."""
    app(prog_name="promo-mypy")
