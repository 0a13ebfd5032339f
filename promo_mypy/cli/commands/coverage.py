"""`promo-mypy coverage`: how many array expressions have a known dtype, and the causes of unknown dtypes."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from promo_mypy.cli import mypy_runs, output
from promo_mypy.cli.formats.coverage import VERSION, coverage_html, coverage_json, coverage_text, floored
from promo_mypy.cli.parameters import ConfigFile, Output, Page, Paths, format_of
from promo_mypy.program.against import Comparison, compared
from promo_mypy.program.counts import Coverage

EXAMPLES: Final = (
    "promo-mypy coverage src",
    "promo-mypy coverage src --fail-under 90",
    "promo-mypy coverage src --against before.json",
    "promo-mypy coverage src --format html --output coverage.html",
)
_WRITERS: Final[Mapping[Page, Callable[[Coverage, Comparison | None], str | Text]]] = {
    Page.TEXT: coverage_text,
    Page.JSON: coverage_json,
    Page.HTML: coverage_html,
}


def coverage(
    paths: Paths = None,
    form: Annotated[Page, format_of("the result")] = Page.TEXT,
    fail_under: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", min=0, max=100, help="Exit with 1 if less is known.", show_default=False),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Compare with the JSON of an earlier run: gained and lost dtypes by cause.",
            show_default=False,
        ),
    ] = None,
    config_file: ConfigFile = None,
    file: Output = None,
) -> None:
    """Count the array expressions whose dtype is known, and rank the causes of unknown dtypes.

    mypy checks the code with the plugin on and never imports it; the number of errors is printed on stderr. The
    exit status is 0, 1 if the share is below --fail-under, or 2 if not all code can be checked: a file that cannot be
    parsed is left out.
    """
    earlier = _earlier(against) if against is not None else None
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    from promo_mypy.program.coverage import coverage as covered

    with mypy_runs.shown() as progress:
        found = covered(paths or [], config_file=config_file, progress=progress)
    mypy_runs.tell_errors(found.errors)
    output.emit(_WRITERS[form](found, compared(found, earlier) if earlier is not None else None), file)
    is_less = fail_under is not None and found.counts.percent < fail_under
    if is_less:
        typer.echo(f"promo-mypy: {floored(found.counts.percent)} % is less than {fail_under:g} %", err=True)
    mypy_runs.end(found.left_out)
    if is_less:
        raise typer.Exit(1)


def _earlier(file: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        found = None
    if not isinstance(found, dict) or found.get("version") != VERSION or "causes" not in found:
        output.fail(f"{file} is not the JSON of this version's `promo-mypy coverage`")
    return found
