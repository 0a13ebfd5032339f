"""Complete a checked program with dtypes that follow from known ones where mypy has none, and with recorded ones."""

from promo_mypy.program.checked.program import Program
from promo_mypy.program.following.cast_modules import casts_modules
from promo_mypy.program.following.changed_parameters import changes_parameters
from promo_mypy.program.following.followed_arrays import with_followed
from promo_mypy.program.following.observed import with_observed


def followed(program: Program, *, is_whole: bool = True) -> Program:
    """The program with all of these.

    `is_whole`: whether it has all of its modules. If not, others may cast its models.
    """
    casts = not is_whole or casts_modules(program)
    changes = not is_whole or changes_parameters(program)
    return with_observed(with_followed(program, casts, changes))
