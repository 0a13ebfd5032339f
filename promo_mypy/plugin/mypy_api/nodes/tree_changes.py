"""Change the syntax tree of a file before mypy checks it: outside its public plugin surface.

- `evaluate_first`: mypy narrows the first name of `x, y = y, x` before it checks the second value.
  (tests/plugin/inferred/test_rebinding.py)
- `keep_type`, `infer_again`: mypy checks the body of a loop again, and would infer a variable from its first value once
  more. (tests/plugin/inferred/test_rebinding.py) But its daemon also checks a function again, which should find the
  variables as the first check did. (tests/plugin/runs/test_repeated_checks.py)
- `bind_below`: another module's variable must keep its type, and mypy's binder only narrows it.
  (tests/plugin/runs/test_other_modules.py)
- `bind_to_function`: mypy calls no hook for a call of Any. Bound to a function, the call has one. mypy binds names anew
  before it checks the file again. (tests/plugin/calls/test_scalar_types.py)
- `name_of_global`: a decorator stands for a call, which mypy's tree does not have.
  (tests/plugin/transforms)
- `call_after`: mypy calls no hook at an assignment, after which it narrows the variable to the type of the value.
  (tests/plugin/inferred/test_container_aliases.py)
- `narrow_first`: mypy calls no hook when it begins to check a function, and has no other way to narrow a parameter.
  (tests/plugin/inferred/test_assumed_parameters.py)
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from mypy.nodes import (
    ARG_POS,
    GDEF,
    LDEF,
    Argument,
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    DictExpr,
    Expression,
    ExpressionStmt,
    FakeInfo,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SetExpr,
    SliceExpr,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny

from promo_mypy.plugin.mypy_api.nodes.private_attributes import with_fullname
from promo_mypy.plugin.trees.file_parts import Function
from promo_mypy.plugin.trees.syntax_trees import nodes

#: The column of inserted calls.
_INSERTED: Final = -5


def evaluate_first(statement: AssignmentStmt) -> None:
    """Make mypy check all values of `x, y = a, b` before it binds the first name, as Python evaluates them.

    mypy does not take a slice apart, and the slice `(a, b)[:]` has the type of the tuple.
    """
    if isinstance(statement.rvalue, TupleExpr) and not any(map(_needs_context, statement.rvalue.items)):
        whole = IndexExpr(statement.rvalue, SliceExpr(None, None, None))
        whole.set_line(statement.rvalue)
        whole.index.set_line(statement.rvalue)
        statement.rvalue = whole


def is_whole(value: Expression) -> bool:
    """Whether `evaluate_first` has made a slice of a tuple."""
    match value:
        case IndexExpr(base=TupleExpr() as base, index=SliceExpr(begin_index=None, end_index=None, stride=None)):
            return (base.line, base.column) == (value.line, value.column)
        case _:
            return False


def _needs_context(expression: Expression) -> bool:
    # `[]`, `{}` and lambdas get their types from the variable, which a slice does not pass on.
    return isinstance(expression, ListExpr | DictExpr | SetExpr | LambdaExpr | StarExpr)


def keep_type(name: NameExpr) -> bool:
    """Let a variable keep the type that it has when mypy checks this assignment again.

    Return whether this name defines a local variable, which `infer_again` can undo.
    """
    is_definition = name.is_inferred_def and name.kind == LDEF
    name.is_inferred_def = False
    return is_definition


def infer_again(name: NameExpr) -> None:
    """Let mypy infer a local variable from its first value again."""
    name.is_inferred_def = True


def bind_below(scope: FuncItem | MypyFile, variable: Var, typ: Type, line: int) -> Var:
    """Bind the names of a global variable from a line on, in a function or file, to a variable of another type.

    Return that variable.
    """
    if not isinstance(variable.info, FakeInfo):
        return variable
    wide = with_fullname(Var(variable.name, typ), variable.fullname)
    wide.is_inferred = variable.is_inferred
    body = scope.body if isinstance(scope, FuncItem) else scope.defs
    for node in nodes(body):
        is_same = isinstance(node, RefExpr) and isinstance(node.node, Var) and node.node.fullname == variable.fullname
        if isinstance(node, RefExpr) and is_same and node.line >= line:
            node.node = wide
    return wide


def bind_to_function(reference: RefExpr, variable: Var, fallback: Instance) -> None:
    """Bind a name of type Any to a function of one parameter that returns Any.

    `fallback`: the type `builtins.function`.
    """
    anything = AnyType(TypeOfAny.special_form)
    function = Var(variable.name, CallableType([anything], [ARG_POS], [None], anything, fallback))
    reference.node = with_fullname(function, variable.fullname)


def _argument_for(target: Var | MemberExpr | Function) -> NameExpr | StrExpr:
    """An expression that reads a variable, or the name of an attribute or function: reading that might be an error.

    In the line that binds it, a name in the body of a class is not known yet.
    """
    if not isinstance(target, Var) or not isinstance(target.info, FakeInfo):
        return StrExpr(target.name)
    name = NameExpr(target.name)
    name.node, name.fullname = target, target.fullname
    name.kind = GDEF if "." in target.fullname else LDEF
    return name


def call_after(
    body: list[Statement], statement: Statement, target: Var | MemberExpr | Function, function: FuncDef
) -> None:
    """Insert a call of a function with a variable, or the name of another target, after a statement, if none is there.

    It is never executed.
    """
    following = next(place for place, each in enumerate(body) if each is statement) + 1
    argument = _argument_for(target)
    while following < len(body) and (known := _called_after(body[following])) is not None:
        if _names_same(known, argument):
            return
        following += 1
    callee = NameExpr(function.name)
    callee.node, callee.kind, callee.fullname = function, GDEF, function.fullname
    made = ExpressionStmt(CallExpr(callee, [argument], [ARG_POS], [None]))
    for node in (callee, made.expr, made):
        node.set_line(statement.line, _INSERTED)
    # The daemon reads the call again, and a text in it as a type: mypy's parser takes no negative column.
    argument.set_line(statement)
    body.insert(following, made)


def is_inserted(call: Context) -> bool:
    """Whether `call_after` has inserted a call."""
    return call.column == _INSERTED


def _called_after(statement: Statement) -> Expression | None:
    """The argument of an inserted call; None for any other statement."""
    if not isinstance(statement, ExpressionStmt) or not is_inserted(statement):
        return None
    return statement.expr.args[0] if isinstance(statement.expr, CallExpr) else None


def _names_same(known: Expression, other: NameExpr | StrExpr) -> bool:
    match known, other:
        case NameExpr(node=one), NameExpr(node=another):
            return one is another
        case StrExpr(value=name), StrExpr(value=same):
            return name == same
        case _:
            return False


def narrow_first(function: FuncDef, narrowed: Sequence[tuple[Argument, Type]]) -> None:
    """Insert assignments before the statements of a function that bind parameters to values of these types.

    They have no column, and are never executed. Earlier ones are removed. mypy narrows a parameter without an
    annotation only if it counts as a variable of inferred type.
    """
    for argument, _ in narrowed:
        if argument.type_annotation is None:
            argument.variable.is_inferred = True
    body = function.body.body
    body[:] = without_narrowing(function)
    body[:0] = [_narrowing(function, argument, typ) for argument, typ in narrowed]


def without_narrowing(function: FuncDef) -> list[Statement]:
    """The statements of a function without the inserted assignments."""
    return [statement for statement in function.body.body if not _narrows(statement)]


@contextmanager
def narrowed_also(function: FuncDef, narrowed: Sequence[tuple[Argument, Type]]) -> Iterator[None]:
    """Within this context, the parameters of a function are narrowed to these types, whatever they are already."""
    body = function.body.body
    before = list(body)
    known = sum(map(_narrows, before))
    body[known:known] = [_narrowing(function, argument, typ) for argument, typ in narrowed]
    try:
        yield
    finally:
        body[:] = before


def name_of_global(function: Decorator) -> NameExpr:
    """A name that is bound to a function of a module."""
    name = NameExpr(function.name)
    name.node, name.kind, name.fullname = function, GDEF, function.fullname
    return name


def _narrowing(function: FuncDef, argument: Argument, typ: Type) -> AssignmentStmt:
    name = NameExpr(argument.variable.name)
    name.node, name.kind, name.fullname = argument.variable, LDEF, argument.variable.name
    made = AssignmentStmt([name], TempNode(typ))
    for node in (name, made.rvalue, made):
        node.set_line(function.line)
    return made


def _narrows(statement: Statement) -> bool:
    return isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, TempNode)
