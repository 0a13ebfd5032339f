"""Functions of libraries without types that return objects of NumPy. Source: running scikit-learn 1.9.

`promo-mypy infer` and `coverage` read this table: mypy calls no hook for the methods of such an object.
"""

from collections.abc import Mapping
from typing import Final

MADE: Final[Mapping[str, str]] = {
    f"sklearn.utils.{name}": "numpy.random.RandomState"
    for name in ("check_random_state", "validation.check_random_state")
}
"""Full name of a function -> the class of what it returns for every argument that it accepts."""
