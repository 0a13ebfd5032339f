"""`promo-mypy port`: the operations of a program whose dtype differs in another library."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer
from rich.text import Text

from promo_mypy.cli import mypy_runs, output
from promo_mypy.cli.formats.port import port_html, port_json, port_text
from promo_mypy.cli.parameters import ConfigFile, Output, Page, Paths, format_of, system_option
from promo_mypy.port.findings import Survey

EXAMPLES: Final = (
    "promo-mypy port --from numpy --to jax src",
    "promo-mypy port --from numpy --to torch src -f html --output port.html",
    "promo-mypy port --from jax-x32 --to numpy src --format json",
)
_WRITERS: Final[Mapping[Page, Callable[[Survey], str | Text]]] = {
    Page.TEXT: port_text,
    Page.JSON: port_json,
    Page.HTML: port_html,
}


def port(
    source: Annotated[
        str, system_option("--from", "The system that the code follows: numpy, jax, jax-x32, torch, ...")
    ],
    target: Annotated[str, system_option("--to", "The system that it would follow.")],
    paths: Paths = None,
    form: Annotated[Page, format_of("the result")] = Page.TEXT,
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
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    from promo_mypy.port.survey import survey

    with mypy_runs.shown() as progress:
        found = survey(paths or [], source, target, config_file=config_file, progress=progress)
    output.emit(_WRITERS[form](found), file)
    mypy_runs.end(found.left_out)
    if found.differing:
        raise typer.Exit(1)
