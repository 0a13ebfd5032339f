"""`promo-mypy check`: the dtype mistakes of a program."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from promo_mypy.cli.check import running
from promo_mypy.cli.check.codes import codes_listed, complete_code
from promo_mypy.cli.check.explained import explain_code
from promo_mypy.cli.check.settings import Format, Settings
from promo_mypy.cli.parameters import Output

EXAMPLES: Final = (
    "promo-mypy check src",
    "promo-mypy check src --select promo-mismatch,promo-widening",
    "promo-mypy check src --baseline baseline.json --write-baseline",
    "promo-mypy check src --format sarif --output promo.sarif",
    "promo-mypy check --explain promo-overflow",
)


def _option(panel: str) -> Callable[..., Any]:
    """`typer.Option`, under this title in the help."""
    return partial(typer.Option, rich_help_panel=panel)


_codes = _option("Which findings")
_output = _option("Output")
_changes = _option("Changes to the code")
_environment = _option("Environment")
_list_of_codes = partial(
    _codes, metavar="CODES", callback=lambda texts: codes_listed(texts or []), autocompletion=complete_code
)


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
        _list_of_codes(
            help="Report these codes, in place of those that are on by default; promo-w for all that begin so, or all."
        ),
    ] = None,
    ignore: Annotated[list[str] | None, _list_of_codes(help="Do not report these codes.")] = None,
    report_unused: Annotated[
        bool,
        _codes("--report-unused", help='Report "# promo: ignore" where nothing is to ignore; --fix removes it.'),
    ] = False,
    fail_on_unseen: Annotated[
        bool,
        _environment(
            "--fail-on-unseen", help="Exit with 2 if the code imports an array library whose types are not seen."
        ),
    ] = False,
    respect_type_ignore: Annotated[
        bool, _codes("--respect-type-ignore", help='Let "# type: ignore" without a code hide findings.')
    ] = False,
    baseline: Annotated[Path | None, _codes(metavar="FILE", help="Report only what is not in this file.")] = None,
    write_baseline: Annotated[bool, _codes("--write-baseline", help="Write all findings into the baseline.")] = False,
    diff: Annotated[
        str | None, _codes(metavar="REV", help="Report only lines that differ from this git revision.")
    ] = None,
    exclude: Annotated[list[str] | None, _codes(metavar="PATTERN", help="Leave out such files and folders.")] = None,
    notebooks: Annotated[
        bool | None,
        _codes("--notebooks/--no-notebooks", help="Whether folders include their notebooks.", show_default="they do"),
    ] = None,
    form: Annotated[Format, _output("--format", "-f", help="How to write the findings.")] = Format.TEXT,
    file: Output = None,
    statistics: Annotated[bool, _output("--statistics", help="Count the findings of each code.")] = False,
    explain: Annotated[
        str | None,
        _output(metavar="CODE", help="Explain a code with an example, and exit.", autocompletion=complete_code),
    ] = None,
    watch: Annotated[bool, _output("--watch", help="Check again whenever a file changes.")] = False,
    fix: Annotated[bool, _changes("--fix", help="Insert the casts that findings propose.")] = False,
    show_fixes: Annotated[bool, _changes("--show-fixes", help="Print what --fix would change, as a diff.")] = False,
    stdin_filename: Annotated[
        Path | None, _environment(metavar="FILE", help="The file that standard input stands for.")
    ] = None,
    python: Annotated[
        Path | None,
        _environment(
            metavar="PATH",
            help="The environment with the packages that the code uses, or its interpreter.",
            show_default="the active one, or .venv",
        ),
    ] = None,
    config_file: Annotated[
        Path | None,
        _environment(
            metavar="FILE",
            help="The pyproject.toml or promo-mypy.toml with the options.",
            show_default="the nearest one",
        ),
    ] = None,
    cache_dir: Annotated[
        Path | None,
        _environment(metavar="FOLDER", help="The folder of the cache.", show_default=".promo_mypy_cache"),
    ] = None,
    no_cache: Annotated[bool, _environment("--no-cache", help="Read everything anew and keep nothing.")] = False,
) -> None:
    """Report the dtype mistakes of a program, whichever type checker it uses.

    mypy checks the code with the plugin on and never imports it. Its configuration is not read, and its other errors
    are not shown. The exit status is 0 without findings, 1 with some, 2 if something could not be checked.
    """
    if explain is not None:
        explain_code(explain)
        return
    settings = Settings(
        paths=tuple(paths or ()),
        exclude=tuple(exclude or ()),
        notebooks=notebooks,
        stdin_filename=stdin_filename,
        python=python,
        config_file=config_file,
        cache_dir=cache_dir,
        no_cache=no_cache,
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        report_unused=report_unused,
        respect_type_ignore=respect_type_ignore,
        fail_on_unseen=fail_on_unseen,
        baseline=baseline,
        write_baseline=write_baseline,
        diff=diff,
        fix=fix,
        show_fixes=show_fixes,
        form=form,
        output=file,
        statistics=statistics,
        watch=watch,
    )
    running.run(settings)
