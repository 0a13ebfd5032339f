"""`promo-mypy table`: what every dtype promotes to with every other one."""

from enum import StrEnum
from typing import Annotated, Final

import typer

from promo_mypy.cli import output
from promo_mypy.cli.formats.table import table_html, table_json, table_markdown, table_text
from promo_mypy.cli.formats.table_cells import table as filled
from promo_mypy.cli.parameters import Config, Operation, Output, System, format_of, system_option
from promo_mypy.rules.systems import get_system

EXAMPLES: Final = (
    "promo-mypy table jax",
    "promo-mypy table jax --versus numpy --format html --output table.html",
    "promo-mypy table torch --operation truediv",
    "promo-mypy table numpy --all --format json",
)


class Format(StrEnum):
    """How the table is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


def table(
    system: System,
    versus: Annotated[
        str | None,
        system_option("--versus", "Mark the cells where this system gives something else."),
    ] = None,
    form: Annotated[Format, format_of("the table")] = Format.TEXT,
    operation: Operation = "promote",
    everything: Annotated[
        bool, typer.Option("--all", help="All dtypes of the system and all Python scalars, not only the usual ones.")
    ] = False,
    file: Output = None,
    config: Config = None,  # noqa: ARG001 -- its callback does the work
) -> None:
    """Show what every pair of dtypes promotes to.

    Rows are left operands, columns right ones. A text table is cut into blocks of columns that fit the terminal.
    """
    other = None if versus is None else get_system(versus)
    content = filled(get_system(system), other, operation=operation, everything=everything)
    match form:
        case Format.TEXT:
            output.emit(table_text(content, output.width()), file)
        case Format.MARKDOWN:
            output.emit(table_markdown(content), file)
        case Format.HTML:
            output.emit(table_html(content), file)
        case Format.JSON:
            output.emit(table_json(content), file)
