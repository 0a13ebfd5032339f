"""Infer the leaves of `jax.tree.map`, and of functions that return or flatten a tree."""

from collections.abc import Callable
from typing import Final

from mypy.plugin import FunctionContext, FunctionSigContext
from mypy.types import FunctionLike, Type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.call_checking import function_context
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.called_functions import TransformCall
from promo_mypy.plugin.types.array_types import is_python_number, library_of, numpy_array, read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Operand, Refusal

_HOSTED: Final = frozenset({Library.JAX, Library.NUMPY})


def map_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.tree.map(f, tree, *rest)`: the structure of the first tree, with the results of `f` for its leaves."""
    call = TransformCall.of(ctx, session, "f", "tree")
    if call is None or "is_leaf" in call.given:
        return ctx.default_signature
    function, trees = call.function("f"), [call.value("tree"), *call.values("rest")]
    rows = [list(map(pytrees.present, pytrees.leaves(tree, fields=True))) for tree in trees]
    if not any(map(_is_array, rows[0])) or any(len(leaves) != len(rows[0]) for leaves in rows):
        return ctx.default_signature
    calls = [list(arguments) for arguments in zip(*rows, strict=True)]
    results = [_result(call, arguments) for arguments in calls]
    # mypy checks a lambda once, so its parameters have the type that all leaves have in common.
    same = all(arguments == calls[0] for arguments in calls)
    expected = function.expected([_seen(call, leaf) if same else unknown() for leaf in calls[0]])
    if not call.has_known_array(*results):
        return call.exact_signature({"f": expected}, unknown())
    of_leaves = iter(results)
    return call.exact_signature({"f": expected}, pytrees.map_leaves(lambda _: next(of_leaves), trees[0], fields=True))


def same_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.block_until_ready(tree)` returns its argument."""
    return _exact_signature(ctx, session, "x", lambda _, tree: tree)


def put_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.device_put(tree, ...)` turns all leaves into JAX arrays."""

    def put(call: TransformCall, tree: Type) -> Type:
        return pytrees.map_leaves(call.traced, tree, fields=True)

    return _exact_signature(ctx, session, "x", put)


def infer_from_signature(ctx: FunctionContext, session: Session) -> Type:  # noqa: ARG001 -- features are called alike
    """The result of the exact signature. The registry rows of these functions cover only arrays."""
    return ctx.default_return_type


def get_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.device_get(tree)` turns arrays and scalars of JAX and NumPy into NumPy arrays. Python numbers stay."""

    def on_host(call: TransformCall, tree: Type) -> Type:
        return pytrees.map_leaves(lambda leaf: _on_host(leaf, call), tree, fields=True)

    return _exact_signature(ctx, session, "x", on_host)


def ravel_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`ravel_pytree(tree)`: the leaves in one array, and the function that restores the tree from such an array."""

    def raveled(call: TransformCall, tree: Type) -> Type | None:
        dtypes = [_strong_dtype(leaf, call) for leaf in pytrees.leaves(tree, fields=True)]
        known = [Operand(dtype) for dtype in dtypes if dtype is not None]
        together = call.system.promote(*known) if len(known) == len(dtypes) else None
        if together is None or isinstance(together, Refusal):
            return None
        back = function_context(call.api, [unknown()], tree)
        return call.pair(call.array(frozenset({together})), back)

    return _exact_signature(ctx, session, "pytree", raveled)


def leaves_signature(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """`jax.tree.leaves(tree)`: a list of the arrays in the tree. Together they have the dtypes of all leaves."""

    def listed(call: TransformCall, tree: Type) -> Type | None:
        found = list(map(pytrees.present, pytrees.leaves(tree, fields=True)))
        dtypes = [call.dtypes(leaf) for leaf in found if call.is_array(leaf)]
        known = [each for each in dtypes if each is not None]
        if len(known) < len(found) or "is_leaf" in call.given:
            return None
        return call.api.named_generic_type("builtins.list", [call.array(frozenset().union(*known))])

    return _exact_signature(ctx, session, "tree", listed)


def _exact_signature(
    ctx: FunctionSigContext, session: Session, parameter: str, result_of: Callable[[TransformCall, Type], Type | None]
) -> FunctionLike:
    """The exact signature for the tree in the call; the library's own if no leaf has a known dtype."""
    call = TransformCall.of(ctx, session, parameter)
    tree = call.value(parameter) if call is not None else None
    if call is None or tree is None or not call.has_known_array(tree):
        return ctx.default_signature
    result = result_of(call, tree)
    return call.exact_signature({}, result) if result is not None else ctx.default_signature


def _on_host(leaf: Type, call: TransformCall) -> Type:
    if is_python_number(leaf):
        return leaf
    values = read(leaf, call.session.platform) or ()
    dtypes = frozenset(dtype.strong for value in values for dtype in value.dtypes if issubclass(dtype, dt.Shaped))
    array = call.session.symbols.instance(names.NUMPY_ARRAY)
    if array is None or not values or any(value.library not in _HOSTED for value in values):
        return unknown()
    return numpy_array(array, dtypes, call.session.symbols, keep_shape=False) or unknown()


def _strong_dtype(leaf: Type, call: TransformCall) -> type[dt.Shaped] | None:
    """The strong dtype of a JAX array; None if it is unknown or weak, as a weak array may come back strong."""
    dtypes = call.dtypes(leaf) if call.is_array(leaf) else None
    known = next(iter(dtypes)) if dtypes and len(dtypes) == 1 else None
    return known if known is not None and not known.weak else None


def _is_array(leaf: Type) -> bool:
    """Whether a leaf is an array, of known or unknown dtype: `astype` gives both a known one."""
    return library_of(leaf) is not None


def _is_leaf(call: TransformCall, typ: Type) -> bool:
    """Whether JAX passes a value of the type to the function as it is. Any other value may be a tree to JAX."""
    return _is_array(typ) or call.dtypes(typ) is not None


def _seen(call: TransformCall, typ: Type) -> Type:
    return typ if _is_leaf(call, typ) else unknown()


def _result(call: TransformCall, arguments: list[Type]) -> Type:
    """What the function returns for one leaf; unknown for an object with arrays inside, which JAX takes apart.

    A result without a dtype is unknown, too: a tree of `True` may become a tree of truth values and subtrees.
    """
    if any(not _is_leaf(call, each) for each in arguments):
        return unknown()
    result = call.function("f").result(*arguments)
    return result if call.has_known_array(result) else unknown()
