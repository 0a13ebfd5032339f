"""Infer `jax.jvp`, `jax.vjp` and `jax.linearize` at values of known dtype: the result and the linear map."""

from collections.abc import Callable
from typing import Final

from mypy.nodes import Expression, TupleExpr
from mypy.plugin import FunctionSigContext
from mypy.types import AnyType, FunctionLike, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import Dtypes
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.reports import rejected_calls
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.mypy_api.checker.call_checking import function_context
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import gradients
from promo_mypy.plugin.transforms.called_functions import TransformCall
from promo_mypy.plugin.types.literal_values import flag
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.derivatives import takes_tangent


def jvp_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.jvp(fun, primals, tangents)`: the result, and its tangent of the same dtype."""
    call = TransformCall.of(ctx, session, "fun", "primals")
    primals = get_proper_type(call.value("primals")) if call else None
    if call is None or not isinstance(primals, TupleType):
        return ctx.default_signature
    if "tangents" in call.given:
        _check_tangents(call)
    return _exact_signature(
        call, primals.items, lambda value: call.pair(value, gradients.tangent_of_tree(value, session))
    )


def vjp_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.vjp(fun, *primals)`: the result, and the function from its cotangent to the cotangents of the primals."""
    call = TransformCall.of(ctx, session, "fun")
    if call is None:
        return ctx.default_signature
    primals = call.values("primals")
    cotangents = pytrees.tuple_of([gradients.tangent_of_tree(primal, session) for primal in primals], ctx.api)

    def with_map(value: Type) -> TupleType:
        return call.pair(value, function_context(ctx.api, [_accepted(value, call, session)], cotangents))

    return _exact_signature(call, primals, with_map)


def linearize_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.linearize(fun, *primals)`: the result, and the function from the tangents to the tangent of the result."""
    call = TransformCall.of(ctx, session, "fun")
    if call is None:
        return ctx.default_signature
    primals = call.values("primals")

    def with_map(value: Type) -> TupleType:
        parameters = [_accepted(primal, call, session) for primal in primals]
        return call.pair(value, function_context(ctx.api, parameters, gradients.tangent_of_tree(value, session)))

    return _exact_signature(call, primals, with_map)


def _exact_signature(call: TransformCall, primals: list[Type], result_of: Callable[[Type], TupleType]) -> FunctionLike:
    """The exact signature for these primals. The library's own if no primal has a known dtype.

    With `has_aux` the function returns a pair, and its second item comes last.
    """
    has_auxiliary = flag(call.value("has_aux") if "has_aux" in call.given else None)
    if has_auxiliary is None or not call.has_known_array(*primals):
        return call.ctx.default_signature
    function = call.function("fun")
    parameters = [function.parameter(primal) for primal in primals]
    returned = pytrees.map_leaves(lambda leaf: _array(leaf, call), function.result(*parameters))
    expected = function.expected(parameters)
    if not has_auxiliary:
        return call.exact_signature({"fun": expected}, result_of(returned))
    value, auxiliary = pytrees.two_of(returned)
    return call.exact_signature({"fun": expected}, pytrees.tuple_of([*result_of(value).items, auxiliary], call.api))


def _accepted(value: Type, call: TransformCall, session: Session) -> Type:
    """What is accepted as the tangent or cotangent of a value: an array of its dtype, or what JAX makes one of.

    Unknown for trees of arrays, and for integers, which have tangents of their own dtype.
    """
    dtypes = call.dtypes(value) if call.is_array(value) else None
    if not dtypes or not all(issubclass(dtype, dt.Inexact) for dtype in dtypes):
        return unknown()
    of_numpy = [session.symbols.instance(name, args) for name, args in _OF_NUMPY]
    number = call.api.named_generic_type("builtins.complex", [])
    known = [gradients.tangent_of_tree(value, session), number, *(each for each in of_numpy if each is not None)]
    return UnionType.make_union(known)


#: The arrays and scalars of NumPy, which JAX casts.
_OF_NUMPY: Final = (
    (names.NUMPY_ARRAY, [AnyType(TypeOfAny.special_form), AnyType(TypeOfAny.special_form)]),
    (names.NUMPY_GENERIC, [AnyType(TypeOfAny.special_form)]),
)


def _array(leaf: Type, call: TransformCall) -> Type:
    """A leaf of the result; unknown for a Python number, which may stay a number or become an array."""
    return leaf if call.is_array(leaf) or call.dtypes(leaf) is None else unknown()


def _check_tangents(call: TransformCall) -> None:
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
