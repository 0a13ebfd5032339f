"""Variables that nobody annotated and that are bound more than once, to a type that is open in its dtype.

mypy gives a variable the type of its first value and holds it to that: `x = x.astype(float16)` would be an error
from our knowledge alone, and after `x = something_unknown()` it would still believe the first dtype. Such a variable
gets the type `Array[Any]`, narrowed at each assignment to the value's own type; where paths meet mypy joins what they
know. A variable with an annotation keeps its type and mypy's errors, and so does one that is bound once. If mypy alone
knows nothing of the value, because the library declares nothing for the function that is called, the variable may be
bound to anything, as it may without us: it gets the type `Array[Any] | Any`. Lists, tuples and dicts of arrays are
treated alike. A variable that several functions bind, global or nonlocal, has any of those dtypes wherever it is read:
it gets the type `Any`.
"""

from collections.abc import Mapping, Set
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    FakeInfo,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    SetExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred import displays, number_variables
from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
from promo_mypy.plugin.inferred.axis_lengths import AxisLengths
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.stock_inference import StockResults
from promo_mypy.plugin.libraries import Library, is_own
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.rebindings import FileRebindings, Rebindings
from promo_mypy.plugin.trees.syntax_trees import nodes, parts
from promo_mypy.plugin.types import container_types, mutable_types, numpy_scalars
from promo_mypy.plugin.types.array_types import is_number, library_of
from promo_mypy.plugin.types.union_members import members
from promo_mypy.rules.records import record

_MAY_HIDE: Final = frozenset({"builtins.list", "builtins.set", "builtins.dict", "builtins.tuple", "builtins.object"})


@record
class _Kind:
    """What the type of a variable says of its value.

    Attributes:
        of_arrays: it is or holds an array or a NumPy scalar.
        of_numpy: it is or holds one of NumPy's, or a scalar.
        number: it is a number, and no truth value.
        containers: it has containers of arrays in it that something can be put into.
    """

    of_arrays: bool
    of_numpy: bool
    number: bool
    containers: bool


class RebindableVariables:
    """Says which variables of one file are bound more than once; looks into the file when first asked.

    One instance serves one pass over the file: the daemon makes new variables when it checks a function again.
    """

    def __init__(self, tree: MypyFile) -> None:
        self._tree = tree
        #: Calls of which mypy alone knows nothing by one of their overloads, those of whose result it knows no dtype,
        #: and those of which the last overload that it tries says something. Added as mypy checks the file.
        self.known_calls: set[Node] = set()
        self.closer_calls: set[Node] = set()
        self.decided_calls: set[Node] = set()
        self.aliases = ContainerAliases(tree)
        self._known = FileRebindings(tree)
        self.lengths = AxisLengths(tree, self._known)
        self._read_inside: frozenset[Var] | None = None
        self._opened: dict[Type, Type] = {}
        self._kinds: dict[Type, _Kind] = {}

    def begin_anew(self) -> None:
        """The file has other variables now than those that were looked at."""
        self._read_inside = None
        self._known.begin_anew()
        self.aliases.begin_anew()
        self.lengths.begin_anew()

    def open_type(self, variable: Var, type_of: TypeOf, *, forgets_number: bool) -> Type | None:
        """The type that the variable should have instead of its first value's; None if that is fine as it is.

        `type_of`: what mypy has found for an expression; `forgets_number`: what `may_forget_number` says of it.
        """
        typ = get_proper_type(variable.type)
        if typ is not None and self.lengths.shapes and self.lengths.is_bound(variable):
            is_local = isinstance(variable.info, FakeInfo)
            return container_types.or_anything(typ) if is_local else AnyType(TypeOfAny.special_form)
        if typ is None:
            return None
        kind = self._kind(typ)
        if not kind.of_arrays and not kind.number:
            return None
        known = self._known()
        for statement in known.exchanges.get(variable, ()):
            _evaluate_first(statement)
        if forgets_number and (number_variables.is_of_many(variable) or variable in self._inside()):
            return container_types.or_anything(typ)
        if not kind.of_arrays:
            return None
        if variable in known.shared:
            return AnyType(TypeOfAny.special_form)
        if self.is_open(variable):
            # mypy narrows a variable to what it is bound to, and not one of type Any.
            containers = [value for value in known.values.get(variable, ()) if _may_be_container(value)]
            is_narrowed = len(containers) > 1 and isinstance(variable.info, FakeInfo)
            return AnyType(TypeOfAny.special_form) if is_narrowed else self._open(typ)
        if variable not in known.again or (variable in known.filled and container_types.is_array(typ)):
            return None
        for name in known.again[variable]:
            # mypy checks the body of a loop again; there the variable would get the type of its first value once more.
            name.is_inferred_def = False
        is_attribute = not isinstance(variable.info, FakeInfo)
        if is_attribute and _holds_scalar(typ) and not container_types.holds_array(typ):
            return container_types.or_anything(typ)  # mypy keeps its first type for all methods
        is_unknown = _has_call(variable, known.values, set(), self.known_calls)
        if is_unknown or (kind.of_numpy and self._may_be_bound_to_anything(variable, type_of)):
            return container_types.or_anything(self._open(typ))
        return self._open(typ) if container_types.holds_array(typ) else None

    def is_ours(self, expression: Expression) -> bool:
        """Whether mypy alone knows no dtype of an expression, as there is a call in it of which it knows none."""
        values = self._known().values
        return any(_has_call(expression, values, set(), calls) for calls in (self.known_calls, self.closer_calls))

    def may_be_anything(self, expression: Node, type_of: TypeOf) -> bool:
        """Whether mypy alone may know nothing of an expression that it has checked."""
        return self._stock_results(type_of).may_be_anything(expression)

    def may_have_any_shape(self, expression: Expression, type_of: TypeOf) -> bool:
        """Whether mypy alone knows no shape of an array, and we only that of an overload."""
        return self._stock_results(type_of).may_have_any_shape(expression)

    def may_have_any_dtype(self, expression: Expression, type_of: TypeOf) -> bool:
        """Whether mypy alone may know no dtype of an array."""
        return self._stock_results(type_of).may_have_any_dtype(expression)

    def joined_type(self, variable: Var, type_of: TypeOf) -> Type | None:
        """The type of a display that the variable is bound to, or gets an item of; None if mypy's own is as good."""
        typ = get_proper_type(variable.type)
        if self.lengths.shapes and (without := self.lengths.display_type(variable)) is not None:
            return without
        # Most variables are arrays or numbers, in which there is nothing to look for.
        if (isinstance(typ, Instance) and typ.type.fullname not in _MAY_HIDE) or not displays.hides(typ):
            return None
        known = self._known()
        if variable in known.iterated:
            return displays.joined_items(known.iterated[variable][0], type_of)
        values = known.values.get(variable, ())
        return displays.joined(values[0], type_of) if values else None

    def open_numbers(self) -> None:
        """Say of numbers that functions read without binding them that they may be anything, where they may be."""
        for variable in number_variables.read_first(self._tree):
            if self.may_forget_number(variable) and variable.type is not None:
                variable.type = container_types.or_anything(variable.type)

    def may_forget_number(self, variable: Var) -> bool:
        """Whether the variable is bound to a number, and again, perhaps to what is unknown. Of truth values none is."""
        is_number = variable.type is not None and self._kind(variable.type).number
        return is_number and number_variables.may_forget(variable, self._known())

    def is_open(self, variable: Var) -> bool:
        """Whether something may be put into the variable's containers that mypy does not meet between its uses."""
        holds = variable.type is not None and self._kind(variable.type).containers
        return holds and self.aliases.is_open(variable)

    def has_forgotten(self, variable: Var) -> bool:
        """Whether the variable is a number to mypy, or made of such ones, and may be something else to us."""
        return _has_forgotten(variable, self._known(), set())

    def may_be_none(self, variable: Var) -> bool:
        """Whether `None` is among the values of a variable whose type was asked for."""
        return any(map(_may_be_none, self._known().values.get(variable, ())))

    def _kind(self, typ: Type) -> _Kind:
        found = self._kinds.get(typ)
        if found is None:
            of_arrays = container_types.holds_array(typ) or _holds_scalar(typ)
            of_numpy = of_arrays and (_holds_scalar(typ) or container_types.any_array(typ, _is_numpy_array))
            found = _Kind(of_arrays, of_numpy, number_variables.is_number(typ), mutable_types.depth(typ) > 0)
            self._kinds[typ] = found
        return found

    def _may_be_bound_to_anything(self, variable: Var, type_of: TypeOf) -> bool:
        """Whether mypy alone may know nothing of a value, as NumPy's stubs say nothing of items and of much else."""
        return any(map(self._stock_results(type_of).may_be_anything, self._known().values.get(variable, ())))

    def _stock_results(self, type_of: TypeOf) -> StockResults:
        bound = self._known()
        calls = (self.known_calls, self.decided_calls, self.closer_calls)
        return StockResults(*calls, bound.values, bound.iterated, type_of)

    def _open(self, typ: Type) -> Type:
        """The type with arrays of any dtype in it: one object for all variables of that type."""
        if typ not in self._opened:
            self._opened[typ] = container_types.opened(typ)
        return self._opened[typ]

    def _inside(self) -> frozenset[Var]:
        if self._read_inside is None:
            self._read_inside = number_variables.read_inside(self._tree)
        return self._read_inside


def _is_numpy_array(array: Instance) -> bool:
    return library_of(array) is Library.NUMPY


def _has_call(node: Node, values: Mapping[Var, list[Expression]], seen: set[Var], calls: Set[Node]) -> bool:
    """Whether one of the calls is a part of an expression, or of a value of a variable in it.

    Of another call the result is the library's affair, whatever the variables that it is given hold.
    """
    if not calls:
        return False
    if isinstance(node, NameExpr):
        return isinstance(node.node, Var) and _has_call(node.node, values, seen, calls)
    if isinstance(node, Var):
        if node in seen:
            return False
        seen.add(node)
        return any(_has_call(value, values, seen, calls) for value in values.get(node, ()))
    if isinstance(node, CallExpr):
        values = {}
    return node in calls or any(_has_call(part, values, seen, calls) for part in parts(node))


def _has_forgotten(variable: Var, known: Rebindings, seen: set[Var]) -> bool:
    types = members(variable.type) if variable.type is not None else ()
    numbers = [typ for typ in types if not isinstance(typ, AnyType)]
    if variable in seen or not numbers or not all(map(is_number, numbers)):
        return False
    if number_variables.may_forget(variable, known):
        return True
    seen.add(variable)
    names = (node for value in known.values.get(variable, ()) for node in nodes(value) if isinstance(node, NameExpr))
    return any(isinstance(name.node, Var) and _has_forgotten(name.node, known, seen) for name in names)


def _may_be_none(value: Expression) -> bool:
    """Whether `None` may be what an expression is, or is unpacked to, as it is written."""
    match value:
        case ConditionalExpr(if_expr=one, else_expr=other) | OpExpr(op="and" | "or", left=one, right=other):
            return _may_be_none(one) or _may_be_none(other)
        case TupleExpr(items=items) | ListExpr(items=items):
            return any(map(_may_be_none, items))
        case AssignmentExpr(value=assigned) | StarExpr(expr=assigned):
            return _may_be_none(assigned)
        case IndexExpr(base=base):  # see `_evaluate_first`
            return _may_be_none(base)
        case _:
            return is_none(value)


def _may_be_container(value: Expression) -> bool:
    """Whether an expression may be a list or dict of arrays: libraries return arrays, most of the time."""
    is_array = isinstance(value, CallExpr) and isinstance(value.callee, RefExpr) and is_own(value.callee.fullname)
    return not is_array and not is_none(value)


def _holds_scalar(typ: Type) -> bool:
    return any(isinstance(item, Instance) and numpy_scalars.is_scalar(item) for item in members(typ))


def _evaluate_first(statement: AssignmentStmt) -> None:
    """Make mypy look at all values before it binds the first name, as Python does.

    mypy takes `x, y = y, x` apart and narrows x before it looks at the second x. It takes no slice apart, and the
    slice `(y, x)[:]` has the type of the tuple.
    """
    if isinstance(statement.rvalue, TupleExpr) and not any(map(_needs_context, statement.rvalue.items)):
        whole = IndexExpr(statement.rvalue, SliceExpr(None, None, None))
        whole.set_line(statement.rvalue)
        whole.index.set_line(statement.rvalue)
        statement.rvalue = whole


def _needs_context(expression: Expression) -> bool:
    # `[]`, `{}` and lambdas get their types from the variable, which a slice does not pass on.
    return isinstance(expression, ListExpr | DictExpr | SetExpr | LambdaExpr | StarExpr)
