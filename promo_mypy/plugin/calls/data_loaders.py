"""Infer the batches of PyTorch's DataLoader where a loop unpacks them: `for x, y in DataLoader(TensorDataset(a, b))`,
and the samples of a TensorDataset.

To stock mypy a batch is Any. It is a list whose items have dtypes of their own, for which mypy has no type. So only a
loop that unpacks the items gets their types.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import GDEF, CallExpr, Context, Expression, ForStmt, IndexExpr, NameExpr, RefExpr, TupleExpr, Var
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.followed.dataset_samples import own_sample
from promo_mypy.plugin.calls.followed.open_types import is_unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, current_function, expression_type, tree
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.trees.written_arguments import argument, has_stars, keywords
from promo_mypy.plugin.types.array_ranks import rank_argument
from promo_mypy.plugin.types.array_types import argument_of, library_of, read, shaped_dtypes
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch.batches import NUMBERS
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts

_OF_TENSORS: Final = "TensorDataset"
#: Arguments with which a loader makes other batches.
_OTHER_BATCHES: Final = frozenset({"collate_fn", "batch_sampler"})
#: How many positional arguments come before these.
_BEFORE_BATCHES: Final = 4
_DEEPEST: Final = 4


def infer_iterator(ctx: MethodContext, session: Session) -> Type:
    """`loader.__iter__()`, which mypy looks up in a loop."""
    loop = _loop_over(ctx.context, ctx.api)
    batch = batch_of(ctx.context, ctx.type, ctx.api, session) if isinstance(ctx.context, Expression) else None
    if batch is None or loop is None or not isinstance(loop.index, TupleExpr):
        return ctx.default_return_type
    return ctx.api.named_generic_type("typing.Iterator", [batch])


def infer_sample(ctx: MethodContext, session: Session) -> Type:
    """`dataset[i]` of a TensorDataset: a tuple with a part of each tensor. An integer removes a dimension."""
    base = ctx.context.base if isinstance(ctx.context, IndexExpr) else None
    made = _call(base, _OF_TENSORS, ctx.api, 0) if base is not None else None
    if made is None or not made.args or has_stars(made):
        return ctx.default_return_type
    given = [expression_type(checker(ctx.api), each) for each in made.args]
    index = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types and ctx.arg_types[0] else None
    is_number = isinstance(index, Instance) and is_int(index)
    anything = AnyType(TypeOfAny.special_form)
    items = [None if each is None else _taken(each, session, is_number=is_number) for each in given]
    if not any(items):
        return ctx.default_return_type
    known = [anything if each is None else each for each in items]
    return TupleType(known, ctx.api.named_generic_type("builtins.tuple", [anything]))


def _taken(tensor: Type, session: Session, *, is_number: bool) -> Type | None:
    """Some rows of a tensor of known dtype."""
    values = read(tensor, session.platform)
    if values is None or len(values) != 1 or values[0].library is not Library.TORCH or not values[0].is_array:
        return None
    rank = values[0].rank.shifted(-1) if is_number else UNKNOWN_RANK
    dtypes = shaped_dtypes(values)
    argument = argument_of(dtypes, session.symbols)
    return session.symbols.instance(names.TORCH_TENSOR, [argument, rank_argument(rank, session.symbols)])


def enumerated_batch(
    call: Context, given: Expression, typ: Type, api: CheckerPluginInterface, session: Session
) -> Type | None:
    """The batches of `for i, (x, y) in enumerate(loader)`; None for any other call."""
    loop = _loop_over(call, api) if _is_loader(typ) else None
    index = loop.index if loop is not None else None
    is_unpacked = isinstance(index, TupleExpr) and isinstance(index.items[-1], TupleExpr)
    return batch_of(given, typ, api, session) if is_unpacked else None


def batch_of(loader: Expression, typ: Type, api: CheckerPluginInterface, session: Session) -> Type | None:
    """The items of a batch as a tuple; None for what is no loader, or if its batches are unknown."""
    instance = get_proper_type(typ)
    if not isinstance(instance, Instance) or not _is_loader(instance):
        return None
    made = _call(loader, "DataLoader", api, 0)
    if made is None or not made.args or not _makes_batches(made):
        return None
    dataset = _call(made.args[0], _OF_TENSORS, api, 0)
    if dataset is not None:
        items: Sequence[Type | None] = [expression_type(checker(api), each) for each in dataset.args]
    else:
        sample = get_proper_type(instance.args[0]) if instance.args else None
        if sample is not None and is_unknown(sample, session.platform):
            sample = get_proper_type(own_sample(made.args[0], session, api) or sample)
        samples = sample.items if isinstance(sample, TupleType) else []
        items = [_collated(get_proper_type(each), session) for each in samples]
    anything = AnyType(TypeOfAny.special_form)
    known = [anything if each is None or library_of(each) is None else each for each in items]
    if all(each is anything for each in known):
        return None
    return TupleType(known, api.named_generic_type("builtins.tuple", [anything]))


def _is_loader(typ: Type) -> bool:
    instance = get_proper_type(typ)
    return isinstance(instance, Instance) and instance.type.fullname == names.TORCH_LOADER


def _loop_over(iterable: Context, api: CheckerPluginInterface) -> ForStmt | None:
    loops = (each for each in statements(tree(api).defs) if isinstance(each, ForStmt))
    return next((loop for loop in loops if loop.expr is iterable), None)


def _call(expression: Expression, name: str, api: CheckerPluginInterface, depth: int) -> CallExpr | None:
    """The call of a class that makes a value, behind the names that are bound to it once, in the same function."""
    match expression:
        case CallExpr(callee=RefExpr(fullname=called)) if called.rpartition(".")[2] == name:
            return expression
        case NameExpr(node=Var() as variable) if depth < _DEEPEST:
            if expression.kind == GDEF and current_function(api) is not None:
                return None  # mypy's daemon may check the function alone
            values = definitions(tree(api)).values(variable)
            return _call(values[0], name, api, depth + 1) if values is not None and len(values) == 1 else None
        case _:
            return None


def _makes_batches(call: CallExpr) -> bool:
    """Whether a loader makes batches in the usual way."""
    size = argument(call, "batch_size", 1)
    is_usual = _OTHER_BATCHES.isdisjoint(keywords(call)) and not has_stars(call)
    return is_usual and (size is None or not is_none(size)) and len(call.args) <= _BEFORE_BATCHES


def _collated(sample: Type, session: Session) -> Type | None:
    """A batch of samples of a type: see `rules.functions.torch.batches`."""
    values = read(sample, session.platform)
    if values is None or len(values) != 1:
        return session.symbols.instance(names.TORCH_TENSOR) if library_of(sample) is not None else None
    (value,) = values
    dtypes = frozenset(
        dtype if issubclass(dtype, dt.Shaped) else NUMBERS[dtype.kind]
        for dtype in value.dtypes
        if dtype.kind in "biufcV"
    )
    rank = value.rank.shifted(1) if value.is_array else RankFacts.of(1)
    argument = argument_of(dtypes, session.symbols)
    return session.symbols.instance(names.TORCH_TENSOR, [argument, rank_argument(rank, session.symbols)])
