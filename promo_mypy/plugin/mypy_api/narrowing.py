"""Variables that nobody annotated to wider types, from the place on that mypy is at.

What is put into a list or dict decides the type of the variable that holds it, and of those that hold the same one.
Outside mypy's public surface, like `type_checker`. (tests/plugin/test_quiet_programs.py, test_container_aliases.py)
"""

from collections.abc import Callable, Set

from mypy.literals import literal_hash
from mypy.nodes import Expression, MemberExpr, NameExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_same_type
from mypy.types import Type

from promo_mypy.plugin.mypy_api.type_checker import checker


def widen(api: CheckerPluginInterface, expression: Expression, variable: Var, typ: Type) -> None:
    """Give a variable that nobody annotated another type, and let the expression for it have no narrower one."""
    current = checker(api)
    variable.type = typ
    key = literal_hash(expression)
    if key is not None and isinstance(expression, NameExpr | MemberExpr):
        current.binder.declarations[key] = typ
        current.binder.put(expression, typ)
    # mypy checks the body of a loop again then, where what stands above sees the new type.
    current.widened_vars.append(variable.name)


def widen_aliases(api: CheckerPluginInterface, aliases: Set[Var | str], widened: Callable[[Type], Type]) -> None:
    """Widen variables that nobody annotated, and the narrower types that they, attributes of the names given, and what
    is in them (`d["k"]`) have at this point.
    """
    current = checker(api)
    variables = {alias: alias.type for alias in aliases if isinstance(alias, Var) and alias.type is not None}
    for variable, typ in variables.items():
        variable.type = widened(typ)
        if not is_same_type(typ, variable.type):
            current.widened_vars.append(variable.name)
        if ("Var", variable) in current.binder.declarations:
            current.binder.declarations["Var", variable] = variable.type
    narrowed = {key: current_type.type for frame in current.binder.frames for key, current_type in frame.types.items()}
    for key, typ in narrowed.items():
        if _is_of(key, aliases):
            current.binder._put(key, widened(typ), True)


def _is_of(key: object, aliases: Set[Var | str]) -> bool:
    # As mypy's binder writes `x`, `x.name` and `x[0]`.
    match key:
        case ("Var", variable):
            return variable in aliases
        case ("Member", owner, name):
            return name in aliases or _is_of(owner, aliases)
        case ("Index", container, _):
            return _is_of(container, aliases)
        case _:
            return False
