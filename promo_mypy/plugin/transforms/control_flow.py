"""Infer the dtypes of loops and branches of `jax.lax`.

JAX's stubs type some of them generically (`scan`, `while_loop`), and others not at all. If a call has an array of known
dtype among its values, its signature gets exact types. A lambda among the arguments is then checked with the parameters
that JAX passes. A call without such an array keeps its library's own types.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import Context, ListExpr, TupleExpr
from mypy.plugin import FunctionSigContext
from mypy.types import FunctionLike, NoneType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.reports.rejected_calls import report_call
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import branches, carries, named_carries
from promo_mypy.plugin.transforms.called_functions import CalledFunction, TransformCall
from promo_mypy.plugin.transforms.carries import Carry, Loop
from promo_mypy.plugin.types.array_types import is_python_number
from promo_mypy.rules.records import record


def scan_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.scan(f, init, xs)`, where `f(carry, x)` returns the next carry and a value to stack."""
    call = TransformCall.of(ctx, session, "f", "init")
    if call is None:
        return ctx.default_signature
    xs, body = call.value("xs"), call.function("f")
    # Without arrays to scan JAX passes None. The stubs accept any type there.
    x = unknown() if isinstance(get_proper_type(xs), NoneType) else body.parameter(xs)
    found = _followed(Loop(call, "lax.scan", body, lambda carry: [carry, x], pair=True), "init", xs)
    if found is None:
        return ctx.default_signature
    stacked = call.traced(pytrees.two_of(found.returned)[1])
    optional = call.optional("init")
    expected = body.expected([optional or found.given, x], call.pair(optional or found.expected, unknown()))
    return call.exact_signature({"f": expected, "init": unknown(), "xs": unknown()}, call.pair(found.result, stacked))


def while_loop_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.while_loop(cond_fun, body_fun, init_val)`."""
    call = TransformCall.of(ctx, session, "cond_fun", "body_fun", "init_val")
    if call is None:
        return ctx.default_signature
    initial, body, test = call.value("init_val"), call.function("body_fun"), call.function("cond_fun")
    found = _followed(Loop(call, "lax.while_loop", body, lambda carry: [carry]), "init_val")
    if found is None:
        return ctx.default_signature
    _check_predicate(call, "lax.while_loop", test.result(test.parameter(initial, found.entering)), test.expression)
    optional = call.optional("init_val")
    types = {
        "cond_fun": test.expected([optional or test.parameter(initial, found.entering)]),
        "body_fun": body.expected([optional or found.given], optional or found.expected),
        "init_val": unknown(),
    }
    return call.exact_signature(types, found.result)


def fori_loop_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.fori_loop(lower, upper, body_fun, init_val)`, where the body gets the index, too."""
    call = TransformCall.of(ctx, session, "lower", "upper", "body_fun", "init_val")
    if call is None:
        return ctx.default_signature
    body, bounds = call.function("body_fun"), [call.value("lower"), call.value("upper")]
    # Between two Python numbers the index is weak. With arrays it depends on their dtypes.
    index = body.parameter(bounds[0]) if all(map(is_python_number, bounds)) else unknown()
    found = _followed(Loop(call, "lax.fori_loop", body, lambda carry: [index, carry]), "init_val")
    if found is None:
        return ctx.default_signature
    return call.exact_signature({"body_fun": body.expected([index, found.given])}, found.result)


def cond_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.cond(pred, true_fun, false_fun, *operands)`. `false_fun` is the first branch."""
    call = TransformCall.of(ctx, session, "true_fun", "false_fun")
    if call is None or not (call.is_function("true_fun") and call.is_function("false_fun")):
        return ctx.default_signature  # also the old form, whose operands stand between the functions
    _check_predicate(call, "lax.cond", call.value("pred"), ctx.context)
    names, operands = ("false_fun", "true_fun"), _operands(call)
    functions = {name: call.function(name) for name in names}
    result = _joined(call, "lax.cond", list(functions.values()), operands)
    if result is None:
        return ctx.default_signature
    types = {name: one.expected([one.parameter(o) for o in operands]) for name, one in functions.items()}
    return call.exact_signature(types, result)


def switch_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.switch(index, branches, *operands)`, for branches that are written out."""
    call = TransformCall.of(ctx, session, "branches")
    written = call.given["branches"][0] if call else None
    if call is None or not isinstance(written, ListExpr | TupleExpr) or not written.items:
        return ctx.default_signature
    _check_predicate(call, "lax.switch", call.value("index"), ctx.context)
    functions, operands = [call.called(item) for item in written.items], _operands(call)
    result = _joined(call, "lax.switch", functions, operands)
    if result is None:
        return ctx.default_signature
    # All branches share one context, so a parameter gets only what they have in common.
    parameters = [_common([one.parameter(operand) for one in functions]) for operand in operands]
    expected = ctx.api.named_generic_type("typing.Sequence", [functions[0].expected(parameters)])
    return call.exact_signature({"branches": expected}, result)


def map_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.map(f, xs)`: what `f` returns, stacked."""
    call = TransformCall.of(ctx, session, "f", "xs")
    if call is None or not call.has_known_array(call.value("xs")):
        return ctx.default_signature
    function = call.function("f")
    x = function.parameter(call.value("xs"))
    return call.exact_signature({"f": function.expected([x])}, call.traced(function.result(x)))


def associative_scan_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`lax.associative_scan(fn, elems)`, which concatenates elements and results: their dtypes are equal."""
    call = TransformCall.of(ctx, session, "fn", "elems")
    if call is None or not call.has_known_array(call.value("elems")):
        return ctx.default_signature
    function, elements = call.function("fn"), call.traced(call.value("elems"))
    strong = pytrees.map_leaves(call.if_strong, elements)
    carries.follow(Loop(call, "lax.associative_scan", function, lambda carry: (carry, carry)), strong)
    return call.exact_signature({"fn": function.expected([elements, elements])}, strong)


def _followed(loop: Loop, parameter: str, *others: Type) -> Carry | None:
    """The carry of a loop whose first value is the argument for a parameter.

    None if neither that nor one of the other values has an array of known dtype. But if the loop starts with numbers,
    its result may have one: the body may close over arrays.
    """
    call, initial = loop.call, loop.call.value(parameter)
    is_reported = named_carries.check(loop, call.given[parameter][0])
    has_array = call.has_known_array(initial, *others)
    if not has_array and not all(map(is_python_number, pytrees.leaves(initial))):
        return None
    found = carries.follow(loop, initial, is_reported=is_reported)
    return found if has_array or call.has_known_array(found.result) else None


def _operands(call: TransformCall) -> list[Type]:
    return [call.value("operand")] if "operand" in call.given else call.values("operands")


def _joined(call: TransformCall, name: str, functions: list[CalledFunction], operands: list[Type]) -> Type | None:
    """The common result of the branches; None if neither operands nor results have a known dtype."""
    is_reported = named_carries.check_branches(call, name, functions)
    arguments = [[one.parameter(operand) for operand in operands] for one in functions]
    # The result of a branch may have a known dtype for any operands: it may close over arrays.
    if not call.has_known_array(*operands, *(one.result(*(unknown() for _ in operands)) for one in functions)):
        return None
    results = [one.result(*types) for one, types in zip(functions, arguments, strict=True)]
    accepted = all(one.accepts(*types) for one, types in zip(functions, arguments, strict=True))
    return branches.joined(call, name, results, accepted=accepted and not is_reported)


def _common(types: list[Type]) -> Type:
    return types[0] if all(typ == types[0] for typ in types) else unknown()


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


def _check_predicate(call: TransformCall, name: str, typ: Type, context: Context) -> None:
    """Report the condition or index of this type if every dtype that it may have is rejected."""
    accepted, dtypes = _ACCEPTED[name], call.dtypes(typ)
    if not dtypes or any(dtype.kind in accepted.kinds for dtype in dtypes):
        return
    called = f"jax.{name}({dtypes_text(dtypes)})"
    report_call(called, call.system, accepted.reason, accepted.remedy, context, call.api)
