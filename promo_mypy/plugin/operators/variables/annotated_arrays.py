"""Narrow a variable or attribute that is declared as an array without a dtype to the dtype of its first value.

`x: np.ndarray = np.zeros(3)`: mypy narrows a declared variable at every later assignment, but not where it is declared.
After such a statement an inserted call, for which mypy calls a hook, narrows the variable. It keeps the declared shape.
No annotation of JAX tells a weak dtype from a strong one: a weak value stays weak.
Functions read a global variable that is bound once with that dtype, too.
"""

from collections.abc import Mapping

from mypy.nodes import (
    GDEF,
    AssignmentStmt,
    Context,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    StrExpr,
    TempNode,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.inferred.inserted_calls import insert_after
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import bind_below, is_inserted
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.types.array_types import library_of, read, shaped_dtypes, with_dtypes


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each statement that declares a variable or an attribute as an array."""
    sites = [site for site in definitions(tree).statements if site.function is not None or not site.classes]
    declared = ((site, _declared(site.node)) for site in sites)
    insert_after([(site, target) for site, target in declared if target is not None], tree, modules)


def narrow_to_value(ctx: FunctionContext, session: Session) -> None:
    """The inserted call: give the array the dtype and rank of the value, if none is declared or it is weak."""
    (name,), current = ctx.args[0], checker(ctx.api)
    definition = _before(name, ctx.context, current) if is_inserted(ctx.context) else None
    target = definition.target if definition is not None else None
    if definition is None or not isinstance(target, NameExpr | MemberExpr):
        return
    variable = target.node if isinstance(target.node, Var) else None
    declared = get_proper_type(variable.type) if variable is not None and not is_unannotated(variable) else None
    if not isinstance(declared, Instance) or library_of(declared) is None:
        return
    given = current.lookup_type_or_none(definition.value) if definition.value is not None else None
    values = read(given, session.platform) if given is not None else None
    if values is None or len(values) != 1 or values[0].library is not library_of(declared):
        return
    promised = shaped_dtypes(read(declared, session.platform) or ())
    if promised and not all(dtype.weak and dtype.strong in promised for dtype in shaped_dtypes(values)):
        return
    typ = with_dtypes(declared, shaped_dtypes(values), values[0].rank, session.symbols)
    narrow(ctx.api, target, typ)
    if variable is not None and _is_bound_once(target, definitions(current.tree)):
        bind_below(current.tree, variable, typ, target.line)


def _is_bound_once(target: Expression, file: FileDefinitions) -> bool:
    """Whether this is a global variable that a single statement binds."""
    if not isinstance(target, NameExpr) or target.kind != GDEF or not isinstance(target.node, Var):
        return False
    return len(file.of_variable(target.node)) == 1


def _declared(statement: Node) -> Var | MemberExpr | None:
    """What a statement declares as an array and gives a value: a variable, or an attribute of `self`."""
    match statement:
        case AssignmentStmt(lvalues=[target], type=Type() as declared, rvalue=value):
            if library_of(declared) is None or isinstance(value, TempNode):
                return None
            if isinstance(target, NameExpr):
                return target.node if isinstance(target.node, Var) else None
            return target if isinstance(target, MemberExpr) else None
        case _:
            return None


def _before(name: Expression, call: Context, current: TypeChecker) -> Definition | None:
    """What the statement before an inserted call assigns to a variable, or to an attribute of a name."""
    file = definitions(current.tree)
    if isinstance(name, NameExpr) and isinstance(name.node, Var):
        found = file.of_variable(name.node)
    else:
        found = file.of_attributes(name.value) if isinstance(name, StrExpr) else ()
    return next((each for each in found if each.target.line == call.line and each.way is Way.VALUE), None)
