"""Give a wrapped function (`jax.jit`, `torch.compile` ...) the signature of the function itself.

JAX's stubs type a jitted function as an object whose call returns Any, so that dtypes would end at each such function.
The plugin gives it the function's own type, with JAX's object as the fallback. mypy looks up attributes in the
fallback, so `f.lower(x)` keeps its type. mypy binds `self`, overloads and type variables as for any function.
"""

from mypy.nodes import ARG_OPT, ARG_STAR, ARG_STAR2, Argument, FuncDef, Var
from mypy.plugin import CheckerPluginInterface, ClassDefContext, FunctionContext, MethodContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    ProperType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.traced_values import accepting_numbers, accepting_numpy_arrays, as_traced
from promo_mypy.plugin.mypy_api.arguments import positional
from promo_mypy.plugin.mypy_api.checker import partial_application
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.passed_functions import as_called
from promo_mypy.plugin.transforms.unannotated_results import with_result
from promo_mypy.plugin.trees.transform_calls import lambda_in


def infer_wrapped(ctx: FunctionContext, session: Session) -> Type:
    """Infer `jax.jit(f, ...)`, and `jax.jit(...)` that gets the function later; likewise `jax.custom_jvp`."""
    wrapper = get_proper_type(ctx.default_return_type)
    given = positional(ctx)
    if given:
        function = with_result(given[0].type, ctx, given[0].expression, session)
        called = as_called(function, ctx, given[0].expression, session)
        wrapped = _wrapped(called, wrapper, session, ctx.api)
        if wrapped is not None and wrapped.fallback.type.fullname == names.JAX_JIT_WRAPPED:
            is_inferred = called is not function or lambda_in(given[0].expression) is not None
            return _compiled(wrapped, session, ctx.api) if is_inferred else wrapped
        return wrapped or ctx.default_return_type
    if isinstance(wrapper, CallableType):
        # The same as `functools.partial(jax.jit, ...)`, whose call has a hook.
        return ctx.api.named_generic_type(names.FUNCTOOLS_PARTIAL, [wrapper.ret_type])
    return ctx.default_return_type


def infer_partial_call(ctx: MethodContext, session: Session) -> Type:
    """Infer the call of a partial object: `functools.partial(jax.jit, ...)(f)` is `jax.jit(f, ...)`."""
    receiver = ctx.type
    if not isinstance(receiver, Instance) or not receiver.args or partial_application.applied(receiver) is not None:
        return partial_application.stock_call(ctx)
    wrapper = get_proper_type(receiver.args[0])
    if not isinstance(wrapper, Instance) or wrapper.type.fullname not in names.JAX_WRAPPERS:
        return partial_application.stock_call(ctx)
    given = positional(ctx)
    if not given:
        return ctx.default_return_type
    function = with_result(given[0].type, ctx, given[0].expression, session)
    return _wrapped(function, wrapper, session, ctx.api) or ctx.default_return_type


def infer_autocast(ctx: MethodContext, session: Session) -> Type:
    """`@torch.autocast(...)` keeps the signature of a function that has dtypes. For stock mypy it returns Any."""
    given = positional(ctx)
    found = _wrapped(given[0].type, ctx.type, session, ctx.api) if given else None
    return found or ctx.default_return_type


def infer_mode(ctx: FunctionContext | MethodContext, session: Session) -> Type:  # noqa: ARG001 -- features are called alike
    """`@torch.no_grad` without parentheses keeps the signature of a function."""
    given = positional(ctx)
    function = get_proper_type(given[0].type) if given else None
    return function if isinstance(function, FunctionLike) else ctx.default_return_type


def accept_function(ctx: ClassDefContext) -> None:
    """Let `torch.no_grad` and `torch.inference_mode` be called with a function, as their `__new__` allows."""
    for statement in ctx.cls.defs.body:
        if isinstance(statement, FuncDef) and statement.name == "__init__":
            _accept_function(statement, ctx)


def _accept_function(method: FuncDef, ctx: ClassDefContext) -> None:
    signature = method.type
    if not isinstance(signature, CallableType):
        return
    any_type = AnyType(TypeOfAny.explicit)
    function = CallableType(
        [any_type, any_type],
        [ARG_STAR, ARG_STAR2],
        [None, None],
        any_type,
        ctx.api.named_type("builtins.function"),
    )
    if len(signature.arg_types) > 1:
        types = [signature.arg_types[0], UnionType([signature.arg_types[1], function])]
        method.type = signature.copy_modified(arg_types=types)
    else:
        method.arguments.append(Argument(Var("orig_func"), function, None, ARG_OPT))
        method.arg_names.append("orig_func")
        method.arg_kinds.append(ARG_OPT)
        method.type = signature.copy_modified(
            arg_types=[*signature.arg_types, function],
            arg_kinds=[*signature.arg_kinds, ARG_OPT],
            arg_names=[*signature.arg_names, "orig_func"],
        )
    method.unanalyzed_type = method.type


def _compiled(function: FunctionLike, session: Session, api: CheckerPluginInterface) -> FunctionLike:
    """The type of a compiled lambda: it returns JAX arrays, whatever the lambda returns."""
    items = [item.copy_modified(ret_type=as_traced(item.ret_type, session, api)) for item in function.items]
    return of_signatures(items)


def _wrapped(function: Type, wrapper: ProperType, session: Session, api: CheckerPluginInterface) -> FunctionLike | None:
    """The signature of a function that JAX wraps; None if it is not a function, or has no dtypes."""
    proper = get_proper_type(function)
    applied = partial_application.applied(proper) if isinstance(proper, Instance) else None
    if applied is not None:
        # A partially applied function can be called like any function.
        return _wrapped(applied.copy_modified(special_sig=None), wrapper, session, api)
    if not isinstance(proper, FunctionLike) or proper.is_type_obj() or not isinstance(wrapper, Instance):
        return None
    if session.watch.leaves_alone(api) or not session.mentions_dtype(proper):
        return None
    called = [accepting_numpy_arrays(accepting_numbers(item, session), session, api) for item in proper.items]
    items = [item.copy_modified(fallback=wrapper) for item in called]
    return of_signatures(items)
