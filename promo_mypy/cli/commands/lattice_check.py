"""`promo-mypy lattice check`: prove a user-defined lattice, and show what it changes."""

from pathlib import Path
from typing import Annotated, Final

import typer

from promo_mypy.cli import output
from promo_mypy.cli.lattices.lattice_report import report, report_json, report_text
from promo_mypy.cli.parameters import Data, Output, format_of
from promo_mypy.rules.lattices import own_systems
from promo_mypy.rules.lattices.own_systems import NoLatticeError
from promo_mypy.rules.lattices.system_files import systems_in, without_systems
from promo_mypy.rules.lattices.toml_sources import TomlError
from promo_mypy.rules.wording.near_matches import meant

EXAMPLES: Final = (
    "promo-mypy lattice check mine.toml",
    "promo-mypy lattice check pyproject.toml --system mine",
    "promo-mypy lattice check mine.toml --format json --output mine.json",
)


def check(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A pyproject.toml or promo-mypy.toml with a table of systems, or a file with the keys of one system.",
            show_default=False,
        ),
    ],
    system: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Check this system only.", show_default="all of the file"),
    ] = None,
    form: Annotated[Data, format_of("the report")] = Data.TEXT,
    file: Output = None,
) -> None:
    """Prove that your own system is a lattice, and show what it changes.

    In a lattice every pair of dtypes has one least upper bound, except pairs that do not promote. For a pair without
    one the competing bounds are printed. A cycle is printed in full. Exit status: 0 for a lattice, 1 if it is not a
    lattice, 2 for a file that cannot be used.
    """
    try:
        found = systems_in(source)
        if not found:
            output.fail(without_systems(source))
        if system is not None and system not in found:
            raise typer.BadParameter(f"no system is called {system!r}{meant(system, found)}", param_hint="'--system'")
        own_systems.register(found.values())
        reports = [report(own) for name, own in found.items() if system in (None, name)]
    except NoLatticeError as error:  # for a system that others extend
        typer.echo(f"promo-mypy: error: {error}", err=True)
        raise typer.Exit(1) from error
    except TomlError as error:
        output.fail(str(error))
    except OSError as error:
        output.fail(f"{source} cannot be read: {error.strerror}")
    output.emit(report_json(reports) if form is Data.JSON else report_text(reports, output.width()), file)
    if not all(each.is_lattice for each in reports):
        raise typer.Exit(1)
