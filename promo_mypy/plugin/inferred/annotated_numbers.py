"""Keep what an annotation promises about a number: `x: float`, and `x = values.prod(0)`, which is Any to stock mypy.

Stock mypy goes on with a float, and reports `text(x)`. A marked value would fit there. So after each assignment to such
a variable or attribute an inserted call removes the mark: the variable holds a NumPy scalar of that dtype.
"""

from collections.abc import Iterator, Mapping

from mypy.nodes import AssignmentStmt, MemberExpr, MypyFile, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import FunctionContext
from mypy.types import NoneType

from promo_mypy.plugin.inferred.false_positives.assigned_values import variable_of
from promo_mypy.plugin.inferred.inserted_calls import bound_before, insert_after
from promo_mypy.plugin.mypy_api.checker.narrowing import narrow, narrowed_type
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.symbols import is_declared
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.plugin.types.value_marks import is_marked, scalar_without_mark
from promo_mypy.plugin.types.walks import members


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each assignment to a variable or attribute that is declared as a number."""
    insert_after(_assigned(tree), tree, modules)


def _assigned(tree: MypyFile) -> Iterator[tuple[Site, Var | MemberExpr]]:
    for site in definitions(tree).statements:
        if isinstance(site.node, AssignmentStmt | OperatorAssignmentStmt):
            for target in (each.target for each in site.definitions):
                if isinstance(target, NameExpr) and isinstance(target.node, Var) and _is_number(target.node):
                    yield site, target.node
                elif isinstance(target, MemberExpr) and any(map(_is_number, _attributes(target, site))):
                    yield site, target


def _attributes(target: MemberExpr, site: Site) -> Iterator[Var]:
    """The attribute of the class around an assignment to `self.name`."""
    owner = target.expr.node if isinstance(target.expr, NameExpr) else None
    if isinstance(owner, Var) and owner.is_self and site.owner is not None:
        symbol = site.owner.get(target.name)
        yield from [symbol.node] if symbol is not None and isinstance(symbol.node, Var) else ()


def _is_number(variable: Var) -> bool:
    """Whether an annotation declares a variable as a number of Python, or as None beside one."""
    every = [each for each in members(variable.type) if not isinstance(each, NoneType)] if variable.type else []
    return is_declared(variable) and bool(every) and all(map(is_python_number, every))


def keep(ctx: FunctionContext) -> None:
    """The inserted call: remove the mark of the value that the variable or attribute has just got."""
    current = checker(ctx.api)
    for _, target in bound_before(ctx):
        typ, variable = narrowed_type(current, target), variable_of(target, current)
        if typ is not None and is_marked(typ) and variable is not None and _is_number(variable):
            narrow(ctx.api, target, scalar_without_mark(typ))
