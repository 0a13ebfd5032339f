"""Infer calls of `torch.nn` modules.

PyTorch declares that the call of a module returns Any. A user's module gets the signature of its `forward`, if that has
dtypes. The result of PyTorch's own layers is in `promo_mypy.rules.functions.torch.layers`.
"""

from typing import Final

from mypy import errorcodes
from mypy.nodes import ARG_NAMED, CallExpr, Context, MemberExpr, NameExpr, TempNode, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext, MethodSigContext
from mypy.types import FunctionLike, Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.autocast import has_autocast, low_dtype
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.calls.reports.rejected_calls import report_rejected
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.calls.stored_modules import modules_of
from promo_mypy.plugin.layers import layer_calls
from promo_mypy.plugin.layers.layer_calls import is_of_torch, layer_class
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument, arguments, formals
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.call_checking import bound_method, errors_of_call
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.torch_module_uses import file_modules, has_subclass
from promo_mypy.plugin.trees.written_arguments import argument, has_stars
from promo_mypy.plugin.types.array_types import as_array, read
from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.torch.layers import LOSSES, Loss
from promo_mypy.rules.functions.torch.regions import in_region

#: The row of `requires_grad_`: a new parameter requires a gradient unless the call says otherwise.
_REQUIRING: Final = library("torch").methods["requires_grad_"]


def call_signature(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """Give `module(x)` the signature of `forward`, if the user's class declares dtypes there.

    PyTorch's types accept any arguments. So an error that is not about a dtype must not appear.
    """
    if not isinstance(ctx.type, Instance) or is_of_torch(ctx.type.type):
        return ctx.default_signature
    forward = bound_method(ctx.api, ctx.type, "forward", ctx.context)
    if forward is None or not session.mentions_dtype(forward) or not isinstance(ctx.context, CallExpr):
        return ctx.default_signature
    errors = errors_of_call(ctx.api, forward, ctx.context)
    return (
        forward
        if all(error.severity == "note" or _is_about_dtype(error, forward, ctx.context, session) for error in errors)
        else ctx.default_signature
    )


def _is_about_dtype(error: ErrorInfo, forward: FunctionLike, call: CallExpr, session: Session) -> bool:
    """Whether an error is about an argument for which a dtype is declared."""
    given = [place for place, each in enumerate(call.args) if (each.line, each.column) == (error.line, error.column)]
    declared = (typ for place in given for item in forward.items for typ in formals(item, call, place))
    return error.code is errorcodes.ARG_TYPE and any(map(session.mentions_dtype, declared))


def infer_call(ctx: MethodContext, session: Session, bodies: CalledBodies) -> Type:
    """`layer(x)` of a layer or container of PyTorch, `loss(x, target)`, and the call of a user's module."""
    given = list(arguments(ctx))
    if session.watch.leaves_alone(ctx.api) or not isinstance(ctx.type, Instance) or not given:
        return ctx.default_return_type
    if not is_of_torch(ctx.type.type):
        return _of_body(ctx.type.type, ctx, session, bodies) or ctx.default_return_type
    if given[0].keyword not in (None, "input") or any(argument.is_star for argument in given):
        return ctx.default_return_type
    cls = layer_class(ctx.type.type)
    found: Type | None = None
    if cls is not None and cls in LOSSES:
        found = _of_loss(cls, given, ctx, session)
    elif cls is not None:
        found = layer_calls.layer_result(cls, given, layer_calls.called_state(ctx, session), ctx, session)
    elif ctx.type.type.has_base(names.TORCH_SEQUENTIAL) and len(given) == 1:
        state = layer_calls.called_state(ctx, session)
        found = layer_calls.through_all(modules_of(ctx.type), given[0].type, state, ctx, session)
    return ctx.default_return_type if found is None else found


def _of_body(cls: TypeInfo, ctx: MethodContext, session: Session, bodies: CalledBodies) -> Type | None:
    """What the `forward` of a user's module returns for these arguments; None if another one may run."""
    file = type_checker.tree(ctx.api)
    symbol = cls.get("forward")
    forward = symbol.node if symbol is not None else None
    if session.mentions_dtype(ctx.default_return_type) or not has_body(forward, file):
        return None
    if cls not in file_modules(file).made or has_subclass(cls, file):
        return None
    return bodies.infer_forward(ctx, forward)


def infer_parameter(ctx: FunctionContext, session: Session) -> Type:
    """`nn.Parameter(data)` has the dtype of the data. An integer cannot require a gradient.

    The dtype of an attribute is unknown if the file casts whole modules.
    """
    made, given = get_proper_type(ctx.default_return_type), list(arguments(ctx))
    if not given or given[0].is_star or given[0].keyword not in (None, "data"):
        return ctx.default_return_type
    values = read(given[0].type, session.platform)
    if not isinstance(made, Instance) or values is None or len(values) != 1 or values[0].library is not Library.TORCH:
        return ctx.default_return_type
    if not given[1:]:
        found = answers_of(_REQUIRING, [], given[0].type, session, ctx.api)
        if found is not None and found.refusal is not None:
            report_rejected(found.refusal, "torch.nn.Parameter", ctx.context, ctx.api)
    if file_modules(type_checker.tree(ctx.api)).casts_made and _is_attribute(ctx.context, ctx.api):
        return ctx.default_return_type
    return made.copy_modified(args=as_array(values[0].source, names.TORCH_TENSOR).args)


def _is_attribute(made: Context, api: CheckerPluginInterface) -> bool:
    """Whether an attribute is bound to what is made."""
    statements = definitions(type_checker.tree(api)).statements
    bound = (definition for site in statements for definition in site.definitions)
    return any(isinstance(each.target, MemberExpr) and each.value is made for each in bound)


def _of_loss(name: str, given: list[Argument], ctx: MethodContext, session: Session) -> Type | None:
    loss = LOSSES[name]
    row = library("torch").functions[f"nn.functional.{loss.function}"]
    if has_autocast(ctx.context, ctx.api):
        low = low_dtype(ctx.context, ctx.api)
        inside = None if low is None else in_region(row, low)
        if inside is None:
            return None
        row = inside
    weight = _weight_of(ctx.context, loss, ctx.api)
    found = answers_of(row, [*given, *([] if weight is None else [weight])], None, session, ctx.api)
    if found is None:
        return None
    if found.refusal is not None:
        report_rejected(found.refusal, f"torch.nn.{name}", ctx.context, ctx.api)
        return None
    # The rule of the module knows whether the result is a number.
    return typed(found.answers, ctx.default_return_type, Library.TORCH, session, scalar=None)


def _weight_of(call: Context, loss: Loss, api: CheckerPluginInterface) -> Argument | None:
    """The weight of a loss that is made where it is called, or that is the only value of a name.

    The weight of any other loss is unknown. The result is None for a loss without a weight that matters.
    """
    made = call.callee if isinstance(call, CallExpr) else None
    if isinstance(made, NameExpr) and isinstance(made.node, Var):
        values = definitions(type_checker.tree(api)).values(made.node) or ()
        made = values[0] if len(values) == 1 else None
    if isinstance(made, CallExpr) and not has_stars(made):
        value = argument(made, "weight", loss.weight)
        return Argument("weight", ARG_NAMED, value, type_checker.quiet_type(api, value)) if value is not None else None
    return Argument("weight", ARG_NAMED, TempNode(unknown()), unknown()) if loss.weight is not None else None
