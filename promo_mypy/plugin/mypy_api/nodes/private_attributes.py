"""Set attributes of mypy's nodes that are private or computed from private ones: outside its public plugin surface.

- `rename`: a declaration that moves to another name has to change its own name, or mypy's errors show the old one.
  (tests/plugin/operators/test_stock_fallback.py)
- `with_fullname`: mypy finds the hook of a function by its qualified name, which only semantic analysis sets.
  (tests/plugin/calls/test_scalar_types.py)
- `promote_to`, `promoted_to`: mypy accepts a class where other classes are expected, as it accepts `int` for `float`.
  (tests/plugin/annotations/test_weak_dtypes.py)
"""

from collections.abc import Sequence

from mypy.nodes import FuncDef, TypeInfo, Var
from mypy.types import Instance, ProperType


def rename(declaration: FuncDef | Var, name: str) -> None:
    """Give a function, or the variable of a decorated function, another name."""
    declaration._name = name


def with_fullname(variable: Var, fullname: str) -> Var:
    """The variable, with a qualified name."""
    variable._fullname = fullname
    return variable


def promote_to(info: TypeInfo, classes: Sequence[ProperType]) -> None:
    """Let mypy accept a class where one of the other classes is expected."""
    info._promote = list(classes)


def promoted_to(info: TypeInfo) -> Sequence[Instance]:
    """The classes where mypy accepts this class, too, apart from its base classes."""
    return [cls for cls in info._promote if isinstance(cls, Instance)]
