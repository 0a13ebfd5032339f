"""Complete a checked program with dtypes that follow from known ones where mypy has none, and with recorded ones."""

from operator import is_

from promo_mypy.program.checked.program import Program
from promo_mypy.program.following.cast_modules import casts_modules
from promo_mypy.program.following.changed_parameters import changes_parameters
from promo_mypy.program.following.elements import with_elements
from promo_mypy.program.following.fixed_dtypes import with_fixed
from promo_mypy.program.following.observed import with_observed


def followed(program: Program, *, is_whole: bool = True) -> Program:
    """The program with all of these. One of several dtypes is an answer only where no step knows the exact one.

    `is_whole`: whether it has all of its modules. If not, others may cast its models.
    """
    casts = not is_whole or casts_modules(program)
    changes = not is_whole or changes_parameters(program)
    exact = with_elements(with_fixed(program, casts, bounded=False), casts, changes)
    bounded = with_fixed(exact, casts, bounded=True)
    is_same = all(map(is_, bounded.modules, exact.modules))
    return with_observed(exact if is_same else with_elements(bounded, casts, changes))
