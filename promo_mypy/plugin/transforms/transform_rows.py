"""Tables from qualified name to hook for transforms of functions and for control flow."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import CallExpr, Context, LambdaExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import FunctionLike, Type

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late, late_feature
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import differentiated_arguments, stored_lambdas
from promo_mypy.plugin.trees import transform_calls
from promo_mypy.plugin.types import value_marks

with late():
    from promo_mypy.plugin.transforms import applied_transforms, wrappers

if TYPE_CHECKING:
    from promo_mypy.plugin.transforms.applied_transforms import Transform


def _late(module: str, feature: str) -> Callable[..., Any]:
    return late_feature(f"transforms.{module}", feature)


FunctionFeature = Callable[..., Type]  # (FunctionContext, session=Session)
SignatureFeature = Callable[..., FunctionLike]  # (FunctionSigContext or MethodSigContext, session=Session)

_NOW: Final[Mapping[str, "Transform"]] = {
    **dict.fromkeys((*names.VMAP, *names.SAME_SIGNATURE), _late("gradients", "keep_signature")),
    **dict.fromkeys(names.TORCH_VMAP, _late("gradients", "keep_dtypes")),
    **dict.fromkeys(names.GRAD, _late("gradients", "grad")),
    **dict.fromkeys(names.VALUE_AND_GRAD, _late("gradients", "value_and_grad")),
    **dict.fromkeys(names.GRAD_AND_VALUE, _late("gradients", "grad_and_value")),
    **dict.fromkeys(names.JACFWD, _late("gradients", "jacfwd")),
    **dict.fromkeys(names.JACREV, _late("gradients", "jacrev")),
}
# Transforms that can be called without the function, which a later call passes.
_LATER: Final[Mapping[str, "Transform"]] = {
    **dict.fromkeys(names.SAME_SIGNATURE_LATER, _late("gradients", "keep_signature")),
    names.FILTER_GRAD: _late("gradients", "grad"),
    names.FILTER_VALUE_AND_GRAD: _late("gradients", "value_and_grad"),
    names.FILTER_JACFWD: _late("gradients", "jacfwd"),
    **dict.fromkeys(names.FILTER_JACREV, _late("gradients", "jacrev")),
}
_TRANSFORMS: Final[Mapping[str, "Transform"]] = {**_NOW, **_LATER}


def _infer_partial_call(ctx: MethodContext, session: Session) -> Type:
    found = stored_lambdas.result_of_stored(ctx, session)
    found = applied_transforms.infer_partial_call(ctx, session, _TRANSFORMS) if found is None else found
    found = wrappers.infer_partial_call(ctx, session) if found is None else found
    # Stock mypy infers Any for the call of a lambda.
    return session.marked(found, value_marks.marked) if _is_of_lambda(ctx.context) else found


def _is_of_lambda(call: Context) -> bool:
    """Whether this is `functools.partial(lambda ...)(x)`."""
    made = call.callee if isinstance(call, CallExpr) else None
    if not isinstance(made, CallExpr) or transform_calls.name_of(made) != names.FUNCTOOLS_PARTIAL:
        return False
    return bool(made.args) and isinstance(made.args[0], LambdaExpr)


def _infer_derivative(ctx: FunctionContext, session: Session, infer: FunctionFeature) -> Type:
    differentiated_arguments.check_made(ctx, session)
    return infer(ctx, session=session)


_APPLY: Final = _late("applied_transforms", "infer")
_APPLIED: Final[Mapping[str, FunctionFeature]] = {
    **{name: partial(_APPLY, transform=row, name=name) for name, row in _NOW.items()},
    **{name: partial(_APPLY, transform=row, name=name, later=True) for name, row in _LATER.items()},
}

FUNCTIONS: Final[Mapping[str, FunctionFeature]] = {
    **_APPLIED,
    **{name: partial(_infer_derivative, infer=_APPLIED[name]) for name in differentiated_arguments.ROWS},
    **dict.fromkeys((names.JAX_JIT, names.JAX_CUSTOM_JVP, names.JAX_CUSTOM_VJP), _late("wrappers", "infer_wrapped")),
    **dict.fromkeys(names.TORCH_MODES, _late("wrappers", "infer_mode")),
    **dict.fromkeys((names.JAX_BLOCK_UNTIL_READY, names.JAX_DEVICE_PUT), _late("mapped_trees", "infer_from_signature")),
    names.NUMPY_VECTORIZE: _late("vectorized", "remember_otypes"),
    names.FUNCTOOLS_PARTIAL: partial(_late("applied_transforms", "infer_partial"), transforms=_TRANSFORMS),
}

METHODS: Final[Mapping[str, Callable[..., Type]]] = {
    f"{names.FUNCTOOLS_PARTIAL}.__call__": _infer_partial_call,
    **{f"{cls}.__call__": _late("wrappers", "infer_autocast") for cls in names.TORCH_AUTOCAST},
    f"{names.NUMPY_VECTORIZE}.__call__": _late("vectorized", "infer_call"),
}

FUNCTION_SIGNATURES: Final[Mapping[str, SignatureFeature]] = {
    **dict.fromkeys(transform_calls.TRANSFORMS, _late("called_lambdas", "called_lambda_signature")),
    names.JAX_SCAN: _late("control_flow", "scan_signature"),
    names.JAX_WHILE_LOOP: _late("control_flow", "while_loop_signature"),
    names.JAX_FORI_LOOP: _late("control_flow", "fori_loop_signature"),
    names.JAX_COND: _late("control_flow", "cond_signature"),
    names.JAX_SWITCH: _late("control_flow", "switch_signature"),
    names.JAX_MAP: _late("control_flow", "map_signature"),
    names.JAX_ASSOCIATIVE_SCAN: _late("control_flow", "associative_scan_signature"),
    **dict.fromkeys(names.JAX_TREE_MAPS, _late("mapped_trees", "map_signature")),
    **dict.fromkeys(names.JAX_TREE_LEAVES, _late("mapped_trees", "leaves_signature")),
    names.JAX_BLOCK_UNTIL_READY: _late("mapped_trees", "same_signature"),
    names.JAX_DEVICE_PUT: _late("mapped_trees", "put_signature"),
    names.JAX_DEVICE_GET: _late("mapped_trees", "get_signature"),
    names.JAX_RAVEL_TREE: _late("mapped_trees", "ravel_signature"),
    names.JAX_JVP: _late("differentials", "jvp_signature"),
    names.JAX_VJP: _late("differentials", "vjp_signature"),
    names.JAX_LINEARIZE: _late("differentials", "linearize_signature"),
}
