"""Insert a call before the statements of a file, for which mypy calls a hook: outside its public plugin surface.

- `call_ahead`: mypy asks for the hook of a call in an assignment, and of a name in an annotation. A file without either
  is not announced (see `file_start`), and its first error may come before the first hook. mypy binds the name of the
  inserted call itself. (tests/plugin/mypy_api/test_file_start.py)
"""

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    ExpressionStmt,
    FuncDef,
    Import,
    ImportAll,
    ImportFrom,
    MypyFile,
    NameExpr,
    Statement,
)

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.trees.imported_modules import imported

#: A built-in function that is declared without overloads, may have no arguments, and returns None.
FIRST: Final = "breakpoint"
#: The full name of that function.
FIRST_CALL: Final = f"builtins.{FIRST}"


def call_ahead(file: MypyFile) -> None:
    """Insert the call into a file that mypy has just parsed, if the file is a user's and imports an array library."""
    if file.is_stub or is_own(file.fullname) or not any(map(is_own, imported(file))):
        return
    if not any(map(_binds_name, file.defs)):
        file.defs.insert(0, ExpressionStmt(CallExpr(NameExpr(FIRST), [], [], [])))


def _binds_name(statement: Statement) -> bool:
    """Whether a statement may bind the name to something else."""
    match statement:
        case FuncDef(name=name) | ClassDef(name=name):
            return name == FIRST
        case ImportFrom(names=names):
            return any((alias or name) == FIRST for name, alias in names)
        case Import(ids=names):
            return any((alias or name) == FIRST for name, alias in names)
        case AssignmentStmt(lvalues=targets):
            return any(isinstance(target, NameExpr) and target.name == FIRST for target in targets)
        case ImportAll():
            return True
        case _:
            return False
