"""Let values pass where a library takes them for numbers, but its stubs do not declare them.

PyTorch takes a tensor without dimensions for a number: `x.clamp(0, bound[0])`. It rejects a tensor with dimensions
there, and so does mypy. JAX takes the scalars of ml_dtypes: `jnp.where(mask, x, jnp.finfo(x.dtype).min)`.
"""

from typing import Final

from mypy.nodes import Expression
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import FunctionLike, Instance, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_ranks import rank_of
from promo_mypy.plugin.types.array_types import array_row, as_array
from promo_mypy.plugin.types.numpy_scalars import is_extension
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.functions.torch.numbers import TAKES_NUMBERS

_FUNCTIONS: Final = "torch._C._VariableFunctions"

FUNCTIONS: Final = tuple(f"{_FUNCTIONS}.{name}" for name in TAKES_NUMBERS)
METHODS: Final = tuple(f"{names.TORCH_TENSOR}.{name}" for name in TAKES_NUMBERS)


def widen(ctx: FunctionSigContext | MethodSigContext, session: Session) -> FunctionLike:
    """The signature with tensors among the types of each parameter for numbers that gets a 0-d tensor."""
    signature, tensor = ctx.default_signature, session.symbols.instance(names.TORCH_TENSOR)
    if tensor is None or session.watch.leaves_alone(ctx.api):
        return signature
    types = list(signature.arg_types)
    for place, given in enumerate(ctx.args[: len(types)]):
        if _takes_numbers(types[place]) and any(_may_be_number(each, ctx) for each in given):
            types[place] = UnionType.make_union([types[place], tensor])
    return signature.copy_modified(arg_types=types)


def widen_for_scalars(ctx: FunctionSigContext, session: Session) -> FunctionLike:
    """The signature of an overloaded function of JAX, with the class of each scalar of ml_dtypes that it gets.

    mypy infers Any for a call that fits no overload. Other functions keep their result.
    """
    signature = ctx.default_signature
    if session.watch.leaves_alone(ctx.api):
        return signature
    types = list(signature.arg_types)
    for place, given in enumerate(ctx.args[: len(types)]):
        found = [type_checker.quiet_type(ctx.api, each) for each in given]
        types[place] = UnionType.make_union([types[place], *filter(is_extension, found)])
    return signature.copy_modified(arg_types=types)


def _takes_numbers(parameter: Type) -> bool:
    found = {member.type.fullname for member in members(parameter) if isinstance(member, Instance)}
    return "builtins.float" in found and names.TORCH_TENSOR not in found


def _may_be_number(argument: Expression, ctx: FunctionSigContext | MethodSigContext) -> bool:
    """Whether an argument is a tensor that is not known to have dimensions."""
    typ = get_proper_type(type_checker.quiet_type(ctx.api, argument))
    row = array_row(typ) if isinstance(typ, Instance) else None
    if row is None or row.library is not Library.TORCH or not isinstance(typ, Instance):
        return False
    return not rank_of(as_array(typ, row.array)).positive
