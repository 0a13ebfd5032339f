"""Complete the type of a container before mypy has found an item: outside mypy's public plugin surface.

- `complete`: mypy gives `xs = []` a partial type, which the first item completes. A later assignment would complete it
  otherwise. (tests/plugin/inferred/provenance/inferred_targets)
"""

from mypy.nodes import Var
from mypy.types import AnyType, Instance, PartialType, TypeOfAny

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker


def complete(current: TypeChecker, variable: Var) -> None:
    """Let the items of a container without a known item be Any."""
    partial, scope = variable.type, current.find_partial_types(variable)
    if isinstance(partial, PartialType) and partial.type is not None and scope is not None:
        items = [AnyType(TypeOfAny.special_form) for _ in partial.type.type_vars]
        current.replace_partial_type(variable, Instance(partial.type, items), scope)
