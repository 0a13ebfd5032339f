"""Variables that nobody annotated and that are bound more than once, to a type that is open in its dtype.

mypy gives a variable the type of its first value and holds it to that: `x = x.astype(float16)` would be an error
from our knowledge alone, and after `x = something_unknown()` it would still believe the first dtype. Such a variable
gets the type `Array[Any]`, narrowed at each assignment to the value's own type; where paths meet mypy joins what they
know. A variable with an annotation keeps its type and mypy's errors, and so does one that is bound once. If mypy alone
knows nothing of the value, because the library declares nothing for the function that is called, the variable may be
bound to anything, as it may without us: it gets the type `Array[Any] | Any`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    DictExpr,
    Expression,
    ForStmt,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    SetExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, Instance, Type, TypeOfAny, UnionType, get_proper_type, get_proper_types

from promo_mypy.plugin import names, numpy_scalars
from promo_mypy.plugin.array_types import library_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.syntax_trees import nodes, parts, statements
from promo_mypy.rules.records import record


class RebindableVariables:
    """Says which variables of one file are bound more than once; looks into the file when first asked.

    One instance serves one pass over the file: the daemon makes new variables when it checks a function again.
    """

    def __init__(self, tree: MypyFile, calls: Set[Node]) -> None:
        """`calls`: those whose result only the plugin knows; it grows while mypy checks the file."""
        self._tree = tree
        self._calls = calls
        self._bindings: _Bindings | None = None

    def open_type(self, variable: Var) -> Type | None:
        """The type that the variable should have instead of its first value's; None if that is fine as it is."""
        typ = get_proper_type(variable.type)
        if typ is None or not (_holds_array(typ) or _holds_scalar(typ)):
            return None
        if self._bindings is None:
            self._bindings = _bindings(self._tree)
        for statement in self._bindings.exchanges.get(variable, ()):
            _evaluate_first(statement)
        if variable not in self._bindings.again:
            return None
        for name in self._bindings.again[variable]:
            # mypy checks the body of a loop again; there the variable would get the type of its first value once more.
            name.is_inferred_def = False
        if self._is_known_to_us(variable, self._bindings.values, set()):
            return UnionType([_opened(typ), AnyType(TypeOfAny.special_form)])
        return _opened(typ) if _holds_array(typ) else None

    def _is_known_to_us(self, node: Node, values: Mapping[Var, list[Expression]], seen: set[Var]) -> bool:
        """Whether such a call is a part of an expression, or of a value of a variable in it.

        Of another call the result is the library's affair, whatever the variables that it is given hold.
        """
        if not self._calls:
            return False
        if isinstance(node, NameExpr):
            return isinstance(node.node, Var) and self._is_known_to_us(node.node, values, seen)
        if isinstance(node, Var):
            if node in seen:
                return False
            seen.add(node)
            return any(self._is_known_to_us(value, values, seen) for value in values.get(node, ()))
        if isinstance(node, CallExpr):
            values = {}
        return node in self._calls or any(self._is_known_to_us(part, values, seen) for part in parts(node))


def _holds_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    return any(library_of(item) is not None for item in items)


def _holds_scalar(typ: Type) -> bool:
    proper = get_proper_type(typ)
    items = get_proper_types(proper.items) if isinstance(proper, UnionType) else [proper]
    return any(isinstance(item, Instance) and numpy_scalars.is_scalar(item) for item in items)


def _opened(typ: Type) -> Type:
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return make_simplified_union([_opened(item) for item in proper.items])
    if not isinstance(proper, Instance):
        return typ
    library = library_of(proper)
    any_type = AnyType(TypeOfAny.special_form)
    if library is Library.NUMPY:
        dtype = get_proper_type(proper.args[1])
        if isinstance(dtype, Instance) and dtype.type.fullname == names.NUMPY_DTYPE:
            return proper.copy_modified(args=[proper.args[0], dtype.copy_modified(args=[any_type])])
        return typ
    # A subclass of an array class has no parameter of its own.
    return typ if library is None else proper.copy_modified(args=[any_type for _ in proper.args])


@record
class _Bindings:
    """What the statements of a file bind.

    Attributes:
        again: the variables and attributes that at least two statements bind, with the names in plain assignments.
            Without those in a tuple of targets: mypy unpacks a union member by member, and joins only what it infers.
        exchanges: variable -> the statements like `x, y = y, x` that bind it.
        values: variable -> the values of assignments to it, or of what is unpacked there.
    """

    again: Mapping[Var, list[NameExpr]]
    exchanges: Mapping[Var, list[AssignmentStmt]]
    values: Mapping[Var, list[Expression]]


def _bindings(tree: MypyFile) -> _Bindings:
    counts: Counter[Var] = Counter()
    names_of: defaultdict[Var, list[NameExpr]] = defaultdict(list)
    exchanges: defaultdict[Var, list[AssignmentStmt]] = defaultdict(list)
    values: defaultdict[Var, list[Expression]] = defaultdict(list)
    for statement in statements(tree.defs):
        variables = []
        for target in _targets(statement):
            if isinstance(target, NameExpr) and isinstance(target.node, Var):
                variables.append(target.node)
                if isinstance(statement, AssignmentStmt):
                    values[target.node].append(statement.rvalue)
                    if target in statement.lvalues:
                        names_of[target.node].append(target)
        counts.update(variables)
        if isinstance(statement, AssignmentStmt) and _exchanges(statement, variables):
            for variable in variables:
                exchanges[variable].append(statement)
        elif isinstance(statement, ClassDef):
            counts.update(_attributes(statement))
    again = {variable: names_of[variable] for variable, count in counts.items() if count > 1}
    return _Bindings(again, exchanges, values)


def _exchanges(statement: AssignmentStmt, bound: list[Var]) -> bool:
    """Whether it binds several variables, and reads one of them after its new value."""
    if not isinstance(statement.rvalue, TupleExpr):
        return False
    values = enumerate(statement.rvalue.items)
    return any(
        isinstance(node, NameExpr) and node.node in bound[:position]
        for position, value in values
        for node in nodes(value)
    )


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


def _attributes(definition: ClassDef) -> Iterator[Var]:
    """The attribute behind each `self.name = ...` in a class body, once for each statement."""
    for statement in statements(definition.defs.body):
        for target in _targets(statement):
            if isinstance(target, MemberExpr):
                symbol = definition.info.names.get(target.name)
                if symbol is not None and isinstance(symbol.node, Var):
                    yield symbol.node


def _targets(statement: object) -> Iterator[object]:
    if isinstance(statement, AssignmentStmt):
        for lvalue in statement.lvalues:
            yield from _flattened(lvalue)
    elif isinstance(statement, OperatorAssignmentStmt):
        yield statement.lvalue
    elif isinstance(statement, ForStmt):
        yield from _flattened(statement.index)
    elif isinstance(statement, WithStmt):
        for target in statement.target:
            yield from _flattened(target)


def _flattened(lvalue: object) -> Iterator[object]:
    if isinstance(lvalue, TupleExpr | ListExpr):
        for item in lvalue.items:
            yield from _flattened(item)
    elif isinstance(lvalue, StarExpr):
        yield from _flattened(lvalue.expr)
    else:
        yield lvalue
