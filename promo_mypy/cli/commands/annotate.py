"""`promo-mypy annotate`: write dtype annotations from a profile and from inference."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from promo_mypy.annotating.spellings import Style
from promo_mypy.cli import mypy_runs, output
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.cli.parameters import ConfigFile, Paths

if TYPE_CHECKING:
    from promo_mypy.annotating.proposals import Proposals

EXAMPLES: Final = ("promo-mypy annotate src", "promo-mypy annotate src --write")


def annotate(
    paths: Paths = None,
    write: Annotated[bool, typer.Option("--write", "-w", help="Change the files.  [default: print a diff]")] = False,
    style: Annotated[
        Style, typer.Option(help="How to write dtypes of JAX and PyTorch; auto: as the code does.")
    ] = Style.AUTO,
    widen: Annotated[
        bool,
        typer.Option("--widen", help="Write the category of a recorded dtype, such as np.floating for float32."),
    ] = False,
    config_file: ConfigFile = None,
) -> None:
    """Annotate parameters and results with the dtypes that a profile has recorded, and results that are inferred.

    A parameter or result is annotated only if it was an array of one library in every call; several dtypes become a
    category. mypy checks the code before and after: a function with a new error stays as it is. Needs libcst: install
    promo-mypy[fix].
    """
    found = _proposed(paths or [], config_file, style, widen)
    for refusal in found.dropped:
        output.note(f"left as it is, as mypy would report an error: {refusal}")
    if write:
        _write(found)
        functions = sum(len(each.functions) for each in found.files)
        output.emit(f"{counted(functions, 'function')} in {counted(len(found.files), 'file')} annotated.")
    else:
        output.emit("".join(each.change.diff for each in found.files).rstrip("\n") or "Nothing to annotate.")


def _proposed(paths: list[Path], config_file: Path | None, style: Style, widen: bool) -> "Proposals":
    # Only the commands that check code need mypy, which takes longer to load than the other commands to run.
    try:
        from promo_mypy.annotating.proposals import proposals
    except ImportError as error:
        if error.name != "libcst":
            raise
        output.fail('annotate needs libcst: python -m pip install "promo-mypy[fix]"')
    with mypy_runs.shown() as progress:
        return proposals(paths, config_file, style, progress, widen=widen)


def _write(found: "Proposals") -> None:
    from promo_mypy.annotating.proposals import write

    try:
        write(found.files)
    except OSError as error:
        output.fail(f"{error.filename}: cannot be written: {error.strerror}")
