"""`promo-mypy lattice show`: a promotion system as a diagram."""

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Final

import typer
from rich.text import Text

from promo_mypy.cli import names, output
from promo_mypy.cli.lattices.caveats import caveats
from promo_mypy.cli.lattices.graph_languages import dot, mermaid
from promo_mypy.cli.lattices.hasse import Hasse, NotInTheOrderError, hasse
from promo_mypy.cli.lattices.lanes import drawing
from promo_mypy.cli.lattices.svg import svg
from promo_mypy.cli.parameters import Config, Output, System, checked_operand_list, operands_listed
from promo_mypy.rules.systems import get_system

EXAMPLES: Final = (
    "promo-mypy lattice show jax",
    "promo-mypy lattice show numpy --highlight int8,uint8",
    "promo-mypy lattice show jax --all --format svg --output jax.svg",
    "promo-mypy lattice show torch --format mermaid",
)


class Format(StrEnum):
    """How the diagram is written."""

    TEXT = "text"
    SVG = "svg"
    DOT = "dot"
    MERMAID = "mermaid"


def show(
    system: System,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write the diagram.")] = Format.TEXT,
    highlight: Annotated[
        str,
        typer.Option(
            metavar="DTYPE,DTYPE",
            callback=checked_operand_list,
            autocompletion=names.complete_operands,
            help="Draw the paths of these dtypes to what they promote to.",
            show_default=False,
        ),
    ] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Draw the dtypes of less than a byte, the small floats and the like, too.")
    ] = False,
    file: Output = None,
    config: Config = None,  # noqa: ARG001 -- its callback does the work
) -> None:
    """Draw the order in which a system joins dtypes: its Hasse diagram.

    An edge leads from a dtype to a dtype directly above it. Two dtypes promote to the lowest one above both.

    Text below the diagram states what it cannot show.
    """
    rules = get_system(system)
    try:
        diagram = hasse(rules, everything=everything, highlighted=operands_listed(highlight))
    except NotInTheOrderError as error:
        output.fail(str(error))
    output.emit(_written(replace(diagram, caveats=caveats(rules, diagram)), form), file)


def _written(diagram: Hasse, form: Format) -> str | Text:
    if form is Format.SVG:
        return svg(diagram)
    if form is Format.DOT:
        return dot(diagram)
    return mermaid(diagram) if form is Format.MERMAID else drawing(diagram, output.width())
