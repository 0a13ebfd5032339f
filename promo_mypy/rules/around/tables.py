"""The terms in which the tables of these libraries are written."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.records import record

OF: Final = "of_"
"""What stands in front of the parameters of the call that made an object, in the rows of its methods."""


@record
class Made:
    """An object that a library makes.

    Attributes:
        cls: the name under which the rows of its methods and attributes stand.
        signature: the parameters of the call that makes it; "" if they decide nothing.
        parameters: whether its arrays are parameters of a model, which a program may cast.
        changes: whether it may get other dtypes in place. They are then known only where the call itself is used.
    """

    cls: str
    signature: str = ""
    parameters: bool = False
    changes: bool = False


@record
class Table:
    """The functions of one or more libraries.

    Attributes:
        rows: full name -> the row of a function, or of a method or attribute.
        made: full name of a function, class or method -> what it makes.
        aliases: other names of functions.
        passed_on: functions that are those of the array library.
        derived: class -> that of what its methods, attributes and subscripts give, if that has such methods at all.
        classes: class in an annotation -> the name under which its rows stand.
    """

    rows: Mapping[str, Row]
    made: Mapping[str, Made] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    passed_on: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)


def only(rule: Rule, dtypes: str) -> Rule:
    """The rule's result if it is one of these dtypes; unknown for others, which were not measured."""
    named = dtypes.split()
    others = " ".join(f"{name}=unknown" for name in dt.DTYPES if name not in named)
    return Converted(rule, others)


def rows(library: str, under: str, *entries: tuple[str, str, Rule]) -> dict[str, Row]:
    """Rows of functions of arrays of one library, from their names, common signature and rule."""
    return {
        f"{under}.{name}": Row(library, f"{under}.{name}", signature, rule)
        for names, signature, rule in entries
        for name in names.split()
    }


def every(names: str, under: str, made: Made) -> Iterable[tuple[str, Made]]:
    """The functions that make such an object."""
    return ((f"{under}.{name}", made) for name in names.split())
