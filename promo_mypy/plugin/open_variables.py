"""Variables that nobody annotated and that are bound more than once, to a type that is open in its dtype.

mypy gives a variable the type of its first value and holds it to that: `x = x.astype(float16)` would be an error
from our knowledge alone, and after `x = something_unknown()` it would still believe the first dtype. Such a variable
gets the type `Array[Any]`, narrowed at each assignment to the value's own type; where paths meet mypy joins what they
know. A variable with an annotation keeps its type and mypy's errors, and so does one that is bound once.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
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
    OperatorAssignmentStmt,
    SetExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, Instance, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.array_types import Library, library_of


class RebindableVariables:
    """Says which variables of one file are bound more than once; looks into the file when first asked.

    One instance serves one pass over the file: the daemon makes new variables when it checks a function again.
    """

    def __init__(self, tree: MypyFile) -> None:
        self._tree = tree
        self._variables: dict[Var, list[NameExpr]] | None = None
        self._exchanges: dict[Var, list[AssignmentStmt]] = {}

    def open_type(self, variable: Var) -> Type | None:
        """The type that the variable should have instead of its first value's; None if that is fine as it is."""
        typ = get_proper_type(variable.type)
        if typ is None or not _holds_array(typ):
            return None
        if self._variables is None:
            self._variables, self._exchanges = _bound_again(self._tree), _exchanges(self._tree)
        for statement in self._exchanges.get(variable, ()):
            _evaluate_first(statement)
        if variable not in self._variables:
            return None
        for name in self._variables[variable]:
            # mypy checks the body of a loop again; there the variable would get the type of its first value once more.
            name.is_inferred_def = False
        return _opened(typ)


def _holds_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    return any(library_of(item) is not None for item in items)


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


def _bound_again(tree: MypyFile) -> dict[Var, list[NameExpr]]:
    """The variables and attributes that at least two statements of a file bind, with the names in plain assignments.

    Without those in a tuple of targets: mypy unpacks a union member by member, and joins only what it infers.
    """
    counts: Counter[Var] = Counter()
    names_of: defaultdict[Var, list[NameExpr]] = defaultdict(list)
    for statement in _statements(tree.defs):
        for target in _targets(statement):
            if isinstance(target, NameExpr) and isinstance(target.node, Var):
                counts[target.node] += 1
                if isinstance(statement, AssignmentStmt) and target in statement.lvalues:
                    names_of[target.node].append(target)
        if isinstance(statement, ClassDef):
            counts.update(_attributes(statement))
    return {variable: names_of[variable] for variable, count in counts.items() if count > 1}


def _exchanges(tree: MypyFile) -> dict[Var, list[AssignmentStmt]]:
    """Variable -> the statements like `x, y = y, x` that bind it."""
    found: dict[Var, list[AssignmentStmt]] = {}
    for statement in _statements(tree.defs):
        if isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, TupleExpr):
            bound = [target.node for target in _targets(statement) if isinstance(target, NameExpr)]
            read = set(_variables_read(statement.rvalue.items[1:]))
            if len(bound) > 1 and not read.isdisjoint(bound):
                for variable in bound:
                    if isinstance(variable, Var):
                        found.setdefault(variable, []).append(statement)
    return found


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


def _variables_read(nodes: Iterable[object]) -> Iterator[object]:
    for node in nodes:
        if isinstance(node, NameExpr):
            yield node.node
        for part in _OPERANDS:
            inner = getattr(node, part, None)
            if inner is not None:
                yield from _variables_read(inner if isinstance(inner, list) else [inner])


def _attributes(definition: ClassDef) -> Iterator[Var]:
    """The attribute behind each `self.name = ...` in a class body, once for each statement."""
    for statement in _statements(definition.defs.body):
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


# Where expressions that arrays occur in keep their operands.
_OPERANDS: Final = ("left", "right", "expr", "base", "index", "callee", "args", "items", "operands")

# Where statements of any kind keep the statements inside them.
_PARTS: Final = ("body", "defs", "else_body", "finally_body", "handlers", "bodies", "func", "items", "impl")


def _statements(nodes: Iterable[object]) -> Iterator[object]:
    for node in nodes:
        yield node
        for part in _PARTS:
            inner = getattr(node, part, None)
            if inner is not None:
                yield from _statements(inner if isinstance(inner, list) else [inner])
