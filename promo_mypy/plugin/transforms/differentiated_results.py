"""Report functions that cannot be differentiated because of what they return: `jax.grad(jnp.argmax)`.

JAX and PyTorch look at the dtype of the result before they go back to the arguments.
"""

from mypy.nodes import CallExpr, Decorator, Expression, LambdaExpr, RefExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.reports.rejected_calls import report_call
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.partial_application import signature_of
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.derivatives import AUXILIARY, DERIVATIVES, HOLOMORPHIC
from promo_mypy.rules.wording.reasons import spelled

_KNOWN = frozenset({Library.JAX, Library.TORCH, Library.PYTHON})


def check(name: str, made: CallExpr, call: CallExpr, session: Session, api: CheckerPluginInterface) -> None:
    """Check the result of the function that a call like `jax.grad(f)` differentiates.

    `name`: its row. `call`: the call of the derivative, which raises.
    """
    if not made.args or HOLOMORPHIC in made.arg_names:
        return
    result = _result(made.args[0], api)
    if result is not None and AUXILIARY in made.arg_names:
        result = pytrees.two_of(result)[0]
    dtype = _refused(result, DERIVATIVES[name].results, session) if result is not None else None
    if dtype is None:
        return
    library = Library.TORCH if name.startswith("torch") else Library.JAX
    system = session.system(library, api)
    shown = spelled(dtype)
    reason = f"{system.dialect.library} does not differentiate a function that returns {shown}"
    remedy = f"return a real value, or cast it with {system.dialect.cast(dt.float32)}"
    report_call(f"{name}({shown})", system, reason, remedy, call, api)


def _result(function: Expression, api: CheckerPluginInterface) -> Type | None:
    """What a function returns: a lambda for the arguments with which mypy has checked it last."""
    if isinstance(function, LambdaExpr):
        return type_checker.checker(api).lookup_type_or_none(function.expr())
    if not isinstance(function, RefExpr):
        return None
    # The name of a decorated function stands for its derivative.
    own = function.node.func.type if isinstance(function.node, Decorator) else None
    found = signature_of(type_checker.quiet_type(api, function) if own is None else own)
    return found.items[0].ret_type if found is not None and len(found.items) == 1 else None


def _refused(result: Type, kinds: str, session: Session) -> dt.OperandType | None:
    """A dtype of a result if each that it may have is of one of these kinds; None otherwise."""
    values = read(result, session.platform)
    if not values or any(value.library not in _KNOWN for value in values):
        return None
    dtypes = [dtype for value in values for dtype in value.dtypes]
    raises = bool(dtypes) and all(dtype.kind in kinds for dtype in dtypes)
    return min(dtypes, key=lambda dtype: dtype.name) if raises else None
