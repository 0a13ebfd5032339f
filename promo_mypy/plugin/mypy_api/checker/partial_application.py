"""Call mypy's own plugin for `functools.partial`: outside its public surface, like `type_checker`.

- `stock_call`: mypy calls only the first plugin with a hook for a name (python/mypy#8331), and this plugin comes first
  for `functools.partial.__call__`. Calls that do not concern it go to mypy's plugin.
  (tests/plugin/transforms/partials.py) `stock_object` is the same for the creation of a partial object.
- `applied`: mypy keeps the signature of a partially applied function in an attribute of the instance.
- `of_function`: such an instance for a function that is called unchanged.
- `signature_of`: the signature of a function, a partial object, or an object with `__call__`.
"""

from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.plugins.functools import partial_call_callback, partial_new_callback
from mypy.subtypes import find_member
from mypy.types import CallableType, FunctionLike, Instance, ProperType, Type, get_proper_type

from promo_mypy.plugin import names

_SIGNATURE = "__mypy_partial"


def stock_call(ctx: MethodContext) -> Type:
    """mypy's own type for the call of a partial object."""
    return partial_call_callback(ctx)


def stock_object(ctx: FunctionContext) -> ProperType:
    """mypy's own type for a new partial object."""
    return get_proper_type(partial_new_callback(ctx))


def of_function(function: CallableType, api: CheckerPluginInterface) -> Instance:
    """A partial object that passes all its arguments to the function."""
    partial = api.named_generic_type(names.FUNCTOOLS_PARTIAL, [function.ret_type])
    return partial.copy_with_extra_attr(_SIGNATURE, function)


def signature_of(function: Type) -> FunctionLike | None:
    """The signature with which a value is called; None for classes, and for values that cannot be called."""
    proper = get_proper_type(function)
    if isinstance(proper, Instance):
        left = applied(proper)
        if left is not None:
            # A partially applied function can be called like any function.
            return left.copy_modified(special_sig=None)
        proper = get_proper_type(find_member("__call__", proper, proper, is_operator=True) or proper)
    return proper if isinstance(proper, FunctionLike) and not proper.is_type_obj() else None


def applied(partial: Instance) -> CallableType | None:
    """The remaining signature of a partial object; None if mypy does not know it."""
    if partial.extra_attrs is None:
        return None
    signature = partial.extra_attrs.attrs.get(_SIGNATURE)
    proper = get_proper_type(signature) if signature is not None else None
    return proper if isinstance(proper, CallableType) else None
