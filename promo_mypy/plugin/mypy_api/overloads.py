"""Make a function of some signatures."""

from collections.abc import Sequence

from mypy.types import CallableType, FunctionLike, Overloaded


def of_signatures(signatures: Sequence[CallableType]) -> FunctionLike:
    """The only signature, or an overloaded function of all of them."""
    return Overloaded(list(signatures)) if len(signatures) > 1 else signatures[0]
