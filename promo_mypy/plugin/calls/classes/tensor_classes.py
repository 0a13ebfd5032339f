"""Infer calls of PyTorch's tensor classes: `torch.Tensor(data)`, `torch.LongTensor(data)`.

A class with a dtype in its name rejects a tensor of another dtype, and converts anything else. `torch.Tensor` keeps the
dtype of a tensor, and converts anything else to the default dtype. Source: running PyTorch 2.13.
"""

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import argument_of, library_of, read, shaped_dtypes
from promo_mypy.plugin.types.tensor_subclasses import OF_ONE_DTYPE
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.wording.reasons import spelled

with late():
    from promo_mypy.plugin.calls.reports import rejected_calls


def infer_tensor(ctx: FunctionContext, session: Session) -> Type:
    """`torch.Tensor(...)`: the tensor's own dtype, or the default."""
    declared = get_proper_type(ctx.default_return_type)
    given = list(arguments(ctx))
    if not isinstance(declared, Instance):
        return ctx.default_return_type
    sizes = [argument for argument in given if argument.keyword is None and not argument.is_star]
    if len(sizes) > 1:  # several arguments are sizes
        return _made(declared, frozenset({_default(ctx, session)}), session)
    parts = [member for argument in given[:1] for member in members(argument.type)]
    if any(argument.is_star for argument in given) or any(isinstance(part, AnyType) for part in parts):
        return ctx.default_return_type
    tensors = [part for part in parts if library_of(part) is Library.TORCH]
    if tensors:
        values = read(given[0].type, session.platform) if len(tensors) == len(parts) else None
        if values is None:
            return ctx.default_return_type
        dtypes = shaped_dtypes(values)
    else:
        dtypes = frozenset({_default(ctx, session)})
    return _made(declared, dtypes, session)


def _default(ctx: FunctionContext, session: Session) -> type[dt.Shaped]:
    return dt.parse(session.options(ctx.api).torch_default_dtype)


def _made(declared: Instance, dtypes: frozenset[type[dt.Shaped]], session: Session) -> Type:
    return declared.copy_modified(args=[argument_of(dtypes, session.symbols), *declared.args[1:]])


def check(ctx: FunctionContext, session: Session) -> Type:
    """`torch.LongTensor(x)` of a tensor of another dtype raises TypeError."""
    given, made = list(arguments(ctx)), get_proper_type(ctx.default_return_type)
    if session.watch.leaves_alone(ctx.api) or not given or not isinstance(made, Instance):
        return ctx.default_return_type
    wanted = OF_ONE_DTYPE.get(made.type.fullname)
    values = read(given[0].type, session.platform)
    if wanted is None or values is None or any(value.library is not Library.TORCH for value in values):
        return ctx.default_return_type
    dtypes = [dtype for value in values for dtype in value.dtypes]
    if wanted not in dtypes:
        system, name = session.own_system(Library.TORCH, ctx.api), f"torch.{made.type.name}"
        reason = f"{name} takes no tensor of another dtype than {wanted.name}"
        remedy = f"cast the tensor with {system.dialect.cast(wanted)}"
        rejected_calls.report_call(f"{name}({spelled(dtypes[0])})", system, reason, remedy, ctx.context, ctx.api)
    return ctx.default_return_type
