"""`promo-mypy explain`: the promotion of a few dtypes: result, path, reason and cost."""

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Final

import typer

from promo_mypy.cli import names, output
from promo_mypy.cli.formats.explain_text import text
from promo_mypy.cli.parameters import Config, Operation, checked_operands, checked_systems
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.explanations import explain as explained
from promo_mypy.rules.wording.reasons import SYMBOLS, spelled

EXAMPLES: Final = (
    "promo-mypy explain int32 float16",
    "promo-mypy explain uint8 int --system numpy --system torch",
    "promo-mypy explain int8 uint8 float16 --system numpy",
    "promo-mypy explain int32 int64 --operation truediv --system jax",
)

#: The default systems.
DEFAULT_SYSTEMS: Final = ("numpy", "jax", "torch")


class Format(StrEnum):
    """How the explanation is written."""

    TEXT = "text"
    JSON = "json"


def explain(
    dtypes: Annotated[
        list[str],
        typer.Argument(
            metavar="DTYPE",
            callback=checked_operands,
            autocompletion=names.complete_operand,
            help="Two or more of float32, f32, i* (weak), int, float, complex (Python's), ...",
            show_default=False,
        ),
    ],
    system: Annotated[
        list[str],
        typer.Option(
            metavar="SYSTEM",
            callback=checked_systems,
            autocompletion=names.complete_system,
            help="A promotion system; may be given several times.",
        ),
    ] = list(DEFAULT_SYSTEMS),  # noqa: B006 -- typer's way to declare a default; it is never changed
    operation: Operation = "promote",
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write it.")] = Format.TEXT,
    config: Config = None,  # noqa: ARG001 -- its callback does the work
) -> None:
    """Explain what dtypes promote to: result, path, reason and cost.

    The path is the chain of upcasts of each operand in the system's order of dtypes. The cost counts bytes per
    element, bits of precision, and range.
    """
    if len(dtypes) < 2:
        raise typer.BadParameter("name at least two dtypes", param_hint="'DTYPE'")
    if operation != "promote" and len(dtypes) > 2:
        raise typer.BadParameter(f"{operation} takes two dtypes, not {len(dtypes)}", param_hint="'DTYPE'")
    operands = tuple(names.operand_named(name) for name in dtypes)
    explanations = [explained(get_system(name), operands, operation) for name in system]
    if form is Format.JSON:
        output.emit(json.dumps([asdict(each) for each in explanations], indent=1, ensure_ascii=False))
        return
    joined = f" {SYMBOLS[operation]} " if operation != "promote" else " with "
    output.emit(text(joined.join(spelled(operand.dtype) for operand in operands), explanations, output.width()))
