"""`promo-mypy infer`: the dtype of every array expression in some files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from promo_mypy.cli import mypy_runs, output
from promo_mypy.cli.formats.infer_json import infer_json
from promo_mypy.cli.formats.infer_text import infer_text
from promo_mypy.cli.parameters import ConfigFile, Output, Paths
from promo_mypy.program.expressions import Inference

EXAMPLES: Final = (
    "promo-mypy infer src/module.py",
    "promo-mypy infer src --format json --output dtypes.json",
)


class Format(StrEnum):
    """How the expressions are written."""

    TEXT = "text"
    JSON = "json"


def infer(
    paths: Paths = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write the result.")] = Format.TEXT,
    config_file: ConfigFile = None,
    file: Output = None,
) -> None:
    """List every array expression with its library, its promotion system and its dtype.

    mypy checks the code with the plugin on and never imports it; the number of errors is printed on stderr. The
    exit status is 0, or 2 if not all code can be checked: a file that cannot be parsed is left out.
    """
    found = _inferred(paths or [], config_file)
    mypy_runs.tell_errors(found.errors)
    output.emit(_written(found, form), file)
    mypy_runs.end(found.left_out)


def _inferred(paths: list[Path], config_file: Path | None) -> Inference:
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    from promo_mypy.program.infer import infer as inferred

    with mypy_runs.shown() as progress:
        return inferred(paths, config_file=config_file, progress=progress)


def _written(inference: Inference, form: Format) -> str | Text:
    return infer_json(inference) if form is Format.JSON else infer_text(inference)
