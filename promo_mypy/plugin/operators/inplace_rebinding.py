"""Narrow `x` after `x *= y` to the result if that may be another array.

`tensor *= ndarray` gives a new tensor of NumPy's dtype, and a NumPy array times a JAX array is a JAX array. mypy keeps
the type of a variable, whatever `x.__imul__(y)` returns.
"""

from collections.abc import Iterator

from mypy.nodes import Import, ImportAll, ImportFrom, MypyFile, NameExpr, OperatorAssignmentStmt, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.inferred.false_positives.refused_assignments import narrow_to_value
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.mypy_api.type_checker import checker
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.rules.mixing import mix
from promo_mypy.rules.operators import Operator


def note(operation: Operation, result: Type | None, session: Session, api: CheckerPluginInterface) -> None:
    """Narrow the target to the result if it is another array, or to Any if an unknown operand decides that.

    The receiver has the canonical type of the target. An annotated variable keeps its declared type.
    """
    context, receiver = operation.context, operation.receiver
    target = context.lvalue if isinstance(context, OperatorAssignmentStmt) else None
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var) or not is_unannotated(target.node):
        return
    if result is not None and session.canonical(result) != receiver:
        narrow_to_value(checker(api), target, result, is_hidden=True)
    elif result is None and any(map(may_be_anything, operation.others)):
        library = library_of(receiver)
        if library is not None and _may_be_replaced(operation.operator, library, checker(api).tree):
            narrow_to_value(checker(api), target, None, is_hidden=True)


def _may_be_replaced(operator: Operator, library: Library, file: MypyFile) -> bool:
    """Whether an array of another library that the file imports would replace the target."""
    mixtures = (mix(operator.operation, library.value, BY_PACKAGE[package].value) for package in _packages(file))
    return any(
        mixture is not None and mixture.refused is None and (mixture.wrapped or mixture.result != library.value)
        for mixture in mixtures
    )


def _packages(file: MypyFile) -> Iterator[str]:
    """The array libraries that a file imports."""
    for statement in file.imports:
        match statement:
            case Import():
                modules = [module for module, _ in statement.ids]
            case ImportFrom() | ImportAll():
                modules = [statement.id]
            case _:
                modules = []
        for module in modules:
            if (package := module.partition(".")[0]) in BY_PACKAGE:
                yield package
