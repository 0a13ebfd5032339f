"""Infer the derivative of a function of known dtypes (`jax.grad`, `eqx.filter_grad`, `torch.func.grad` ...).

A gradient has the type of the argument. It is unknown unless the argument is an array of a known inexact dtype, or an
object of a user's class: JAX turns Python numbers and NumPy arrays into JAX arrays, and the gradient of an integer has
the dtype float0.
"""

from collections.abc import Callable
from dataclasses import replace

from mypy.nodes import ARG_OPT, ARG_POS
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.applied_transforms import Application
from promo_mypy.plugin.types.array_ranks import without_rank
from promo_mypy.plugin.types.array_types import Value, read, with_dtypes
from promo_mypy.rules import dtypes as dt

_DIFFERENTIABLE = frozenset({Library.JAX, Library.TORCH})


def keep_signature(call: Application) -> Type | None:
    """A transform that changes only how the function runs."""
    return call.with_results(lambda item: item.ret_type)


def keep_dtypes(call: Application) -> Type | None:
    """PyTorch's `vmap`: inside the function the tensors have fewer dimensions than outside."""

    def without_ranks(tree: Type) -> Type:
        return pytrees.map_leaves(without_rank, tree)

    items = [item.copy_modified(arg_types=list(map(without_ranks, item.arg_types))) for item in call.function.items]
    opened = of_signatures(items)
    return replace(call, function=opened).with_results(lambda item: without_ranks(item.ret_type))


def grad(call: Application) -> Type | None:
    """The gradient; with `has_aux` also the auxiliary data that the function returns."""
    auxiliary = call.flag("has_aux")
    if auxiliary is None:
        return None

    def result(item: CallableType) -> Type:
        gradient = _gradient(item, call)
        return _tuple(call, gradient, pytrees.two_of(item.ret_type)[1]) if auxiliary else gradient

    return call.with_results(result)


def value_and_grad(call: Application) -> Type | None:
    """What the function returns (the value, or a pair with `has_aux`), and the gradient."""
    return call.with_results(lambda item: _tuple(call, item.ret_type, _gradient(item, call)))


def grad_and_value(call: Application) -> Type | None:
    """The gradient and what the function returns, in PyTorch's order."""
    return call.with_results(lambda item: _tuple(call, _gradient(item, call), item.ret_type))


def jacfwd(call: Application) -> Type | None:
    """A Jacobian, computed column by column: in the dtype of what the function returns."""
    return _jacobian(call, lambda output, _: output)


def jacrev(call: Application) -> Type | None:
    """A Jacobian, computed row by row, or a Hessian: in the dtype of the argument."""
    return _jacobian(call, lambda _, argument: argument)


def _jacobian(call: Application, choose: Callable[[Type, Type], Type]) -> Type | None:
    auxiliary = call.flag("has_aux")
    position = call.positions()
    if auxiliary is None or not isinstance(position, int):
        return None

    def result(item: CallableType) -> Type:
        value, aux = pytrees.two_of(item.ret_type) if auxiliary else (item.ret_type, None)
        argument = _differentiable(_argument(item, position), call.session)
        output = _differentiable(value, call.session)
        # A Jacobian has the dimensions of both, so neither rank is right.
        jacobian = unknown() if argument is None or output is None else without_rank(choose(output, argument))
        return jacobian if aux is None else _tuple(call, jacobian, aux)

    return call.with_results(result)


def _gradient(item: CallableType, call: Application) -> Type:
    positions = call.positions()
    if positions is None:
        return unknown()
    if isinstance(positions, int):
        return of_tree(_argument(item, positions), call.session)
    return _tuple(call, *(of_tree(_argument(item, position), call.session) for position in positions))


def _argument(item: CallableType, position: int) -> Type:
    """The type of a positional parameter."""
    if not 0 <= position < len(item.arg_types) or item.arg_kinds[position] not in (ARG_POS, ARG_OPT):
        return unknown()
    return item.arg_types[position]


def of_tree(argument: Type, session: Session) -> Type:
    """The type of a gradient for a tree of that type; unknown for a leaf whose gradient has another type."""
    return pytrees.map_leaves(lambda leaf: _of_leaf(leaf, session), argument)


def tangent_of_tree(value: Type, session: Session) -> Type:
    """The type of a tangent or cotangent. It differs from a gradient for integers: they have a tangent of float0."""
    return pytrees.map_leaves(lambda leaf: _tangent_of_leaf(leaf, session), value)


def _tangent_of_leaf(leaf: Type, session: Session) -> Type:
    values = read(leaf, session.platform) or ()
    is_inexact = all(issubclass(dtype, dt.Inexact) for value in values for dtype in value.dtypes)
    return _of_leaf(leaf, session) if is_inexact else unknown()


def _of_leaf(leaf: Type, session: Session) -> Type:
    if read(leaf, session.platform) is not None:
        return _differentiable(leaf, session) or unknown()
    if isinstance(get_proper_type(leaf), TupleType):
        # The fields of a NamedTuple are taken apart once: a recursive one has itself among its fields.
        return pytrees.map_leaves(lambda field: _of_field(field, session), leaf, fields=True)
    # An object with arrays in its fields: its gradient is an object of the same class.
    return leaf if isinstance(get_proper_type(leaf), Instance) and session.mentions_dtype(leaf) else unknown()


def _of_field(leaf: Type, session: Session) -> Type:
    return unknown() if isinstance(get_proper_type(leaf), TupleType) else _of_leaf(leaf, session)


def _differentiable(leaf: Type, session: Session) -> Type | None:
    """The array with its differentiable dtypes; None if it has none, or is not such an array."""
    values = read(leaf, session.platform)
    if values is None or len(values) != 1 or values[0].library not in _DIFFERENTIABLE:
        return None
    value: Value = values[0]
    inexact = frozenset(dtype for dtype in value.dtypes if issubclass(dtype, dt.Inexact))
    return with_dtypes(value.source, inexact, value.rank, session.symbols) if inexact else None


def _tuple(call: Application, *items: Type) -> Type:
    return pytrees.tuple_of(items, call.api)
