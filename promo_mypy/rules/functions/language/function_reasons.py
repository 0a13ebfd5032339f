"""Why a library rejects the arguments of a function: reasons that `wording.reasons` does not have.

A reason is a sentence without capital and full stop, ready for a message.
"""

from collections.abc import Iterable

from promo_mypy.rules.dtypes import OperandType, PythonScalar, Shaped
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


def not_cast(library: str, source: OperandType, target: type[Shaped]) -> str:
    """An array or a number that does not fit the dtype argument of a function."""
    return f'{library} does not cast {spelled(source)} to {target.name} unless casting="unsafe"'


def not_widened(library: str, source: type[Shaped], target: type[Shaped]) -> str:
    """A function that computes only in a dtype that is as wide as that of the array, and of its kind."""
    return f"{library} does not compute it for {source.name} in {target.name}"


def complex_parts_lost(library: str, source: type[Shaped], target: type[Shaped]) -> str:
    """A cast of complex numbers to something else."""
    return f"{library} does not cast {source.name} to {target.name}, which would lose the imaginary parts"


def unaccepted_index(library: str, operand: Operand, parameter: str) -> str:
    """An index or a condition of a dtype that the library does not accept."""
    what = f"a {spelled(operand.dtype)}" if issubclass(operand.dtype, PythonScalar) else spelled(operand.dtype)
    return f"{library} does not accept {what} as {'a condition' if parameter == 'condition' else 'an index'}"


def unequal_write(library: str, function: str, value: type[Shaped], target: type[Shaped]) -> str:
    """A write that does not cast. An assignment casts, unless its index is an array, a list or a mask."""
    what = "an assignment by an array of indices, a list or a mask" if function == "__setitem__" else function
    return f"{library} does not cast {spelled(value)} to {spelled(target)} in {what}"


def unsafe_scatter(library: str, value: Operand, target: type[Shaped]) -> str:
    """A scatter that loses values."""
    return (
        f"{library} casts the {spelled(value.dtype)} to {spelled(target.strong)} with a FutureWarning, which is going"
        " to be an error"
    )


def complex_number(library: str, target: type[Shaped]) -> str:
    """A complex Python number that is stored in a real array."""
    return f"{library} does not store a Python complex in {spelled(target)}"
