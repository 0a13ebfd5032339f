"""Drop the dtype of the target of an incompatible assignment, and suppress the error if it is a false positive.

mypy keeps the type that the variable had before, but the program goes on with the value. So an array keeps its class
and has an unknown dtype. A later assignment that mypy accepts narrows the variable again. If stock mypy infers Any for
the value, the error is a false positive, and the variable is Any until its next assignment. This is outside mypy's
public surface, as in `type_checker`. (tests/agreement/test_regressions.py,
tests/plugin/inferred/test_bound_to_anything.py)
"""

from collections.abc import Sequence

from mypy.messages import format_type
from mypy.nodes import (
    AssignmentStmt,
    ComparisonExpr,
    Expression,
    IndexExpr,
    NameExpr,
    Node,
    TupleExpr,
    Var,
)
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.false_positives.assigned_values import (
    assigned_by,
    assignment_of,
    values_of,
    variable_of,
)
from promo_mypy.plugin.inferred.stock.any_to_stock import is_any_alone, is_any_to_stock, is_of_array
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.narrowing import declare_anything, is_narrowed_by_test, narrowed_type
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.trees.bound_targets import targets
from promo_mypy.plugin.trees.expressions import root
from promo_mypy.plugin.trees.syntax_trees import Statements
from promo_mypy.plugin.types import marked_messages
from promo_mypy.plugin.types.any_parts import is_array_or_number
from promo_mypy.plugin.types.array_types import is_number, is_python_number, library_of
from promo_mypy.plugin.types.container_types import holds_array, may_be_anything, or_anything, without_dtypes
from promo_mypy.plugin.types.integer_types import is_bool
from promo_mypy.plugin.types.union_members import members
from promo_mypy.plugin.types.value_marks import may_differ_only_in_shape


def go_on(current: TypeChecker, error: ErrorInfo) -> bool:
    """Drop the dtypes of the targets of the statement with the error, until their next assignment.

    Return whether the error is a false positive: stock mypy infers Any for the value, and the plugin knows its type.
    """
    file = Statements(current.tree.defs)
    statement = assigned_by(file, error)
    if statement is None:
        return False
    values, bound = values_of(statement, error, current), targets(statement)
    may_change = all(_may_change(target, current) for target in bound)
    is_ours = may_change and (
        marked_messages.gives_any(error.message)
        or any(_is_ours(value, bound, current) for value in values)
        or any(_begins_as_part(target, current) for target in bound)
    )
    is_ours = is_ours and not any(_is_other(statement, target, current) for target in bound)
    types = map(current.lookup_type_or_none, values)
    gets_array = any(typ is not None and holds_array(typ) for typ in types)
    named = [target for target in bound if _is_named(target, error, current)]
    known = _known(values, named or bound, current) if is_ours else None
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


def _known(values: Sequence[Expression], bound: Sequence[object], current: TypeChecker) -> Type | None:
    """The type of the value of one target; Any if it is not written, as in a loop.

    None for `1 == x`, which is a bool to typeshed, and an array if x is one.
    """
    if not values:
        return AnyType(TypeOfAny.from_error)
    if len(values) > 1 or len(bound) > 1:
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
    statement = assignment_of(Statements(current.tree.defs), error)
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


def _is_other(statement: Node, target: object, current: TypeChecker) -> bool:
    """Whether a tuple is bound as a whole, and an item that stock mypy knows too does not fit, whatever its dtype."""
    variable = variable_of(target, current)
    declared = get_proper_type(variable.type) if variable is not None else None
    value = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    items = value.items if isinstance(value, TupleExpr) else []
    if not isinstance(declared, TupleType) or len(items) != len(declared.items):
        return False
    types = [current.lookup_type_or_none(item) for item in items]
    pairs = zip(items, types, declared.items, strict=True)
    return any(
        typ is not None
        and not _is_ours(item, (), current)
        and not is_subtype(without_dtypes(typ), without_dtypes(wanted))
        for item, typ, wanted in pairs
    )


def _begins_as_part(target: object, current: TypeChecker) -> bool:
    """Whether a variable gets its type from a part of an array that is Any to stock mypy, such as its shape."""
    declared, variable = current.var_decl_frames, variable_of(target, current)
    if variable is None or not isinstance(declared, Declarations):
        return False
    variables, type_of = declared.variables, current.lookup_type_or_none
    return any(
        is_of_array(first, variables, type_of) and is_any_to_stock(first, variables, type_of)
        for first in variables.values_of(variable)[:1]
    )


def _is_same_dtype(target: object, values: Sequence[Type], declared: Declarations, current: TypeChecker) -> bool:
    """Whether one of some arrays of NumPy fits a variable if its shape does. A rebound variable has no dtype."""
    variable, type_of = variable_of(target, current), current.lookup_type_or_none
    if variable is None:
        return False
    first = declared.variables.stock(type_of).first_value(variable)
    wanted = type_of(first) if first is not None else variable.type
    return wanted is not None and any(may_differ_only_in_shape(each, wanted) for each in values)


def _is_ours(value: Expression, bound: Sequence[object], current: TypeChecker) -> bool:
    declared = current.var_decl_frames
    type_of = current.lookup_type_or_none
    if not isinstance(declared, Declarations):
        return False
    typ = get_proper_type(type_of(value))
    if is_array_or_number(typ):
        may_be_none = typ is not None and any(isinstance(each, NoneType) for each in members(typ))
        is_any = is_any_alone if may_be_none else is_any_to_stock
        return is_any(value, declared.variables, type_of)
    if declared.variables.stock(type_of).may_be_bound(value):
        return True
    items = typ.items if isinstance(typ, TupleType) else [] if typ is None else [typ]
    if not items or any(library_of(item) is not Library.NUMPY for item in items):
        return False
    # The value or the variable may be an array of any shape to stock mypy.
    arrays = [target for target in bound if _is_same_dtype(target, items, declared, current)]
    either = [value, *(target for target in arrays if isinstance(target, NameExpr))]
    return bool(arrays) and any(declared.variables.stock(type_of).may_have_any_shape(each) for each in either)


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
        from_now_on = anything if _tells_dtypes(declared) else declared
    elif _is_more(before) or holds_array(before):
        forgotten, from_now_on = without_dtypes(before), without_dtypes(declared)
    else:  # a number stands beside Any: its product with an array may have any dtype
        forgotten, from_now_on = before if may_be_anything(before) else or_anything(before), or_anything(declared)
    declare_anything(current, target, declared, known or forgotten, from_now_on)


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
