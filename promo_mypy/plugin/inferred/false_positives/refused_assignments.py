"""Drop the dtype of the target of an incompatible assignment.

mypy keeps the type that the variable had before, but the program goes on with the value. So an array keeps its class
and has an unknown dtype. A later assignment that mypy accepts narrows the variable again. If the error is a false
positive, the variable is narrowed to the value, or is Any if the value is not written there. This is outside mypy's
public surface, as in `type_checker`.
(tests/agreement/test_regressions.py, tests/plugin/inferred/test_bound_to_anything.py)
"""

from collections.abc import Sequence

from mypy.messages import format_type
from mypy.nodes import (
    ComparisonExpr,
    Expression,
    IndexExpr,
    NameExpr,
    Var,
)
from mypy.subtypes import is_proper_subtype, is_subtype
from mypy.types import AnyType, Instance, NoneType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin.inferred.false_positives.assigned_values import (
    assigned_by,
    assignment_of,
    values_of,
    variable_of,
)
from promo_mypy.plugin.mypy_api.checker.narrowing import declare_anything, is_narrowed_by_test, narrowed_type
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.bound_targets import definitions_in, targets
from promo_mypy.plugin.trees.expressions import root
from promo_mypy.plugin.trees.syntax_trees import checked_statements
from promo_mypy.plugin.types.array_types import is_number, is_python_number, library_of
from promo_mypy.plugin.types.container_types import holds_array, may_be_anything, or_anything, without_dtypes
from promo_mypy.plugin.types.integer_types import is_bool
from promo_mypy.plugin.types.walks import members


def go_on(current: TypeChecker, error: ErrorInfo, *, is_hidden: bool) -> bool:
    """Drop the dtypes of the targets of the statement with the error, until their next assignment.

    `is_hidden`: whether the error is a false positive. Return whether it is, and no annotation declares the targets.
    """
    file = checked_statements(current.tree)
    statement = assigned_by(file, error)
    if statement is None:
        return False
    values = values_of(statement, error, current)
    # Of `x, y = a, b` mypy checks one pair after the other.
    paired = [each.target for each in definitions_in(statement) if each.whole_value in values]
    bound = paired or targets(statement)
    is_ours = is_hidden and all(_may_change(target, current) for target in bound)
    types = map(current.lookup_type_or_none, values)
    gets_array = any(typ is not None and holds_array(typ) for typ in types)
    named = [target for target in bound if _is_named(target, error, current)]
    is_value = bool(paired) or len(bound) == 1
    known = _known(values, current, is_value=is_value) if is_ours else None
    for target in named or bound:
        if not isinstance(target, NameExpr):
            continue  # an attribute gets its declared type back when mypy goes on
        if is_ours or gets_array or not _stays_number(target, values, current):
            narrow_to_value(current, target, known, is_hidden=is_ours)
    return is_ours


def _is_named(target: object, error: ErrorInfo, current: TypeChecker) -> bool:
    """Whether an error names the type of a target: for `x, y = a, b` mypy does not tell which one it is about."""
    declared = current.lookup_type_or_none(target) if isinstance(target, NameExpr) else None
    return declared is not None and f"variable has type {format_type(declared, current.options)})" in error.message


def _known(values: Sequence[Expression], current: TypeChecker, *, is_value: bool) -> Type | None:
    """The type of the value that targets get; Any if it is not written, as in a loop.

    None for `1 == x`, which is a bool to typeshed, and an array if x is one. `is_value`: whether the targets get the
    whole value.
    """
    if not values:
        return AnyType(TypeOfAny.from_error)
    if len(values) > 1 or not is_value:
        return None
    typ = get_proper_type(current.lookup_type_or_none(values[0]))
    return None if isinstance(values[0], ComparisonExpr) and typ is not None and is_bool(typ) else typ


def _stays_number(target: NameExpr, values: Sequence[Expression], current: TypeChecker) -> bool:
    """Whether a number variable is annotated as one, or gets no array or number. Only these may change dtypes."""
    declared = get_proper_type(current.lookup_type_or_none(target))
    is_annotated = isinstance(target.node, Var) and not is_unannotated(target.node)
    gets_other = bool(values) and not any(_may_have_dtype(current.lookup_type_or_none(value)) for value in values)
    return (is_annotated or gets_other) and isinstance(declared, Instance) and is_number(declared)


def _may_have_dtype(typ: Type | None) -> bool:
    """Whether a value may be an array, or a container of arrays, or a number."""
    return typ is None or may_be_anything(typ) or holds_array(typ) or any(map(is_number, members(typ)))


def keep_declared(current: TypeChecker, error: ErrorInfo) -> None:
    """Let annotated targets have their declared type, as after a value of type Any. mypy keeps the narrower type.

    In place of None stock mypy has Any.
    """
    statement = assignment_of(checked_statements(current.tree), error)
    for target in targets(statement) if statement is not None else ():
        variable = variable_of(target, current)
        if not isinstance(target, NameExpr) or variable is None or variable.type is None:
            continue
        every = list(members(variable.type))
        known = [member for member in every if not isinstance(member, NoneType)]
        if narrowed_type(current, target) is not None and known and not is_unannotated(variable):
            after = variable.type if len(every) == 1 else or_anything(UnionType.make_union(known))
            declare_anything(current, target, variable.type, after, or_anything(variable.type))


def _may_change(target: object, current: TypeChecker) -> bool:
    """Whether no code relies on the type of a target: neither an annotation, nor another function that reads a number.

    For an item the type of the container decides, which mypy inferred from its first values.
    """
    if isinstance(target, IndexExpr):
        container = variable_of(root(target), current)
        return container is not None and is_unannotated(container)
    variable = variable_of(target, current)
    if variable is None or not is_unannotated(variable):
        return False
    typ = get_proper_type(variable.type)
    is_local = isinstance(target, NameExpr) and "." not in variable.fullname
    return is_local or not (isinstance(typ, Instance) and is_python_number(typ))


def narrow_to_value(current: TypeChecker, target: NameExpr, known: Type | None, *, is_hidden: bool = True) -> None:
    """Narrow a variable that holds an array to that type, or to one without its dtypes, until its next assignment.

    `is_hidden`: whether no error is shown. If one is, mypy goes on with the type from before, and reports
    errors because of it.
    """
    # mypy's overloads treat an Any of an error as Any. With an Any of a special form they take the first that matches.
    anything = AnyType(TypeOfAny.from_error)
    declared = current.lookup_type_or_none(target)
    if declared is None or not (is_hidden or _tells_dtypes(declared)):
        return
    # Without the type guard of a previous assignment.
    before = get_proper_type(narrowed_type(current, target) or declared)
    if not is_hidden and is_narrowed_by_test(current, target) and not is_subtype(before, declared):
        before = get_proper_type(declared)  # `np.isscalar(x)` leaves no part of it: after the test mypy goes on with it
    forgotten: Type
    from_now_on: Type
    if is_hidden:
        forgotten = without_dtypes(before) if _is_more(before) else anything
        wide = or_anything(declared) if known is not None else anything
        from_now_on = wide if _tells_dtypes(declared) else declared
    elif _is_more(before) or holds_array(before):
        forgotten, from_now_on = without_dtypes(before), without_dtypes(declared)
    else:  # a number stands beside Any: its product with an array may have any dtype
        forgotten, from_now_on = before if may_be_anything(before) else or_anything(before), or_anything(declared)
    if is_hidden and known is not None:
        _let_take(target, known)
    declare_anything(current, target, declared, known or forgotten, from_now_on)


def _let_take(target: NameExpr, known: Type) -> None:
    """Let a variable have values of its type and of others: mypy narrows a type to no union that has it as a part."""
    variable = target.node
    if not isinstance(variable, Var) or variable.type is None or not is_unannotated(variable):
        return
    if is_proper_subtype(variable.type, known, ignore_promotions=True):
        variable.type = or_anything(variable.type)


def _is_more(typ: Type) -> bool:
    """Whether it is a container or a union, not an array or a number. A number stays one beside Any."""
    known = [item for item in members(typ) if not isinstance(item, AnyType)]
    alone = known[0] if len(known) == 1 else None
    return not isinstance(alone, Instance) or not (library_of(alone) is not None or is_number(alone))


def _tells_dtypes(typ: Type) -> bool:
    """Whether a type has dtypes, or decides about them as a number does.

    mypy keeps any other type, and reports errors because of it.
    """
    proper = get_proper_type(typ)
    return holds_array(proper) or (isinstance(proper, Instance) and is_number(proper))
