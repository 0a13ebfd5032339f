"""mypy's own treatment of `functools.partial`, which is a plugin of mypy's: outside its public surface, like
`mypy_internals`.

- `stock_call`: only the first plugin with a hook for a name is asked (python/mypy#8331), and ours comes first for
  `functools.partial.__call__`. What is not ours goes on to mypy's. (tests/plugin/transforms/partials.py)
- `applied`: mypy keeps the signature of a partially applied function in an attribute of the instance.
"""

from mypy.plugin import MethodContext
from mypy.plugins.functools import partial_call_callback
from mypy.types import CallableType, Instance, Type, get_proper_type


def stock_call(ctx: MethodContext) -> Type:
    """What mypy makes of calling a partial object."""
    return partial_call_callback(ctx)


def applied(partial: Instance) -> CallableType | None:
    """The signature that a partial object has left, where mypy knows it."""
    if partial.extra_attrs is None:
        return None
    signature = partial.extra_attrs.attrs.get("__mypy_partial")
    proper = get_proper_type(signature) if signature is not None else None
    return proper if isinstance(proper, CallableType) else None
