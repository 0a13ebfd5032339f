"""Leave `**options` out of a call where they cannot change its dtype."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ARG_STAR2

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.rules.functions.language.signatures import Parameter

#: Parameters besides `dtype` that change the result.
_CHANGING: Final = frozenset({"out", "retstep"})


def without_options(given: Sequence[Argument], parameters: Sequence[Parameter], library: Library) -> Sequence[Argument]:
    """The arguments without `**options`, if the call names its dtype: the options can hold no other one.

    PyTorch rejects an `out` of another dtype.
    """
    names = {parameter.name for parameter in parameters}
    if "dtype" not in names or all(argument.keyword != "dtype" for argument in given):
        return given
    if library is not Library.TORCH and not names.isdisjoint(_CHANGING):
        return given
    return [argument for argument in given if argument.kind is not ARG_STAR2]
