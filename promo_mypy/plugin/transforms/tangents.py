"""Report tangents of another dtype than their primals: `jax.jvp(f, (x,), (t,))`."""

from mypy.nodes import Expression, TupleExpr
from mypy.types import Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import Dtypes
from promo_mypy.plugin.calls.reports import rejected_calls
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.transforms.called_functions import TransformCall
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.derivatives import takes_tangent


def check(call: TransformCall) -> None:
    """Compare the leaves of primals and tangents. A leaf of unknown dtype, or of several that may fit, is fine."""
    given = call.given["tangents"][0]

    def compared(path: pytrees.Path, primal: Type, tangent: Type) -> Type:
        ones, others = call.dtypes(primal), call.dtypes(tangent)
        if ones and others and not any(takes_tangent(one, other) for one in ones for other in others):
            _report(call, _item_at(given, path), ones, others)
        return tangent

    pytrees.map_pairs(compared, call.value("primals"), call.value("tangents"))


def _item_at(given: Expression, path: pytrees.Path) -> Expression:
    """The item of a tuple that a path begins with."""
    number = path[0].strip("[]") if path else ""
    if isinstance(given, TupleExpr) and number.isdigit() and int(number) < len(given.items):
        return given.items[int(number)]
    return given


def _report(call: TransformCall, place: Expression, primals: Dtypes, tangents: Dtypes) -> None:
    dialect, wanted = call.system.dialect, min(primals, key=lambda dtype: dtype.name).strong
    if wanted.kind in "fc":
        reason = f"the tangent of a {wanted.name} primal must be {wanted.name}"
        remedy = f"cast it with {dialect.cast(wanted)}"
    else:
        reason = f"{dialect.library} differentiates with respect to floats and complex numbers, not {wanted.name}"
        remedy = f"cast the primal with {dialect.cast(dt.float32)}"
    shown = f"jax.jvp({dtypes_text(primals)}, {dtypes_text(tangents)})"
    rejected_calls.report_call(shown, call.system, reason, remedy, place, call.api)
