"""Infer calls of `torch.nn` modules.

PyTorch declares that the call of a module returns Any. A user's module gets the signature of its `forward`, if that has
dtypes. The result of PyTorch's own layers is in `promo_mypy.rules.functions.torch.layers`. The types of containers
store the modules that they were created with, so that the dtype of a tensor is known through them. Modules that are
added later are ignored.
"""

from typing import Final

from mypy import errorcodes
from mypy.nodes import ARG_NAMED, CallExpr, TempNode, TypeInfo
from mypy.plugin import FunctionContext, MethodContext, MethodSigContext
from mypy.types import FunctionLike, Instance, LiteralType, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.pytrees import tuple_of
from promo_mypy.plugin.calls.autocast import has_autocast
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument, arguments, positional
from promo_mypy.plugin.mypy_api.call_checking import bound_method, errors_of_call, item_types, result_of_value
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import marked_messages
from promo_mypy.plugin.types.array_types import as_array, read, with_dtypes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.torch.layers import LAYERS, LOSSES, Layer, Loss, Parts
from promo_mypy.rules.ranks import UNKNOWN_RANK

#: The attribute in which the type of a container stores the types of its modules.
_MODULES: Final = "__promo_modules"


def close_call(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """Give `module(x)` the signature of `forward`, if the user's class declares dtypes there.

    PyTorch's types accept any arguments. So an error that is not about a dtype must not appear.
    """
    if not isinstance(ctx.type, Instance) or _is_of_torch(ctx.type.type):
        return ctx.default_signature
    forward = bound_method(ctx.api, ctx.type, "forward", ctx.context)
    if forward is None or not session.mentions_dtype(forward) or not isinstance(ctx.context, CallExpr):
        return ctx.default_signature
    errors = errors_of_call(ctx.api, forward, ctx.context)
    return (
        forward
        if all(error.severity == "note" or _is_about_dtype(error) for error in errors)
        else ctx.default_signature
    )


def _is_about_dtype(error: ErrorInfo) -> bool:
    return error.code is errorcodes.ARG_TYPE and marked_messages.wants_dtype(error.message)


def infer_call(ctx: MethodContext, session: Session) -> Type:
    """`layer(x)` of a layer or container of PyTorch, and `loss(x, target)`."""
    given = list(arguments(ctx))
    if not isinstance(ctx.type, Instance) or not given or not _is_of_torch(ctx.type.type):
        return ctx.default_return_type
    if given[0].keyword not in (None, "input") or any(argument.is_star for argument in given):
        return ctx.default_return_type
    cls = next((cls.name for cls in ctx.type.type.mro if _is_layer(cls)), None)
    found: Type | None = None
    if cls is not None and not has_autocast(ctx.context, ctx.api):
        found = (
            _of_loss(LOSSES[cls], given, ctx, session) if cls in LOSSES else _of_layer(LAYERS[cls], given, ctx, session)
        )
    elif ctx.type.type.has_base(names.TORCH_SEQUENTIAL) and len(given) == 1:
        found = _through_all(ctx.type, given[0].type, ctx, session)
    return ctx.default_return_type if found is None else found


def remember_modules(ctx: FunctionContext, session: Session) -> Type:  # noqa: ARG001 -- features are called alike
    """`nn.Sequential(a, b)` and `nn.ModuleList([a, b])`: store the types of the modules."""
    container, given = get_proper_type(ctx.default_return_type), positional(ctx)
    if not isinstance(container, Instance) or not given:
        return ctx.default_return_type
    types = [argument.type for argument in given]
    if container.type.fullname == names.TORCH_MODULE_LIST:
        types = item_types(given[0].expression, ctx.api)
    if not types or not all(map(_is_module, types)):
        return container
    return container.copy_with_extra_attr(_MODULES, tuple_of(types, ctx.api))


def infer_item(ctx: MethodContext, session: Session) -> Type:
    """`modules[i]` of a container with stored modules."""
    modules, given, declared = _modules(ctx.type), positional(ctx), get_proper_type(ctx.default_return_type)
    if not modules or not given or not isinstance(declared, Instance) or declared.type.fullname != names.TORCH_MODULE:
        return ctx.default_return_type
    if all(module == modules[0] for module in modules):
        return _if_followed(modules[0], ctx, session)
    index = get_proper_type(given[0].type)
    known = index.last_known_value if isinstance(index, Instance) else index
    number = known.value if isinstance(known, LiteralType) else None
    # A negative index may be a module that was added later.
    if type(number) is int and 0 <= number < len(modules):
        return _if_followed(modules[number], ctx, session)
    return ctx.default_return_type


def infer_iterator(ctx: MethodContext, session: Session) -> Type:
    """`for module in modules`, if all modules have the same type."""
    modules, declared = _modules(ctx.type), get_proper_type(ctx.default_return_type)
    if not modules or any(module != modules[0] for module in modules) or not isinstance(declared, Instance):
        return ctx.default_return_type
    item = _if_followed(modules[0], ctx, session)
    return declared.copy_modified(args=[item]) if item is modules[0] else declared


def infer_parameter(ctx: FunctionContext, session: Session) -> Type:
    """`nn.Parameter(data)` has the dtype of the data."""
    made, given = get_proper_type(ctx.default_return_type), positional(ctx)
    values = read(given[0].type, session.platform) if given else None
    if not isinstance(made, Instance) or values is None or len(values) != 1 or values[0].library is not Library.TORCH:
        return ctx.default_return_type
    return made.copy_modified(args=as_array(values[0].source, names.TORCH_TENSOR).args[:1])


def _of_loss(loss: Loss, given: list[Argument], ctx: MethodContext, session: Session) -> Type | None:
    row = library("torch").functions[f"nn.functional.{loss.function}"]
    weights = [Argument("weight", ARG_NAMED, TempNode(unknown()), unknown())] if loss.weighted else []
    found = answers_of(row, [*given, *weights], None, session, ctx.api)
    if found is None or found.refusal is not None:
        return None
    # The rule of the module knows whether the result is a number.
    return typed(found.answers, ctx.default_return_type, Library.TORCH, session, scalar=None)


def _of_layer(layer: Layer, given: list[Argument], ctx: MethodContext, session: Session) -> Type | None:
    values = read(given[0].type, session.platform)
    if values is None or len(values) != 1 or values[0].library is not Library.TORCH or (given[1:] and not layer.more):
        return None
    tensor = session.symbols.instance(names.TORCH_TENSOR)
    default = dt.parse(session.options(ctx.api).torch_default_dtype)
    dtypes = frozenset(layer.result(dtype, default) for dtype in values[0].dtypes if issubclass(dtype, dt.Shaped))
    rank = UNKNOWN_RANK if layer.reshaping else values[0].rank
    result = with_dtypes(tensor, dtypes, rank, session.symbols) if tensor is not None else None
    return _with_parts(result, layer.parts, ctx) if result is not None and layer.parts else result


def _with_parts(tensor: Type, parts: Parts, ctx: MethodContext) -> Type:
    items = (
        _with_parts(tensor, part, ctx) if isinstance(part, tuple) else tensor if part else unknown() for part in parts
    )
    return tuple_of(list(items), ctx.api)


def _through_all(container: Instance, given: Type, ctx: MethodContext, session: Session) -> Type | None:
    modules, value = _modules(container), given
    if not modules:
        return None
    for module in modules:
        value = result_of_value(ctx.api, module, [value], ctx.context)
    return value if session.mentions_dtype(value) else None


def _if_followed(module: Type, ctx: MethodContext, session: Session) -> Type:
    """The type of a module whose call has a known dtype; the declared type for any other module."""
    proper = get_proper_type(module)
    if isinstance(proper, Instance):
        forward = bound_method(ctx.api, proper, "forward", ctx.context)
        followed = forward is not None and session.mentions_dtype(forward)
        if followed or any(_is_layer(cls) for cls in proper.type.mro) or _modules(proper):
            return module
    return ctx.default_return_type


def _modules(container: Type) -> list[Type]:
    proper = get_proper_type(container)
    noted = proper.extra_attrs.attrs.get(_MODULES) if isinstance(proper, Instance) and proper.extra_attrs else None
    modules = get_proper_type(noted) if noted is not None else None
    return list(modules.items) if isinstance(modules, TupleType) else []


def _is_of_torch(cls: TypeInfo) -> bool:
    """Whether the `forward` of a class is PyTorch's own."""
    definer = cls.get_containing_type_info("forward")
    return definer is not None and definer.module_name.startswith(names.TORCH_MODULES)


def _is_layer(cls: TypeInfo) -> bool:
    return (cls.name in LAYERS or cls.name in LOSSES) and cls.module_name.startswith(names.TORCH_MODULES)


def _is_module(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.has_base(names.TORCH_MODULE)
