"""Narrow a variable that is declared as an array without a dtype to the dtype of its first value.

`x: np.ndarray = np.zeros(3)`: mypy narrows a declared variable at every later assignment, but not where it is declared.
After such a statement an inserted call, for which mypy calls a hook, narrows the variable. It keeps the declared shape.
"""

from collections.abc import Iterator, Mapping

from mypy.nodes import AssignmentStmt, Block, ClassDef, MypyFile, NameExpr, Node, Statement, TempNode, Var
from mypy.plugin import FunctionContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.inferred.reset_containers import called_function
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.types.array_types import library_of, read, shaped_dtypes, with_dtypes


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each statement that declares a variable as an array. Attributes are left out."""
    function = called_function(modules)
    if function is None or not any(_declared(site.node) for site in definitions(tree).statements):
        return
    for body in list(_bodies(tree)):
        for statement in list(body):
            variable = _declared(statement)
            if variable is not None:
                call_after(body, statement, variable, function)


def narrow_to_value(ctx: FunctionContext, session: Session) -> None:
    """The inserted call: give the array the dtype and rank of the value, if it declares no dtype."""
    (name,) = ctx.args[0]
    if not is_inserted(ctx.context) or not isinstance(name, NameExpr) or not isinstance(name.node, Var):
        return
    declared = get_proper_type(name.node.type)
    if not isinstance(declared, Instance) or library_of(declared) is None or read(declared, session.platform):
        return
    given = _value(name.node, ctx)
    values = read(given, session.platform) if given is not None else None
    if values is not None and len(values) == 1 and values[0].library is library_of(declared):
        dtypes = shaped_dtypes(values)
        narrow(ctx.api, name, with_dtypes(declared, dtypes, values[0].rank, session.symbols))


def _declared(statement: Node) -> Var | None:
    """The variable that a statement declares as an array and gives a value."""
    match statement:
        case AssignmentStmt(lvalues=[NameExpr(node=Var() as variable)], type=Type() as declared, rvalue=value):
            return variable if library_of(declared) is not None and not isinstance(value, TempNode) else None
        case _:
            return None


def _bodies(tree: MypyFile) -> Iterator[list[Statement]]:
    """The file and all blocks in it, without those of classes."""
    found = list(statements(tree.defs))
    of_classes = {each.defs for each in found if isinstance(each, ClassDef)}
    yield tree.defs
    yield from (each.body for each in found if isinstance(each, Block) and each not in of_classes)


def _value(variable: Var, ctx: FunctionContext) -> Type | None:
    """The type of what the statement before the call assigns."""
    current = checker(ctx.api)
    for definition in definitions(current.tree).of_variable(variable):
        is_before = definition.target.line == ctx.context.line and definition.way is Way.VALUE
        if is_before and definition.value is not None:
            return current.lookup_type_or_none(definition.value)
    return None
