"""Lambdas that a transform is given and that are called at once: `jax.vmap(lambda x: x * 2)(a)`.

mypy checks the lambda before it looks at the arguments of the call around it, so that its parameters would be Any. We
look for that call in the syntax tree, and close the signature of the transform for what the lambda will be called with.
The transform's own hook then sees a function whose dtypes are known, as any other.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Expression, LambdaExpr, RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext
from mypy.types import CallableType, FunctionLike, Type, get_proper_type

from promo_mypy.plugin import mypy_internals, names, pytrees
from promo_mypy.plugin.array_types import library_of, without_rank
from promo_mypy.plugin.bindings import Statements
from promo_mypy.plugin.integer_types import is_bool
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_calls import has_stars
from promo_mypy.plugin.results import unknown
from promo_mypy.plugin.session import Session
from promo_mypy.plugin.syntax_trees import nodes
from promo_mypy.plugin.traced_values import as_traced, is_python_number, knows_an_array

#: Transforms that call a function with what they are called with, or with parts of the arrays among it.
TRANSFORMS: Final = frozenset(
    {
        *names.VMAP,
        *names.TORCH_VMAP,
        *names.SAME_SIGNATURE,
        *names.SAME_SIGNATURE_LATER,
        *names.GRAD,
        *names.VALUE_AND_GRAD,
        *names.GRAD_AND_VALUE,
        *names.JACFWD,
        *names.JACREV,
        names.JAX_JIT,
        names.FILTER_GRAD,
        names.FILTER_VALUE_AND_GRAD,
        names.FILTER_JACFWD,
        *names.FILTER_JACREV,
    }
)
# Those that make JAX arrays of all that the function is called with.
_TRACING: Final = frozenset({names.JAX_JIT, "jax._src.pmap.pmap"})
_TRACEABLE: Final = frozenset({Library.JAX, Library.TORCH})


def close_for_call(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`transform(lambda ...: ...)(...)`: the signature with the lambda's parameters as the call around it has them."""
    signature, made = ctx.default_signature, ctx.context
    function = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    if not isinstance(function, LambdaExpr) or not isinstance(made, CallExpr) or made.args[0] is not function:
        return signature
    around = _calls(Statements(mypy_internals.tree(ctx.api).defs))
    traces, call = _is_tracing(made), around.get(made)
    while call is not None and call.callee is not made:
        made = call
        traces, call = traces or _is_tracing(made), around.get(made)
    values = _values(function, call, ctx.api) if call is not None else None
    if values is None or not any(knows_an_array(value, session) for value in values):
        return signature
    expected = CallableType(
        [_parameter(value, session, ctx.api, traces=traces) for value in values],
        [argument.kind for argument in function.arguments],
        function.arg_names,
        unknown(),
        ctx.api.named_generic_type("builtins.function", []),
    )
    # What the transform makes of the lambda says its own hook; a wrapper of a library's stays one.
    result = unknown() if signature.variables else signature.ret_type
    return signature.copy_modified(
        arg_types=[expected, *signature.arg_types[1:]], ret_type=result, variables=[], unpack_kwargs=False
    )


def _parameter(value: Type, session: Session, api: CheckerPluginInterface, *, traces: bool) -> Type:
    """The type that a parameter has for a value.

    JAX makes arrays of NumPy's and of Python's numbers in some transforms and not in others, and PyTorch's `vmap` takes
    a dimension away: what is not certain is open.
    """

    def of_leaf(leaf: Type) -> Type:
        if library_of(leaf) in _TRACEABLE:
            return without_rank(leaf)
        # Of a bool it makes an array that is not weak, for which mypy would not take the bool.
        is_weak = is_python_number(leaf) and not is_bool(get_proper_type(leaf))
        return as_traced(leaf, session, api) if traces and is_weak else unknown()

    return pytrees.map_leaves(of_leaf, value)


def _values(function: LambdaExpr, call: CallExpr, api: CheckerPluginInterface) -> list[Type] | None:
    """The types of what is given for each parameter of the lambda; None if that is not one for one."""
    if has_stars(call) or any(argument.kind.is_star() for argument in function.arguments):
        return None
    positional = [e for e, kind in zip(call.args, call.arg_kinds, strict=True) if kind is ARG_POS]
    keywords = {name: e for e, name in zip(call.args, call.arg_names, strict=True) if name is not None}
    if len(positional) > len(function.arg_names):
        return None
    given: list[Expression | None] = [*positional]
    given += [keywords.get(name or "") for name in function.arg_names[len(positional) :]]
    return [unknown() if expression is None else api.get_expression_type(expression) for expression in given]


@lru_cache(maxsize=1)  # mypy checks one file after the other
def _calls(file: Statements) -> Mapping[CallExpr, CallExpr]:
    """A call to the one that calls what it returns, or to the transform that it is handed to as the function."""
    found = {}
    for node in nodes(file.statements):
        if isinstance(node, CallExpr):
            if isinstance(node.callee, CallExpr):
                found[node.callee] = node
            elif _name(node) in TRANSFORMS and node.args and isinstance(node.args[0], CallExpr):
                found[node.args[0]] = node
    return found


def _is_tracing(call: CallExpr) -> bool:
    """Whether a transform makes JAX arrays of all that it is called with: no argument of it is a static one."""
    return _name(call) in _TRACING and not any((name or "").startswith("static") for name in call.arg_names)


def _name(call: CallExpr) -> str | None:
    return call.callee.fullname if isinstance(call.callee, RefExpr) else None
