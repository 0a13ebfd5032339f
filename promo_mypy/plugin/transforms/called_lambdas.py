"""Infer the parameters of a lambda whose transform is called at once: `jax.vmap(lambda x: x * 2)(a)`.

mypy checks the lambda before the arguments of the call around it, so that its parameters would be Any. The plugin finds
that call in the syntax tree, and gives the lambda the types of its arguments through the signature of the transform.
The transform's own hook then gets a function of known dtypes. `functools.partial` counts as a transform that passes
some of the arguments itself.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mypy.nodes import CallExpr, IntExpr, LambdaExpr, ListExpr, MypyFile, StrExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext
from mypy.types import CallableType, FunctionLike, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.traced_values import has_known_array
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.lambda_parameters import Passage, PassingCall, parameter_types
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes
from promo_mypy.plugin.trees.transform_calls import TRANSFORMS, name_of
from promo_mypy.plugin.trees.written_arguments import keywords

# Transforms that turn every argument of the function into JAX arrays.
_TRACING: Final = frozenset({names.JAX_JIT, "jax._src.pmap.pmap"})


def called_lambda_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`transform(lambda ...: ...)(...)`: the signature with the lambda's parameter types from the call around it."""
    signature, made = ctx.default_signature, ctx.context
    function = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    if not isinstance(function, LambdaExpr) or not isinstance(made, CallExpr) or made.args[0] is not function:
        return signature
    passing = passing_calls(made, session, ctx.api)
    types = parameter_types(function, passing, session, ctx.api) if passing else None
    if types is None or not any(has_known_array(typ, session) for typ in types):
        return signature
    declared = get_proper_type(signature.arg_types[0])
    expected = CallableType(
        types,
        [argument.kind for argument in function.arguments],
        function.arg_names,
        unknown(),
        ctx.api.named_generic_type("builtins.function", []),
    )
    if name_of(made) == names.FUNCTOOLS_PARTIAL and isinstance(declared, CallableType):
        # mypy infers the rest of a partially applied function, and needs what the function returns.
        expected = expected.copy_modified(ret_type=declared.ret_type)
        return signature.copy_modified(arg_types=[expected, *signature.arg_types[1:]])
    # The transform's own hook infers the transformed lambda. A library's wrapper keeps its type.
    result = unknown() if signature.variables else signature.ret_type
    return signature.copy_modified(
        arg_types=[expected, *signature.arg_types[1:]], ret_type=result, variables=[], unpack_kwargs=False
    )


def passing_calls(made: CallExpr, session: Session, api: CheckerPluginInterface) -> list[PassingCall]:
    """The calls that pass arguments to the function in the transform `made`; empty if it is not called at once."""
    around = calls_around(type_checker.tree(api))
    found: list[PassingCall] = []
    passage = Passage.DIRECT
    compiled = session.watch.memo.replayed.get(made) or around.get(made)
    static = _static(made)
    if static and compiled is not None and compiled.callee is made:
        return [PassingCall(compiled, 0, Passage.TRACED, static)]
    while True:
        if name_of(made) == names.FUNCTOOLS_PARTIAL:
            found.append(PassingCall(made, 1, passage))
        else:
            passage = passage.through(Passage.TRACED if _is_tracing(made) else Passage.TRANSFORMED)
        call = session.watch.memo.replayed.get(made) or around.get(made)
        if call is None:
            return []
        if call.callee is made:
            return [*found, PassingCall(call, 0, passage)]
        made = call


def calls_around(file: MypyFile) -> Mapping[CallExpr, CallExpr]:
    """Maps a call to the call of its result, or to the transform that gets it as the function."""
    return _calls(checked_statements(file))


@lru_cache(maxsize=1)  # mypy checks one file after another
def _calls(file: Statements) -> Mapping[CallExpr, CallExpr]:
    found = {}
    for node in nodes(file.statements):
        if isinstance(node, CallExpr):
            if isinstance(node.callee, CallExpr):
                found[node.callee] = node
            elif name_of(node) in TRANSFORMS and node.args and isinstance(node.args[0], CallExpr):
                found[node.args[0]] = node
    return found


def _is_tracing(call: CallExpr) -> bool:
    """Whether a transform turns every argument into JAX arrays: none of them is static."""
    return name_of(call) in _TRACING and not any(name.startswith("static") for name in keywords(call))


def _static(call: CallExpr) -> frozenset[str | int]:
    """The names and places that `jax.jit(f, static_argnames="n")` writes out; none if others may be static, too."""
    options = [value for name, value in keywords(call).items() if name.startswith("static")]
    written = [item for each in options for item in (each.items if isinstance(each, TupleExpr | ListExpr) else [each])]
    found = frozenset(each.value for each in written if isinstance(each, StrExpr | IntExpr))
    return found if name_of(call) in _TRACING and len(found) == len(written) else frozenset()
