"""Infer the dtypes of the carry of a loop: the value that goes into each run of the body and comes out of it."""

from collections.abc import Callable, Sequence

from mypy.types import Type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.pytrees import Path
from promo_mypy.plugin.calls.arguments.traced_values import Dtypes
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.diagnostics.findings import dtypes_text, made
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.transforms.called_functions import CalledFunction, TransformCall
from promo_mypy.plugin.transforms.returned_values import is_computed, promotion_behind
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.traced import carried, same_dtype
from promo_mypy.rules.operands import Refusal
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import diagnostics


@record
class Loop:
    """A loop: how it is called, and how it calls its body.

    Attributes:
        call: the call of the loop.
        name: its name in messages.
        body: the function that it runs.
        arguments: maps a carry to the arguments of the body.
        pair: whether the body returns a pair, whose first item is the carry, or the carry alone.
    """

    call: TransformCall
    name: str
    body: CalledFunction
    arguments: Callable[[Type], Sequence[Type]]
    pair: bool = False

    def carry_of(self, returned: Type) -> Type:
        """The carry within the result of the body."""
        return pytrees.two_of(returned)[0] if self.pair else returned

    def place_of(self, path: Path) -> Path:
        """The place within the result of the body for a place within the carry."""
        return ("[0]", *path) if self.pair else path


@record
class Carry:
    """The types of a carry at each point of a loop.

    Attributes:
        entering: the carry at the start of the loop; unknown if it is promoted, as JAX traces the first value, too.
        given: the carry as an argument of the body; unknown in the same case.
        returned: what the body returns for it.
        expected: the carry that mypy expects from the body. Its dtypes are Any, as this module checks them.
        result: what the loop returns.
    """

    entering: Type
    given: Type
    returned: Type
    expected: Type
    result: Type


def follow(loop: Loop, initial: Type, *, is_reported: bool = False) -> Carry:
    """Infer the carry of a loop from its first value. Reports a dtype that changes from one run to the next.

    `is_reported`: whether such a dtype was reported before.
    """
    call, body = loop.call, loop.body
    before, given = call.traced(initial), body.parameter(initial)
    first, first_given = before, given
    returned = body.result(*loop.arguments(given))
    bools = frozenset(_bool_arrays(initial, call))
    promoted = pytrees.map_pairs(
        lambda path, one, other: _promoted(one, other, call, may_be_weak=path in bools),
        before,
        loop.carry_of(returned),
    )
    if promoted is not None and promoted != before:
        before, given = promoted, body.parameter(initial, promoted)
        returned = body.result(*loop.arguments(given))
    accepted = body.accepts(*loop.arguments(given))

    def result_at(path: Path, one: Type, other: Type) -> Type:
        going_in, coming_out = call.dtypes(one), call.dtypes(other)
        if going_in is None or coming_out is None:
            return call.traced(other) if coming_out else _if_strong(one, going_in)
        several = len(going_in | coming_out) > 2
        if several and (path in bools or any(dtype.weak for dtype in going_in)):
            return unknown()
        kept = frozenset(dtype for dtype in coming_out if any(same_dtype(dtype, start) for start in going_in))
        if not kept and accepted and not is_reported:
            operator = promotion_behind(loop.body.expression, loop.place_of(path), call.session, call.api)
            report(loop, path, going_in, coming_out, operator)
        return call.array(kept) if kept else one

    result = pytrees.map_pairs(result_at, before, loop.carry_of(returned))
    if result is None:
        result = pytrees.map_leaves(lambda leaf: _if_strong(leaf, call.dtypes(leaf)), before)
    result = (
        pytrees.map_pairs(lambda path, one, other: _unless_forwarded(path, one, other, loop), result, initial) or result
    )
    expected = pytrees.map_leaves(lambda leaf: leaf if call.dtypes(leaf) is None else unknown(), before)
    return Carry(_common(first, before), _common(first_given, given), returned, expected, result)


def _common(one: Type, other: Type) -> Type:
    return one if one == other else pytrees.map_pairs(_if_equal, one, other) or unknown()


def _if_equal(_: Path, one: Type, other: Type) -> Type:
    return one if one == other else unknown()


def _bool_arrays(initial: Type, call: TransformCall) -> list[Path]:
    """The places of bool arrays of JAX in a carry: their dtype does not show whether they are weak."""
    paths: list[Path] = []

    def note(path: Path, leaf: Type, _: Type) -> Type:
        if call.is_array(leaf) and dt.bool_ in (call.dtypes(leaf) or ()):
            paths.append(path)
        return leaf

    pytrees.map_pairs(note, initial, initial)
    return paths


def _promoted(before: Type, after: Type, call: TransformCall, *, may_be_weak: bool) -> Type:
    going_in, coming_out = call.dtypes(before), call.dtypes(after)
    if going_in is None or coming_out is None:
        return before
    if len(going_in) + len(coming_out) > 2:
        return before if going_in == coming_out else _if_strong(before, going_in)
    (one,), (other,) = going_in, coming_out
    found = carried(one, other, call.system, is_weak=one.weak or may_be_weak)
    return before if isinstance(found, Refusal) else call.array(frozenset({found}))


def _if_strong(leaf: Type, dtypes: Dtypes | None) -> Type:
    """The leaf if it is strong. A weak carry may be promoted, to an unknown dtype if the body's result is unknown."""
    return unknown() if dtypes is not None and any(dtype.weak for dtype in dtypes) else leaf


def _unless_forwarded(path: Path, result: Type, initial: Type, loop: Loop) -> Type:
    """The result, but unknown where the body may return a Python number unchanged: JAX then returns no array."""
    dtypes = loop.call.dtypes(result) if is_python_number(initial) else None
    if dtypes is None or is_computed(loop.body.expression, loop.place_of(path), loop.call.api):
        return result
    return _if_strong(result, dtypes)


def report(loop: Loop, path: Path, going_in: Dtypes, coming_out: Dtypes, operator: str | None) -> None:
    """Report a dtype that changes. `operator`: what gave it, in dtypes."""
    call, after = loop.call, dtypes_text(coming_out)
    because = f", as {operator} is {after} under {call.system.name} promotion" if operator else ""
    wanted = min(going_in, key=lambda dtype: (dtype.kind, dtype.bits))
    finding = made(
        diagnostics.CARRY,
        f"cast the result with {call.system.dialect.cast(wanted)}",
        problem=f"The carry{''.join(path)} of {loop.name} goes in as {dtypes_text(going_in)} and comes out as"
        f" {after}{because}",
    )
    type_checker.report(call.api, finding, loop.body.expression)
