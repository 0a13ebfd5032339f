"""Read the function and the options of a call of a transform, direct or through `functools.partial`.

To mypy a partial object of a transform is an instance of `functools.partial`. The plugin stores the options in that
instance, as mypy does with its own note about partially applied functions.
"""

from collections.abc import Callable, Mapping
from typing import Final

from mypy.nodes import RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import (
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    TupleType,
    Type,
    get_proper_type,
)

from promo_mypy.plugin.calls.arguments.traced_values import (
    accepting_numbers,
    accepting_numpy_arrays,
    traced_parameters,
)
from promo_mypy.plugin.mypy_api.arguments import CallContext, arguments, for_parameter, positional
from promo_mypy.plugin.mypy_api.checker import partial_application
from promo_mypy.plugin.mypy_api.overloads import of_signatures
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms.passed_functions import as_called
from promo_mypy.plugin.types.literal_values import flag, literal_value
from promo_mypy.rules.records import record

#: The attribute of a partial object for the name of the transform, and the prefix of the attributes for its options.
_TRANSFORM: Final = "__promo_transform"
_OPTION: Final = "__promo_option_"


@record
class Application:
    """A transform applied to a function; `options` are the types of its other arguments by parameter."""

    function: FunctionLike
    options: Mapping[str, Type]
    session: Session
    api: CheckerPluginInterface

    def flag(self, parameter: str) -> bool | None:
        """The value of an option that is off by default; None if the value is unknown."""
        return flag(self.options.get(parameter))

    def positions(self, parameter: str = "argnums") -> int | tuple[int, ...] | None:
        """The value of an option that names one or several positions, the first by default; None if unknown."""
        if parameter not in self.options:
            return 0
        given = get_proper_type(self.options[parameter])
        if isinstance(given, TupleType):
            items = [literal_value(item) for item in given.items]
            known = [item for item in items if type(item) is int]
            return tuple(known) if len(known) == len(items) else None
        found = literal_value(given)
        return found if type(found) is int else None

    def with_results(self, result_of: Callable[[CallableType], Type]) -> Type:
        """The function with another result type for each of its signatures."""
        # A transform returns a plain function, whatever callable it gets.
        plain = self.api.named_generic_type("builtins.function", [])
        items = [
            accepting_numbers(item, self.session).copy_modified(ret_type=result_of(item), fallback=plain)
            for item in self.function.items
        ]
        return of_signatures(items)


#: Computes the type of the function that a transform returns; None keeps the library's own type.
Transform = Callable[[Application], Type | None]


def infer(ctx: FunctionContext, session: Session, transform: Transform, name: str, *, later: bool = False) -> Type:
    """Infer `transform(f, ...)`. With `later`, the function may also come in a later call: `transform(...)(f)`."""
    given = positional(ctx)
    if given is None:
        return ctx.default_return_type
    options = {option: typ for option in ctx.callee_arg_names if option and (typ := _given(ctx, option)) is not None}
    if given:
        function = as_called(given[0].type, ctx, given[0].expression, session)
        return _applied(function, transform, name, options, ctx.default_return_type, session, ctx.api)
    decorator = get_proper_type(ctx.default_return_type)
    if not later or not isinstance(decorator, CallableType):
        return ctx.default_return_type
    return _noted(partial_application.of_function(decorator, ctx.api), name, options, ctx)


def infer_partial(ctx: FunctionContext, session: Session, transforms: Mapping[str, Transform]) -> Type:  # noqa: ARG001 -- features are called alike
    """Infer `functools.partial(transform, ...)`: mypy's own type, with the options stored in it."""
    found = partial_application.stock_object(ctx)
    given = next(arguments(ctx), None)
    name = given.expression.fullname if given is not None and isinstance(given.expression, RefExpr) else None
    if name is None or name not in transforms or len(positional(ctx) or ()) != 1 or not isinstance(found, Instance):
        return found
    keywords = {argument.keyword: argument.type for argument in arguments(ctx) if argument.keyword is not None}
    return _noted(found, name, keywords, ctx)


def infer_partial_call(ctx: MethodContext, session: Session, transforms: Mapping[str, Transform]) -> Type | None:
    """The call of a partial object of a transform; None for other partial objects."""
    receiver = ctx.type
    attributes = receiver.extra_attrs.attrs if isinstance(receiver, Instance) and receiver.extra_attrs else {}
    name = literal_value(attributes[_TRANSFORM]) if _TRANSFORM in attributes else None
    if not isinstance(name, str):
        return None
    given = positional(ctx)
    if not given:
        return None
    options = {key.removeprefix(_OPTION): typ for key, typ in attributes.items() if key.startswith(_OPTION)}
    default = partial_application.stock_call(ctx)
    return _applied(given[0].type, transforms[name], name, options, default, session, ctx.api)


def _applied(
    function: Type,
    transform: Transform,
    name: str,
    options: Mapping[str, Type],
    default: Type,
    session: Session,
    api: CheckerPluginInterface,
) -> Type:
    signature = partial_application.signature_of(function)
    if session.watch.leaves_alone(api) or signature is None or not session.mentions_dtype(signature):
        return default
    items = [item.copy_modified(arg_types=traced_parameters(item)) for item in signature.items]
    function = of_signatures(items)
    found = get_proper_type(transform(Application(function, options, session, api)))
    if not isinstance(found, FunctionLike) or not name.startswith("jax."):
        # mypy infers Equinox's parameters from those of the function, and back.
        return found or default
    return of_signatures([accepting_numpy_arrays(item, session, api) for item in found.items])


def _noted(partial: Instance, name: str, options: Mapping[str, Type], ctx: FunctionContext) -> Type:
    noted = partial.copy_with_extra_attr(_TRANSFORM, LiteralType(name, ctx.api.named_generic_type("builtins.str", [])))
    for option, typ in options.items():
        noted = noted.copy_with_extra_attr(_OPTION + option, typ)
    return noted


def _given(ctx: CallContext, parameter: str) -> Type | None:
    argument = for_parameter(ctx, parameter)
    return argument.type if argument is not None else None
