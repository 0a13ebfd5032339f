"""Errors of stock mypy that the plugin rightly takes away."""

from tests.mypy_runs import Message


def is_fair(message: Message) -> bool:
    """Whether the error of stock mypy is a mistake of the stubs about dtypes."""
    return False
