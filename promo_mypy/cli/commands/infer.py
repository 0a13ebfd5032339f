"""`promo-mypy infer`: the dtype of every array expression in some files."""

from typing import Annotated, Final

from promo_mypy.cli import mypy_runs, output
from promo_mypy.cli.formats.infer import infer_json, infer_text
from promo_mypy.cli.parameters import ConfigFile, Data, Output, Paths, format_of

EXAMPLES: Final = (
    "promo-mypy infer src/module.py",
    "promo-mypy infer src --format json --output dtypes.json",
)


def infer(
    paths: Paths = None,
    form: Annotated[Data, format_of("the result")] = Data.TEXT,
    config_file: ConfigFile = None,
    file: Output = None,
) -> None:
    """List every array expression with its library, its promotion system and its dtype.

    mypy checks the code with the plugin on and never imports it; the number of errors is printed on stderr. The
    exit status is 0, or 2 if not all code can be checked: a file that cannot be parsed is left out.
    """
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    from promo_mypy.program.infer import infer as inferred

    with mypy_runs.shown() as progress:
        found = inferred(paths or [], config_file=config_file, progress=progress)
    mypy_runs.tell_errors(found.errors)
    output.emit(infer_json(found) if form is Data.JSON else infer_text(found), file)
    mypy_runs.end(found.left_out)
