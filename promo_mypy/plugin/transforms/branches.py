"""Infer what `lax.cond` and `lax.switch` return from what their branches return: JAX requires equal dtypes."""

from collections.abc import Sequence

from mypy.types import Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.pytrees import Path
from promo_mypy.plugin.calls.arguments.traced_values import Dtypes
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.diagnostics.findings import dtypes_text, made
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.transforms.called_functions import TransformCall
from promo_mypy.rules.functions.jax.traced import same_dtype
from promo_mypy.rules.wording import diagnostics


def joined(call: TransformCall, name: str, results: Sequence[Type], *, accepted: bool) -> Type:
    """The common result of branches, weak where the first one is weak. Reports different dtypes.

    The first branch is the first in JAX's order: the false branch of `cond`.

    `accepted`: whether every branch accepts the operands. Otherwise the caller may have caused the difference.
    """
    first = call.traced(results[0])
    for other in results[1:]:
        both = pytrees.map_pairs(
            lambda path, one, two: _leaf(path, one, two, call, name if accepted else None), first, call.traced(other)
        )
        if both is None:
            return unknown()
        first = both
    return first


def _leaf(path: Path, one: Type, other: Type, call: TransformCall, name: str | None) -> Type:
    left, right = call.dtypes(one), call.dtypes(other)
    if left is None or right is None:
        known, leaf = (left, one) if right is None else (right, other)
        return unknown() if known is None or any(dtype.weak for dtype in known) else leaf
    kept = frozenset(dtype for dtype in left if any(same_dtype(dtype, right_one) for right_one in right))
    if not kept and name is not None:
        report(call, name, path, left, right)
    return call.array(kept) if kept else unknown()


def report(call: TransformCall, name: str, path: Path, left: Dtypes, right: Dtypes) -> None:
    """Report a leaf for which two branches return different dtypes."""
    # A weak dtype yields to a strong one, as in a promotion. Otherwise the wider kind loses least.
    both = left | right
    wanted = max(both, key=lambda dtype: (not dtype.weak, "buifc".find(dtype.kind), dtype.bits))
    place = f" at {''.join(path)}" if path else ""
    finding = made(
        diagnostics.CARRY,
        f"JAX promotes neither, so cast one of them, for example with {call.system.dialect.cast(wanted)}",
        problem=f"The branches of {name} return {dtypes_text(left)} and {dtypes_text(right)}{place}",
    )
    type_checker.report(call.api, finding, call.ctx.context)
