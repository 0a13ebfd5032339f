"""Widen or narrow the types of unannotated variables in mypy's binder, from the current point on.

Outside mypy's public surface, like `type_checker`: all of this is the state of mypy's binder.

- `widen`, `widen_aliases`: adding an array to a list or dict changes the type of the variable that holds the container,
  and of its aliases. (tests/plugin/inferred/test_quiet_programs.py, tests/plugin/inferred/test_container_aliases.py)
- `declare`: a variable gets a declared type that is wider than its first value.
  (tests/plugin/inferred/test_rebinding.py)
- `narrow`: an inserted call drops the dtypes of a variable. (tests/plugin/inferred/test_container_aliases.py)
- `is_trying_members`: mypy unpacks a union one member after another. (tests/plugin/inferred/test_rebinding.py)
- `widen_attribute`: an attribute of another module gets a value of another dtype.
  (tests/plugin/runs/test_other_modules.py)
- `declare_anything`: a variable becomes Any after an incompatible assignment.
  (tests/plugin/inferred/test_bound_to_anything.py)
"""

from collections.abc import Callable, Set

from mypy.binder import CurrentType
from mypy.checker import TypeChecker
from mypy.literals import Key, literal_hash
from mypy.nodes import Expression, MemberExpr, NameExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_proper_subtype, is_same_type
from mypy.types import Type, TypeGuardedType

from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import bind_below
from promo_mypy.plugin.mypy_api.reports.recorded_changes import record_target, record_variable
from promo_mypy.plugin.mypy_api.symbols import is_foreign


def widen(api: CheckerPluginInterface, expression: Expression, variable: Var, typ: Type) -> None:
    """Give an unannotated variable another type, and remove the narrower type of the expression for it.

    A variable of another module keeps its type: only its names below have the other one, to the end of the function.
    """
    current = checker(api)
    record_variable(current, variable)
    if is_foreign(variable, current.tree.fullname):
        scope = current.scope.current_function() or current.tree
        record_variable(current, bind_below(scope, variable, typ, expression.line))
        return
    variable.type = typ
    key = literal_hash(expression)
    if key is not None and isinstance(expression, NameExpr | MemberExpr):
        current.binder.declarations[key] = typ
        current.binder.put(expression, typ)
    # mypy then checks the body of a loop again, so that the code above sees the new type.
    current.widened_vars.append(variable.name)


def widen_aliases(
    api: CheckerPluginInterface, aliases: Set[Var | str], widened: Callable[[Type], Type], line: int
) -> None:
    """Widen unannotated variables and their narrowed types at this point, which is in that line.

    `aliases` also has names of attributes. The narrowed types of items (`d["k"]`) are widened, too.
    """
    current = checker(api)
    for alias in aliases:
        record_variable(current, alias)
    variables = {alias: alias.type for alias in aliases if isinstance(alias, Var) and alias.type is not None}
    for variable, typ in variables.items():
        wide = widened(typ)
        if is_foreign(variable, current.tree.fullname):
            scope = current.scope.current_function() or current.tree
            record_variable(current, bind_below(scope, variable, wide, line))
            continue
        variable.type = wide
        if not is_same_type(typ, wide):
            current.widened_vars.append(variable.name)
        if ("Var", variable) in current.binder.declarations:
            current.binder.declarations["Var", variable] = wide
    narrowed = {key: current_type.type for frame in current.binder.frames for key, current_type in frame.types.items()}
    for key, typ in narrowed.items():
        if _is_of(key, aliases):
            current.binder._put(key, widened(typ), True)


def declare(current: TypeChecker, variable: Var, declared: Type, value: Type, frames: Set[int]) -> None:
    """Declare a variable of these frames as one type. It is narrowed to its value's type unless narrowed already."""
    key: Key = ("Var", variable)
    record_variable(current, variable)
    binder = current.binder
    binder.declarations[key] = declared
    scope = [frame for frame in binder.frames if frame.id in frames]
    if scope and binder._get(key) is None:
        scope[-1].types[key] = CurrentType(value, True)


def narrow(api: CheckerPluginInterface, target: Expression, typ: Type) -> None:
    """Narrow a variable or attribute until its next assignment."""
    if isinstance(target, NameExpr | MemberExpr):
        record_target(checker(api), target)
        checker(api).binder.put(target, typ)


def is_trying_members(current: TypeChecker) -> bool:
    """Whether mypy is binding the names of `x, y = xs` to one member of a union after another."""
    return current.binder.type_assignments is not None


def narrowed_type(current: TypeChecker, target: NameExpr | MemberExpr) -> Type | None:
    """The type that a variable or attribute is narrowed to at this point; None if it has its declared type."""
    return current.binder.get(target)


def is_narrowed_by_test(current: TypeChecker, target: NameExpr) -> bool:
    """Whether a variable has a narrower type because of a test, not of an assignment."""
    key = literal_hash(target)
    narrowed = current.binder._get(key) if key is not None else None
    return narrowed is not None and not narrowed.from_assignment


def declare_anything(
    current: TypeChecker, target: NameExpr | MemberExpr, declared: Type, typ: Type, at_joins: Type
) -> None:
    """Let a variable have another type until its next assignment, whatever its declared type is.

    `at_joins`: its new declared type, which mypy compares the branches with. For Any it loses their types at a join,
    for object it keeps the union.
    """
    key, binder = literal_hash(target), current.binder
    if key is None:
        return
    record_target(current, target)
    # At a join mypy compares with the declaration, and drops a variable that one branch did not narrow.
    binder.declarations[key] = at_joins
    if binder._get(key) is None:
        binder.frames[0].types[key] = CurrentType(declared, True)
    # `TypeGuardedType` allows a narrowed type that is not a part of the declared type. For one that has the declared
    # type as a part, as `int | Any` has int, mypy would go on with the declared type.
    is_wider = is_proper_subtype(declared, typ, ignore_promotions=True)
    binder.put(target, typ if is_wider else TypeGuardedType(typ))
    for frame in binder.try_frames:
        binder.allow_jump(frame)  # an exception may be raised next


def widen_attribute(current: TypeChecker, target: MemberExpr, typ: Type) -> None:
    """Let an attribute have a wider type than the declared one until its next assignment, in other branches too."""
    key, binder, wide = literal_hash(target), current.binder, TypeGuardedType(typ)
    if key is None:
        return
    record_target(current, target)
    outer = binder.frames[0].types.get(key)
    if outer is None or not isinstance(outer.type, TypeGuardedType):
        current.widened_vars.append(target.name)  # mypy then checks the body of a loop again
    binder.put(target, wide)
    # mypy keeps one object where branches meet, and joins the type inside to the declared one.
    for frame in binder.frames:
        if frame is binder.frames[0] or key in frame.types:
            frame.types[key] = CurrentType(wide, True)


def _is_of(key: object, aliases: Set[Var | str]) -> bool:
    # The keys of mypy's binder for `x`, `x.name` and `x[0]`.
    match key:
        case ("Var", variable):
            return variable in aliases
        case ("Member", owner, name):
            return name in aliases or _is_of(owner, aliases)
        case ("Index", container, _):
            return _is_of(container, aliases)
        case _:
            return False
