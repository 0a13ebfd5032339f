"""The texts of `promo-annotation`: the wording of every fault of an annotation.

A fault is a problem and a remedy: sentences without capital and full stop, ready for the diagnostic's text.
"""

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong with an annotation, and what to write instead."""

    problem: str
    remedy: str


def contradiction(claim: str, found: str) -> Fault:
    """`Float32[NDArray[np.float64], "n"]`: the annotation and the array type in it name different dtypes."""
    return Fault(f"{claim} contradicts its own array type, which is {found}", "write one dtype in both places")


def wrong_arguments(claim: str) -> Fault:
    """`Float32[Array, "n", "m"]`."""
    return Fault(f"{claim} takes one array type and one shape string", f'write {claim}[<array type>, "<axes>"]')


def no_string(claim: str) -> Fault:
    """`Float32[Array, 3]`."""
    return Fault(f"{claim} takes a string for the shape", 'write the axes as in "3 n", or "..." for any shape')


def nothing_to_promote() -> Fault:
    """`Promote` without arguments."""
    return Fault(
        "Promote requires at least one argument",
        "write Promote[A, B] with type variables, dtypes or names of parameters",
    )


def bad_shape(claim: str, shape: str, reason: str) -> Fault:
    """`Float32[Array, "n,m"]`, with the reason why jaxtyping rejects it."""
    return Fault(f'{claim} cannot take the shape "{shape}": {reason}', 'write the axes as in "batch 3 *rest"')
