"""`jax.tree.map`, and what passes trees on (`jax.device_put`, `jax.block_until_ready`), to trees of that structure."""

from mypy.plugin import FunctionContext, FunctionSigContext
from mypy.types import FunctionLike, Type

from promo_mypy.plugin import pytrees
from promo_mypy.plugin.arguments import positional
from promo_mypy.plugin.array_types import library_of
from promo_mypy.plugin.called_functions import TransformCall
from promo_mypy.plugin.results import unknown
from promo_mypy.plugin.session import Session
from promo_mypy.plugin.traced_values import as_traced, dtypes_of_leaf, knows_an_array


def close_map(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.tree.map(f, tree, *rest)`: the structure of the first tree, with what `f` returns for its leaves."""
    call = TransformCall.of(ctx, session, "f", "tree")
    if call is None or "is_leaf" in call.given or not any(map(_is_array, pytrees.leaves(call.value("tree")))):
        return ctx.default_signature
    function, trees = call.function("f"), [call.value("tree"), *call.values("rest")]
    rows = [list(pytrees.leaves(tree)) for tree in trees]
    if any(len(leaves) != len(rows[0]) for leaves in rows):
        return ctx.default_signature
    calls = [list(arguments) for arguments in zip(*rows, strict=True)]
    results = [_result(call, arguments) for arguments in calls]
    # A lambda can be checked once, with what all leaves have in common.
    same = all(arguments == calls[0] for arguments in calls)
    expected = function.expected([_seen(call, leaf) if same else unknown() for leaf in calls[0]])
    if not call.knows_an_array(*results):
        return call.closed({"f": expected}, unknown())
    of_leaves = iter(results)
    return call.closed({"f": expected}, pytrees.map_leaves(lambda _: next(of_leaves), trees[0]))


def infer_same(ctx: FunctionContext, session: Session) -> Type:
    """`jax.block_until_ready(tree)` returns what it is given."""
    given = positional(ctx)
    return given[0].type if given and knows_an_array(given[0].type, session) else ctx.default_return_type


def infer_put(ctx: FunctionContext, session: Session) -> Type:
    """`jax.device_put(tree, ...)` makes JAX arrays of all leaves."""
    given = positional(ctx)
    if not given or not knows_an_array(given[0].type, session):
        return ctx.default_return_type
    return as_traced(given[0].type, session, ctx.api)


def _is_array(leaf: Type) -> bool:
    """Whether a leaf is an array, be its dtype known or not: `astype` makes a known one of either."""
    return library_of(leaf) is not None


def _is_leaf(call: TransformCall, typ: Type) -> bool:
    """Whether the function gets a value of the type as it is; any other may be a tree to JAX."""
    return _is_array(typ) or dtypes_of_leaf(typ, call.session, call.api) is not None


def _seen(call: TransformCall, typ: Type) -> Type:
    return typ if _is_leaf(call, typ) else unknown()


def _result(call: TransformCall, arguments: list[Type]) -> Type:
    """What the function returns for one leaf; an object with arrays inside is taken apart, and nothing is known.

    Nor is anything said of a result without dtype: a tree of `True` may well become one of true values and subtrees.
    """
    if any(not _is_leaf(call, each) for each in arguments):
        return unknown()
    result = call.function("f").result(*arguments)
    return result if call.knows_an_array(result) else unknown()
