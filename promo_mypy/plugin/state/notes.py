"""Collect what a tool that runs mypy wants to know about the expressions of a program, beside their types."""

from dataclasses import field

from promo_mypy.rules.profiles import Span
from promo_mypy.rules.records import record

Place = tuple[str, Span]
"""The module and the place of an expression."""


@record
class Notes:
    """Notes about places, added while mypy checks.

    Attributes:
        observed: the expressions whose dtype comes from the user's profile.
        if_empty: call -> the dtypes that it has only if a sequence among its arguments is empty; None if nobody asks.
    """

    observed: set[Place] = field(default_factory=set)
    if_empty: dict[Place, frozenset[str]] | None = None
