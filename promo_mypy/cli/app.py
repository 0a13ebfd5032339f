"""The commands of `promo-mypy`, in one table. A command is imported when it is needed: most of them import much."""

import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from typing import Annotated, Any, Final

import typer


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its place, and the module of `promo_mypy.cli.commands` with its function and its examples."""

    group: str
    """The word before its name; "" for none."""
    name: str
    purpose: str
    """The title above it in the help of the command line."""

    @property
    def module(self) -> str:
        """The name of its module, which is that of its function if it has no group."""
        return f"{self.group}_{self.name}".lstrip("_")

    @property
    def function(self) -> Callable[..., None]:
        """Its function."""
        found: Callable[..., None] = getattr(self._imported, self.name)
        return found

    @property
    def examples(self) -> tuple[str, ...]:
        """Command lines that run as they are; the tests run them."""
        found: tuple[str, ...] = self._imported.EXAMPLES
        return found

    @property
    def needs_words(self) -> bool:
        """Whether it requires an argument or option."""
        return any(each.default is Parameter.empty for each in signature(self.function).parameters.values())

    @property
    def _imported(self) -> Any:
        return import_module(f"promo_mypy.cli.commands.{self.module}")


#: The words before a command -> their help.
GROUPS: Final = {"lattice": "The order that a promotion system joins dtypes in."}

_CHECK: Final = "Find dtype mistakes"
_KNOW: Final = "Know the dtypes of a program"
_RULES: Final = "Ask the rules"

COMMANDS: Final = (
    Command("", "check", _CHECK),
    Command("", "lsp", _CHECK),
    Command("", "port", _CHECK),
    Command("", "infer", _KNOW),
    Command("", "coverage", _KNOW),
    Command("", "annotate", _KNOW),
    Command("", "record", _KNOW),
    Command("", "table", _RULES),
    Command("", "explain", _RULES),
    Command("lattice", "show", _RULES),
    Command("lattice", "check", _RULES),
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
        from promo_mypy.cli.versions import version

        used = f"mypy {version('mypy')}, Python {platform.python_version()}"
        typer.echo(f"promo-mypy {version('promo-mypy')} ({used})")
        raise typer.Exit


def _start(
    _versions: Annotated[
        bool, typer.Option("--version", callback=_versions, is_eager=True, help="Show the versions and exit.")
    ] = False,
) -> None:
    pass


def app_of(commands: Iterable[Command]) -> typer.Typer:
    """The command line with some of the commands."""
    app = _group("What arrays of different dtypes promote to, and why.")
    app.callback()(_start)
    groups = {"": app}
    for command in commands:
        if command.group not in groups:
            groups[command.group] = _group(GROUPS[command.group])
            app.add_typer(groups[command.group], name=command.group, rich_help_panel=command.purpose)
        groups[command.group].command(
            command.name,
            epilog=_help_end(command.examples),
            no_args_is_help=command.needs_words,
            rich_help_panel=None if command.group else command.purpose,
        )(command.function)
    return app


def main() -> None:
    """Run the command line of this process; wrong usage, bad names and an unsupported mypy exit with status 2."""
    named = tuple(command for command in COMMANDS if not command.group and sys.argv[1:2] == [command.name])
    try:
        app_of(named or COMMANDS)(prog_name="promo-mypy")
    except ImportError as error:
        # The import of the plugin fails without mypy, or for an unsupported version of it.
        if error.name != "mypy":
            raise
        typer.echo(f"promo-mypy: error: {error}", err=True)
        sys.exit(2)
