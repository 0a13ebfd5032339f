"""Find operands that are arrays in NumPy's stubs but may be NumPy scalars at run time.

NumPy returns scalars for arrays without dimensions, and its stubs declare an array if the number of dimensions is
unknown. Most libraries treat both alike. PyTorch and PaddlePaddle treat the scalar as a Python number, and CuPy accepts
only the scalar.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, OpExpr, RefExpr, Var

from promo_mypy.plugin.inferred.aliasing.expressions import Key, key_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.operators.operation import Operation
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import Value
from promo_mypy.rules.functions.numpy.forms import MAKING
from promo_mypy.rules.mixing import DISTINGUISHING_SCALARS

Alternatives = Sequence[Sequence[Value]]

_DISTINGUISHING: Final = frozenset(library for library in Library if library.value in DISTINGUISHING_SCALARS)


def crosses(alternatives: Alternatives) -> bool:
    """Whether a NumPy array meets an array of a library that treats a NumPy scalar differently."""
    values = [value for each in alternatives for value in each]
    return any(value.library in _DISTINGUISHING for value in values) and any(map(_is_numpy_array, values))


def marked(operation: Operation, alternatives: Alternatives, session: Session) -> Alternatives:
    """The operands, receiver first. Those that may be scalars are marked."""
    context = operation.context
    if not isinstance(context, OpExpr):
        written: list[Expression | None] = [None for _ in alternatives]
    else:
        written = [context.left, context.right]
    if operation.operator.kind == "reflected":
        written.reverse()
    return [
        [replace(value, may_be_scalar=_may_be_scalar(value, expression, session)) for value in each]
        for each, expression in zip(alternatives, written, strict=True)
    ]


def _is_numpy_array(value: Value) -> bool:
    return value.library is Library.NUMPY and value.is_array


def _may_be_scalar(value: Value, expression: Expression | None, session: Session) -> bool:
    if not _is_numpy_array(value) or value.rank.positive:
        return False
    return expression is None or not _is_array(expression, session, frozenset())


def _is_array(expression: Expression, session: Session, seen: frozenset[Key]) -> bool:
    """Whether an array in NumPy's stubs is certainly one: annotated, or made by a function that returns no scalars.

    `seen`: the variables whose values are being followed. A variable that is bound to its own copy stays what it was.
    """
    match expression:
        case CallExpr(callee=RefExpr(fullname=name)) if name.startswith("numpy."):
            return name.rpartition(".")[2] in MAKING
        case CallExpr(callee=MemberExpr(name="numpy")):  # of a tensor
            return True
        case CallExpr(callee=MemberExpr(expr=receiver, name="astype" | "copy")):
            return _is_array(receiver, session, seen)
        case NameExpr(node=Var() as variable):
            return not is_unannotated(variable) or _are_arrays(key_of(variable), session, seen)
        case MemberExpr(name=name):
            return _are_arrays(name, session, seen)
        case _:
            return False


def _are_arrays(key: Key, session: Session, seen: frozenset[Key]) -> bool:
    """Whether the file binds a variable, or attributes of a name, only to arrays."""
    if key in seen:
        return True
    aliases = session.watch.file.aliases
    values = aliases.statements.values.get(key) if aliases is not None else None
    return bool(values) and all(_is_array(value, session, seen | {key}) for value in values or ())
