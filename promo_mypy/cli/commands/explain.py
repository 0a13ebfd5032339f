"""`promo-mypy explain`: the promotion of a few dtypes: result, path, reason and cost."""

import json
from dataclasses import asdict
from typing import Annotated, Final

import typer

from promo_mypy.cli import names, output
from promo_mypy.cli.formats.explain_text import text
from promo_mypy.cli.parameters import Config, Data, Operation, checked, format_of, system_option
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


def explain(
    dtypes: Annotated[
        list[str],
        typer.Argument(
            metavar="DTYPE",
            callback=checked(names.operand_named),
            autocompletion=names.complete_operand,
            help="Two or more of float32, f32, i* (weak), int, float, complex (Python's), ...",
            show_default=False,
        ),
    ],
    system: Annotated[
        list[str],
        system_option("--system", "A promotion system; may be given several times.", show_default=True),
    ] = list(DEFAULT_SYSTEMS),  # noqa: B006 -- typer's way to declare a default; it is never changed
    operation: Operation = "promote",
    form: Annotated[Data, format_of("it")] = Data.TEXT,
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
    operands = tuple(map(names.operand_named, dtypes))
    explanations = [explained(get_system(name), operands, operation) for name in dict.fromkeys(system)]
    if form is Data.JSON:
        output.emit(json.dumps([asdict(each) for each in explanations], indent=1, ensure_ascii=False))
        return
    joined = f" {SYMBOLS[operation]} " if operation != "promote" else " with "
    output.emit(text(joined.join(spelled(operand.dtype) for operand in operands), explanations, output.width()))
