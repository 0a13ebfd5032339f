"""Infer calls of PyTorch's own layers and of `nn.Sequential`, and report the dtypes that they reject."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import CallExpr, TypeInfo
from mypy.plugin import MethodContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.pytrees import tuple_of
from promo_mypy.plugin.calls.autocast import has_autocast, low_dtype
from promo_mypy.plugin.calls.fill import receiver_of, unknown
from promo_mypy.plugin.calls.reports.rejected_calls import report_call
from promo_mypy.plugin.calls.stored_modules import is_layer, modules_of
from promo_mypy.plugin.layers.module_dtypes import UNKNOWN, State, state_of
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker.call_checking import result_of_value
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import with_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.function_reasons import unequal_arguments, unequal_parameters
from promo_mypy.rules.functions.torch.layers import LAYERS, Layer, Parameters, Parts
from promo_mypy.rules.functions.torch.regions import LOWERED_LAYERS, UNKNOWN_LAYERS, lowered
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts, shared
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import reasons

DTypeSet = frozenset[type[dt.Shaped]]

#: Names of further arguments whose dtype must be that of the first one.
_ALIKE: Final = frozenset({"hx", "key", "value", "memory"})


@record
class _Tensor:
    """A tensor that a layer gets. `dtypes` is None if its dtype is unknown."""

    dtypes: DTypeSet | None
    rank: RankFacts


def called_state(ctx: MethodContext, session: Session) -> State:
    """The module that a call names."""
    return state_of(ctx.context.callee, session, ctx.api) if isinstance(ctx.context, CallExpr) else UNKNOWN


def layer_result(
    name: str, given: Sequence[Argument], state: State, ctx: MethodContext, session: Session
) -> Type | None:
    """What a layer returns for these arguments; None if that is unknown or rejected."""
    layer = LAYERS[name]
    if given[1:] and not layer.more:
        return None
    tensor = _tensor(given[0].type)
    if tensor is None:
        return None
    others = [each for each in given[1 : layer.alike] if each.keyword is None]
    others += [each for each in given[1:] if each.keyword in _ALIKE]
    return _of_layer(name, tensor, [each.type for each in others], state, ctx, session)


def through_all(
    modules: Sequence[Type], given: Type, state: State, ctx: MethodContext, session: Session
) -> Type | None:
    """What the modules of a container return, each called with the result of the one before."""
    if not modules:
        return None
    states = state.modules if len(state.modules) == len(modules) else [UNKNOWN] * len(modules)
    value = given
    for module, its_state in zip(modules, states, strict=True):
        found = _through(module, value, its_state, ctx, session)
        if found is None:
            return None
        value = found
    return value if session.mentions_dtype(value) else None


def layer_class(cls: TypeInfo) -> str | None:
    """The name of the layer or loss of PyTorch that a class is or inherits from."""
    return next((base.name for base in cls.mro if is_layer(base)), None)


def is_of_torch(cls: TypeInfo) -> bool:
    """Whether the `forward` of a class is PyTorch's own."""
    definer = cls.get_containing_type_info("forward")
    return definer is not None and definer.module_name.startswith(names.TORCH_MODULES)


def _through(module: Type, value: Type, state: State, ctx: MethodContext, session: Session) -> Type | None:
    """The result of one module of a container. A result of unknown dtype is a tensor, too."""
    proper = get_proper_type(module)
    if isinstance(proper, Instance) and is_of_torch(proper.type):
        name, tensor = layer_class(proper.type), _tensor(value)
        if name is not None and name in LAYERS and tensor is not None:
            found = _of_layer(name, tensor, (), state, ctx, session)
            return found if found is not None else session.symbols.instance(names.TORCH_TENSOR)
        if proper.type.has_base(names.TORCH_SEQUENTIAL):
            return through_all(modules_of(proper), value, state, ctx, session)
    return result_of_value(ctx.api, module, [value], ctx.context)


def _of_layer(
    name: str, tensor: _Tensor, others: Sequence[Type], state: State, ctx: MethodContext, session: Session
) -> Type | None:
    if has_autocast(ctx.context, ctx.api):
        low, some = low_dtype(ctx.context, ctx.api), session.symbols.instance(names.TORCH_TENSOR)
        if low is None or name in UNKNOWN_LAYERS:
            parts = LAYERS[name].parts
            return _with_parts(some, parts, ctx) if some is not None and parts else some
        tensor, state = _in_region(name, tensor, state, low)
    layer, parameters = LAYERS[name], state.dtype
    refusal = _refusal(name, tensor, others, state, ctx, session)
    if refusal is not None:
        _report(name, tensor, *refusal, ctx, session)
        return None
    default = dt.parse(session.options(ctx.api).torch_default_dtype)
    if layer.parameters is Parameters.TABLE or tensor.dtypes is None:
        has_its_dtype = layer.parameters in (Parameters.TABLE, Parameters.SAME)
        found = frozenset({parameters}) if has_its_dtype and parameters is not None else frozenset()
    else:
        accepted = (each for each in tensor.dtypes if not _rejects(layer, each, parameters))
        results = (layer.result(each, default, parameters) for each in accepted)
        found = frozenset(each for each in results if each is not None)
    array = session.symbols.instance(names.TORCH_TENSOR)
    if array is None or not found:
        return None
    shown = with_dtypes(array, found, UNKNOWN_RANK if layer.reshaping else tensor.rank, session.symbols)
    return _with_parts(shown, layer.parts, ctx) if layer.parts else shown


def _in_region(name: str, tensor: _Tensor, state: State, low: type[dt.Shaped]) -> tuple[_Tensor, State]:
    """The input and the parameters of a layer as autocast casts them."""
    if name not in LOWERED_LAYERS:
        return tensor, state
    dtypes = None if tensor.dtypes is None else lowered(tensor.dtypes, low)
    parameters = None if state.dtype is None else next(iter(lowered(frozenset({state.dtype}), low)))
    return _Tensor(dtypes, tensor.rank), State(parameters)


def _refusal(
    name: str, tensor: _Tensor, others: Sequence[Type], state: State, ctx: MethodContext, session: Session
) -> tuple[str, type[dt.Shaped]] | None:
    """The reason why a layer rejects every dtype of its input, and the dtype to cast to; None if it may accept one."""
    layer, dtypes = LAYERS[name], tensor.dtypes
    if not dtypes:
        return None
    library, called = session.system(Library.TORCH, ctx.api).dialect.library, f"nn.{name}"
    default = dt.parse(session.options(ctx.api).torch_default_dtype)
    first = min(dtypes, key=lambda dtype: dtype.name)
    if all(map(layer.rejects, dtypes)):
        wanted = dt.int64 if layer.parameters is Parameters.TABLE else state.dtype or default
        return reasons.not_defined(library, called, [Operand(first)], first), wanted
    if state.dtype is not None and all(_rejects(layer, dtype, state.dtype) for dtype in dtypes):
        return unequal_parameters(library, called, first, state.dtype), state.dtype
    for other in _tensors(others):
        if other.dtypes and dtypes.isdisjoint(other.dtypes):
            operands = [Operand(first), Operand(min(other.dtypes, key=lambda dtype: dtype.name))]
            return unequal_arguments(library, called, operands), first
    return None


def _rejects(layer: Layer, dtype: type[dt.Shaped], parameters: type[dt.Shaped] | None) -> bool:
    return layer.rejects(dtype) or (parameters is not None and layer.rejects_beside(dtype, parameters))


def _report(
    name: str, tensor: _Tensor, reason: str, wanted: type[dt.Shaped], ctx: MethodContext, session: Session
) -> None:
    system = session.system(Library.TORCH, ctx.api)
    shown = " | ".join(sorted(reasons.spelled(dtype) for dtype in tensor.dtypes or ()))
    remedy = f"cast the input with {system.dialect.cast(wanted)}"
    report_call(f"torch.nn.{name}({shown})", system, reason, remedy, ctx.context, ctx.api)


def _tensor(typ: Type) -> _Tensor | None:
    """The tensor that a value is; of several that it may be, what they share."""
    first, *others = [receiver_of(each) for each in members(typ)]
    if first is None or first.library is not Library.TORCH:
        return None
    tensor = _Tensor(first.dtypes, first.rank)
    for other in others:
        if other is None or other.library is not Library.TORCH:
            return None
        dtypes = tensor.dtypes | other.dtypes if tensor.dtypes and other.dtypes else None
        tensor = _Tensor(dtypes, shared(tensor.rank, other.rank))
    return tensor


def _tensors(types: Sequence[Type]) -> Sequence[_Tensor]:
    items: list[Type] = []
    for typ in types:
        proper = get_proper_type(typ)
        items += proper.items if isinstance(proper, TupleType) else [typ]
    return [tensor for tensor in map(_tensor, items) if tensor is not None]


def _with_parts(tensor: Type, parts: Parts, ctx: MethodContext) -> Type:
    items = (
        _with_parts(tensor, part, ctx) if isinstance(part, tuple) else tensor if part else unknown() for part in parts
    )
    return tuple_of(list(items), ctx.api)
