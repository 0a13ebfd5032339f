"""`promo-mypy check`: the dtype mistakes of a program."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from promo_mypy.cli.check import running
from promo_mypy.cli.check.codes import codes_listed, complete_code
from promo_mypy.cli.check.explained import explain_code
from promo_mypy.cli.check.settings import Changes, Format, Inputs, Outputs, Settings
from promo_mypy.cli.parameters import Output

EXAMPLES: Final = (
    "promo-mypy check src",
    "promo-mypy check src --select promo-mismatch,promo-widening",
    "promo-mypy check src --baseline baseline.json --write-baseline",
    "promo-mypy check src --format sarif --output promo.sarif",
    "promo-mypy check --explain promo-overflow",
)


class _Panel(StrEnum):
    CODES = "Which findings"
    OUTPUT = "Output"
    CHANGES = "Changes to the code"
    ENVIRONMENT = "Environment"


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATHS",
            help="Files and folders; - for standard input. Without any: those of the options, else this folder.",
            show_default=False,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Report these codes, in place of those that are on by default; promo-w for all that begin so, or all.",
            callback=lambda texts: codes_listed(texts or []),
            autocompletion=complete_code,
            rich_help_panel=_Panel.CODES,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Do not report these codes.",
            callback=lambda texts: codes_listed(texts or []),
            autocompletion=complete_code,
            rich_help_panel=_Panel.CODES,
        ),
    ] = None,
    report_unused: Annotated[
        bool,
        typer.Option(
            "--report-unused",
            help='Report "# promo: ignore" where nothing is to ignore; --fix removes it.',
            rich_help_panel=_Panel.CODES,
        ),
    ] = False,
    fail_on_unseen: Annotated[
        bool,
        typer.Option(
            "--fail-on-unseen",
            help="Exit with 2 if the code imports an array library whose types are not seen.",
            rich_help_panel=_Panel.ENVIRONMENT,
        ),
    ] = False,
    respect_type_ignore: Annotated[
        bool,
        typer.Option(
            "--respect-type-ignore",
            help='Let "# type: ignore" without a code hide findings.',
            rich_help_panel=_Panel.CODES,
        ),
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Report only what is not in this file.", rich_help_panel=_Panel.CODES),
    ] = None,
    write_baseline: Annotated[
        bool,
        typer.Option("--write-baseline", help="Write all findings into the baseline.", rich_help_panel=_Panel.CODES),
    ] = False,
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="REV", help="Report only lines that differ from this git revision.", rich_help_panel=_Panel.CODES
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Leave out such files and folders.", rich_help_panel=_Panel.CODES),
    ] = None,
    notebooks: Annotated[
        bool | None,
        typer.Option(
            "--notebooks/--no-notebooks",
            help="Whether folders include their notebooks.",
            show_default="they do",
            rich_help_panel=_Panel.CODES,
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", "-f", help="How to write the findings.", rich_help_panel=_Panel.OUTPUT)
    ] = Format.TEXT,
    file: Output = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count the findings of each code.", rich_help_panel=_Panel.OUTPUT)
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Explain a code with an example, and exit.",
            autocompletion=complete_code,
            rich_help_panel=_Panel.OUTPUT,
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever a file changes.", rich_help_panel=_Panel.OUTPUT)
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Insert the casts that findings propose.", rich_help_panel=_Panel.CHANGES)
    ] = False,
    show_fixes: Annotated[
        bool,
        typer.Option("--show-fixes", help="Print what --fix would change, as a diff.", rich_help_panel=_Panel.CHANGES),
    ] = False,
    stdin_filename: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file that standard input stands for.",
            rich_help_panel=_Panel.ENVIRONMENT,
        ),
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="The environment with the packages that the code uses, or its interpreter.",
            show_default="the active one, or .venv",
            rich_help_panel=_Panel.ENVIRONMENT,
        ),
    ] = None,
    config_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The pyproject.toml or promo-mypy.toml with the options.",
            show_default="the nearest one",
            rich_help_panel=_Panel.ENVIRONMENT,
        ),
    ] = None,
    cache_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of the cache.",
            show_default=".promo_mypy_cache",
            rich_help_panel=_Panel.ENVIRONMENT,
        ),
    ] = None,
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Read everything anew and keep nothing.", rich_help_panel=_Panel.ENVIRONMENT),
    ] = False,
) -> None:
    """Report the dtype mistakes of a program, whichever type checker it uses.

    mypy checks the code with the plugin on and never imports it. Its configuration is not read, and its other errors
    are not shown. The exit status is 0 without findings, 1 with some, 2 if something could not be checked.
    """
    if explain is not None:
        explain_code(explain)
        return
    environment = python, config_file, cache_dir, no_cache
    inputs = Inputs(tuple(paths or ()), tuple(exclude or ()), stdin_filename, *environment, notebooks)
    changes = Changes(baseline, write_baseline, diff, fix, show_fixes)
    outputs = Outputs(form, file, statistics, watch)
    codes = tuple(select or ()), tuple(ignore or ())
    running.run(Settings(inputs, *codes, changes, outputs, report_unused, respect_type_ignore, fail_on_unseen))
