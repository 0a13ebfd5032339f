"""`promo-mypy port`: the operations of a program whose dtype differs in another library."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from promo_mypy.cli import mypy_runs, names, output
from promo_mypy.cli.formats.port_html import port_html
from promo_mypy.cli.formats.port_json import port_json
from promo_mypy.cli.formats.port_text import port_text
from promo_mypy.cli.parameters import ConfigFile, Output, Paths, checked_system
from promo_mypy.port.findings import Survey

EXAMPLES: Final = (
    "promo-mypy port --from numpy --to jax src",
    "promo-mypy port --from numpy --to torch src -f html --output port.html",
    "promo-mypy port --from jax-x32 --to numpy src --format json",
)


class Format(StrEnum):
    """How the survey is written."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"


def _system(flag: str, text: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        flag,
        metavar="SYSTEM",
        callback=checked_system,
        autocompletion=names.complete_system,
        help=text,
        show_default=False,
    )
    return option


def port(
    source: Annotated[str, _system("--from", "The system that the code follows: numpy, jax, jax-x32, torch, ...")],
    target: Annotated[str, _system("--to", "The system that it would follow.")],
    paths: Paths = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write the result.")] = Format.TEXT,
    config_file: ConfigFile = None,
    file: Output = None,
) -> None:
    """List the operations whose dtype differs under another system, by file and cause.

    mypy checks the code with the plugin on and never imports it. The exit status is 0 if nothing differs, 1 if
    something does, 2 if not all code can be checked: a file that cannot be parsed is left out.
    "# type: ignore[promo-portability]" excludes an operation.
    """
    if source == target:
        raise typer.BadParameter(f"the code follows {source} already", param_hint="--to")
    found = _surveyed(paths or [], source, target, config_file)
    output.emit(_written(found, form), file)
    mypy_runs.end(found.left_out)
    if found.differing:
        raise typer.Exit(1)


def _surveyed(paths: list[Path], source: str, target: str, config_file: Path | None) -> Survey:
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    from promo_mypy.port.survey import survey

    with mypy_runs.shown() as progress:
        return survey(paths, source, target, config_file=config_file, progress=progress)


def _written(survey: Survey, form: Format) -> str | Text:
    if form is Format.HTML:
        return port_html(survey)
    return port_json(survey) if form is Format.JSON else port_text(survey)
