"""Why a library rejects the arguments of a function: reasons that `wording.reasons` does not have.

A reason is a sentence without capital and full stop, ready for a message.
"""

from collections.abc import Iterable

from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.wording.reasons import spelled


def unequal_arguments(library: str, function: str, operands: Iterable[Operand]) -> str:
    """A function that does not promote its arguments, with different dtypes."""
    dtypes = " and ".join(dict.fromkeys(spelled(operand.dtype) for operand in operands))
    return f"the arguments of {library}'s {function} must have the same dtype, not {dtypes}"


def unequal_parameters(library: str, layer: str, dtype: type[Shaped], parameters: type[Shaped]) -> str:
    """A layer with an input of another dtype than its parameters."""
    return (
        f"the input of {library}'s {layer} must have the dtype of its parameters, {spelled(parameters)},"
        f" not {spelled(dtype)}"
    )


def number_for_array(library: str, function: str, operand: Operand) -> str:
    """A Python number where the function takes arrays only."""
    return f"{library}'s {function} takes arrays, not a {spelled(operand.dtype)}"


def complex_parts_lost(library: str, source: type[Shaped], target: type[Shaped]) -> str:
    """A cast of complex numbers to something else."""
    return f"{library} does not cast {source.name} to {target.name}, which would lose the imaginary parts"
