"""CuPy's functions whose own check of `out=` has not been measured."""

from collections.abc import Iterator

from promo_mypy.rules.functions.language.rows import Entry
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.numpy.casting import CastInto


def any_out(*entries: Entry) -> Iterator[Entry]:
    """NumPy's entries, with an `out` of any dtype."""
    for name, signature, rule in entries:
        inner = rule.rule if isinstance(rule, Into | CastInto) else rule
        yield name, signature, Into(inner, fit=Fit.ANY)
