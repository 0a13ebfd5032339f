"""Record where the plugin answers otherwise than mypy: mypy's table of declared variables carries the record.

Everything else in a file has the types that stock mypy gives it, unless it depends on something of the record.
(tests/plugin/inferred/aside)
"""

from mypy.checker import TypeChecker
from mypy.nodes import Context, Expression, IndexExpr, MemberExpr, NameExpr, Var
from mypy.types import Type


class RecordedChanges(dict[Var, set[int]]):
    """mypy's table of the frames in which a variable was declared, with a record of changes.

    Attributes:
        answers: the nodes for which a hook gave another answer than mypy.
        changed: the variables, and names of attributes, that got another type than mypy inferred.
        first_types: the types of variables before the plugin widened them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.answers: set[Context] = set()
        self.changed: set[Var | str] = set()
        self.first_types: dict[Var, Type] = {}


def record_variable(current: TypeChecker, variable: Var | str) -> None:
    """Record that a variable of the file, or an attribute of this name, gets another type than mypy inferred."""
    table = current.var_decl_frames
    if isinstance(table, RecordedChanges):
        table.changed.add(variable)


def record_target(current: TypeChecker, target: Expression) -> None:
    """Record the same for the variable or attribute of an expression, or for what is indexed."""
    while isinstance(target, IndexExpr):
        target = target.base
    if isinstance(target, MemberExpr):
        record_variable(current, target.name)
    elif isinstance(target, NameExpr) and isinstance(target.node, Var):
        record_variable(current, target.node)
