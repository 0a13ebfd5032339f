"""Report a condition or an index of `jax.lax` whose dtype it rejects: an int for `while_loop`, a bool for `switch`.

Source: running JAX (tests/plugin/transforms/executed/predicates.py.txt).
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import Context
from mypy.types import Type

from promo_mypy.plugin.calls.reports.rejected_calls import report_call
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.transforms.called_functions import TransformCall
from promo_mypy.rules.records import record


@record
class _Accepted:
    """The kinds of dtypes that a transform accepts, the reason for a refusal, and what to write instead."""

    kinds: str
    reason: str
    remedy: str


_ACCEPTED: Final[Mapping[str, _Accepted]] = {
    "lax.while_loop": _Accepted("b", "the condition returns a bool", "compare the value, for example with > 0"),
    "lax.cond": _Accepted("buif", "the condition is a real number", "compare the value, for example with != 0"),
    "lax.switch": _Accepted("ui", "the index is an integer", "cast the index with x.astype(jnp.int32)"),
}


def check(call: TransformCall, name: str, typ: Type, context: Context) -> None:
    """Report the condition or index of this type if every dtype that it may have is rejected."""
    accepted, dtypes = _ACCEPTED[name], call.dtypes(typ)
    if not dtypes or any(dtype.kind in accepted.kinds for dtype in dtypes):
        return
    called = f"jax.{name}({dtypes_text(dtypes)})"
    report_call(called, call.system, accepted.reason, accepted.remedy, context, call.api)
