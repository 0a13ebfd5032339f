"""Attributes of mypy's nodes that are private, or derived from private ones: outside mypy's public plugin surface.

- `rename`: a declaration that is moved to another name has to say so, or mypy words errors by the old one.
  (tests/plugin/operators/test_stock_fallback.py)
- `with_fullname`: mypy asks for the hook of a function by its qualified name, which only semantic analysis sets.
  (tests/plugin/calls/test_scalar_types.py)
- `promote_to`: a class stands where others are asked for, as `int` does for `float`.
  (tests/plugin/annotations/test_weak_dtypes.py)
"""

from collections.abc import Sequence

from mypy.nodes import FuncDef, TypeInfo, Var
from mypy.types import Instance


def rename(declaration: FuncDef | Var, name: str) -> None:
    """Give a function, or the variable of a decorated one, another name."""
    declaration._name = name


def with_fullname(variable: Var, fullname: str) -> Var:
    """The variable, under a qualified name."""
    variable._fullname = fullname
    return variable


def promote_to(info: TypeInfo, classes: Sequence[Instance]) -> None:
    """Let a class stand where one of the others is asked for."""
    info._promote = list(classes)
