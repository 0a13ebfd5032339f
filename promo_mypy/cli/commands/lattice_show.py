"""`promo-mypy lattice show`: a promotion system as a diagram."""

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Final

import typer

from promo_mypy.cli import names, output
from promo_mypy.cli.lattices.caveats import caveats
from promo_mypy.cli.lattices.graph_languages import dot, mermaid
from promo_mypy.cli.lattices.hasse import NotInTheOrderError, hasse
from promo_mypy.cli.lattices.lanes import drawing
from promo_mypy.cli.lattices.svg import svg
from promo_mypy.cli.parameters import Config, Output, System, checked, format_of
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
    form: Annotated[Format, format_of("the diagram")] = Format.TEXT,
    highlight: Annotated[
        str,
        typer.Option(
            metavar="DTYPE,DTYPE",
            callback=checked(names.operands_listed),
            autocompletion=names.complete_operand,
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
        diagram = hasse(rules, everything=everything, highlighted=names.operands_listed(highlight))
    except NotInTheOrderError as error:
        output.fail(str(error))
    diagram = replace(diagram, caveats=caveats(rules, diagram))
    match form:
        case Format.TEXT:
            output.emit(drawing(diagram, output.width()), file)
        case Format.SVG:
            output.emit(svg(diagram), file)
        case Format.DOT:
            output.emit(dot(diagram), file)
        case Format.MERMAID:
            output.emit(mermaid(diagram), file)
