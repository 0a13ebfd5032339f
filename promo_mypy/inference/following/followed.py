"""Complete a checked program with dtypes that follow from known ones where mypy has none, and with recorded ones."""

from promo_mypy.inference.checked.program import Program
from promo_mypy.inference.following.elements import with_elements
from promo_mypy.inference.following.fixed_dtypes import with_fixed
from promo_mypy.inference.following.observed import with_observed


def followed(program: Program) -> Program:
    """The program with all of these. One of several dtypes is an answer only where no step knows the exact one."""
    exact = with_elements(with_fixed(program, bounded=False))
    return with_observed(with_elements(with_fixed(exact, bounded=True)))
