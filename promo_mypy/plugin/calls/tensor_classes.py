"""Infer calls of PyTorch's tensor classes: `torch.Tensor(data)`, `torch.LongTensor(data)`.

A class with a dtype in its name rejects a tensor of another dtype, and converts anything else. `torch.Tensor` keeps the
dtype of a tensor, and converts anything else to the default dtype. Source: running PyTorch 2.13.
"""

from typing import Final

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.registry_reports import report_rejected
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import argument_of, library_of, read
from promo_mypy.plugin.types.union_members import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import TORCH_CLASSES
from promo_mypy.rules.operands import Operand, Refusal

_DTYPES: Final = {f"torch._C.{name}": dtype for name, dtype in TORCH_CLASSES.items()}


def infer_tensor(ctx: FunctionContext, session: Session) -> Type:
    """`torch.Tensor(...)`: the tensor's own dtype, or the default."""
    declared = get_proper_type(ctx.default_return_type)
    given = list(arguments(ctx))
    if not isinstance(declared, Instance) or any(argument.is_star for argument in given):
        return ctx.default_return_type
    parts = [get_proper_type(member) for argument in given[:1] for member in members(argument.type)]
    if any(isinstance(part, AnyType) for part in parts):
        return ctx.default_return_type
    tensors = [part for part in parts if library_of(part) is Library.TORCH]
    if tensors:
        values = read(given[0].type, session.platform) if len(tensors) == len(parts) else None
        if values is None:
            return ctx.default_return_type
        dtypes = frozenset(dtype for value in values for dtype in value.dtypes if issubclass(dtype, dt.Shaped))
    else:
        dtypes = frozenset({dt.parse(session.options(ctx.api).torch_default_dtype)})
    return declared.copy_modified(args=[argument_of(dtypes, session.symbols), *declared.args[1:]])


def check(ctx: FunctionContext, session: Session) -> Type:
    """`torch.LongTensor(x)` of a tensor of another dtype raises TypeError."""
    given, made = list(arguments(ctx)), get_proper_type(ctx.default_return_type)
    if session.watch.leaves_alone(ctx.api) or not given or not isinstance(made, Instance):
        return ctx.default_return_type
    wanted = _DTYPES.get(made.type.fullname)
    values = read(given[0].type, session.platform)
    if wanted is None or values is None or any(value.library is not Library.TORCH for value in values):
        return ctx.default_return_type
    dtypes = [dtype for value in values for dtype in value.dtypes]
    if wanted not in dtypes:
        _report(ctx, dtypes[0], wanted, session)
    return ctx.default_return_type


def _report(ctx: FunctionContext, given: dt.OperandType, wanted: type[dt.Shaped], session: Session) -> None:
    system = session.own_system(Library.TORCH, ctx.api)
    name = next(name for name, dtype in TORCH_CLASSES.items() if dtype is wanted)
    reason = f"torch.{name} takes no tensor of another dtype than {wanted.name}"
    refusal = Refusal(
        system.name, name, (Operand(given),), reason, f"cast the tensor with {system.dialect.cast(wanted)}"
    )
    report_rejected(refusal, f"torch.{name}", ctx.context, ctx.api)


FEATURES: Final = {names.TORCH_TENSOR: infer_tensor, **dict.fromkeys(_DTYPES, check)}
"""Name of a class -> the feature that infers its calls."""
