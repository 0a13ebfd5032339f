"""Infer buffers that a class declares without a dtype: `mask: Tensor` and `self.register_buffer("mask", x)`.

To mypy the call binds no attribute. So the dtype of x is noted in the file when mypy checks the call, and read where
the file mentions the attribute further down. A cast of a module casts its floats, so their dtype is known under the
conditions of `module_dtypes`. Integers and bools keep theirs.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from mypy.nodes import CallExpr, ClassDef, MemberExpr, MypyFile, StrExpr, TypeInfo
from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext
from mypy.subtypes import is_subtype
from mypy.types import Instance, Type, get_proper_type, has_type_vars

from promo_mypy.plugin import names
from promo_mypy.plugin.layers.module_dtypes import stays_as_made
from promo_mypy.plugin.mypy_api.arguments import for_parameter
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.type_checker import report_incompatible
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_symbol
from promo_mypy.plugin.mypy_api.modules.module_marks import Marks, facts
from promo_mypy.plugin.mypy_api.symbols import Symbols, attribute_of, is_declared
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Way
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.trees.torch_module_uses import file_modules
from promo_mypy.plugin.trees.written_arguments import argument
from promo_mypy.plugin.types.array_types import Value, read, shaped_dtypes, with_dtypes
from promo_mypy.plugin.types.container_types import without_dtypes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import RankFacts

REGISTERING: Final = "register_buffer"
_MARK: Final = "buffers @ promo-mypy"
_MARKS: Final = Marks(_MARK)


def is_buffer(fullname: str, symbols: Symbols) -> bool:
    """Whether an attribute may be such a buffer: a module declares it as a tensor."""
    cls, _, name = fullname.rpartition(".")
    info = symbols.info(cls) if cls.partition(".")[0] != "torch" else None
    symbol = info.names.get(name) if info is not None and info.has_base(names.TORCH_MODULE) else None
    declared = get_proper_type(symbol.type) if symbol is not None else None
    return isinstance(declared, Instance) and declared.type.fullname == names.TORCH_TENSOR


def _note(owner: TypeInfo, name: str, values: tuple[Value, ...] | None, api: CheckerPluginInterface) -> None:
    """Note the dtypes that a buffer gets; none if they are unknown."""
    current = type_checker.checker(api)
    key, known = f"{owner.fullname}.{name}", facts(current.tree.names.get(_MARK))
    found = {each: fact for each, fact in known.items() if each != key}
    if values is not None and len(values) == 1:
        found[key] = _fact(values[0])
    if found != known:
        _MARKS.write(current.tree, found, current.modules)


def infer(ctx: AttributeContext, session: Session, otherwise: Callable[[AttributeContext, Session], Type]) -> Type:
    """The tensor with the dtype that the one call above registers; also as the target of `self.mask += x`.

    `otherwise`: the dtype that all its values have, if there are others.
    """
    declared = get_proper_type(ctx.default_attr_type)
    if session.watch.leaves_alone(ctx.api) or not isinstance(ctx.context, MemberExpr):
        return ctx.default_attr_type
    name, owner = ctx.context.name, ctx.type
    attribute = attribute_of(owner, name)
    if not isinstance(declared, Instance) or not isinstance(owner, Instance) or attribute is None:
        return ctx.default_attr_type
    if read(declared, session.platform) is not None or not is_declared(attribute):
        return ctx.default_attr_type
    current, cls = type_checker.checker(ctx.api), attribute.info
    if cls.module_name != current.tree.fullname:
        return ctx.default_attr_type
    if not _is_registered_once(ctx.context, cls, current.tree):
        typ = otherwise(ctx, session)
        dtypes = shaped_dtypes(session.values(typ) or ())
        is_cast = any(_name(call) in (ctx.context.name, None) for call in _calls(cls.defn))
        return ctx.default_attr_type if is_cast and not _keeps_dtype(dtypes, owner.type, ctx.api) else typ
    depend_on_symbol(current, attribute, _MARK)
    fact = facts(current.tree.names.get(_MARK)).get(f"{cls.fullname}.{name}")
    found = _read(fact) if fact is not None else None
    if found is None or not _keeps_dtype(found[0], owner.type, ctx.api):
        return ctx.default_attr_type
    return with_dtypes(declared, *found, session.symbols)


def _keeps_dtype(dtypes: frozenset[type[dt.Shaped]], cls: TypeInfo, api: CheckerPluginInterface) -> bool:
    file = file_modules(type_checker.tree(api))
    if file.replaces_data or file.casts_made:
        return False
    return all(dtype.kind in "biu" for dtype in dtypes) or stays_as_made(cls, api)


def _is_registered_once(place: MemberExpr, owner: TypeInfo, tree: MypyFile) -> bool:
    """Whether one call above a place registers the attribute, which is not bound in any other way."""
    calls = [call for call in _calls(owner.defn) if _name(call) in (place.name, None)]
    bound = definitions(tree).of_attributes(place.name)
    return (
        len(calls) == 1
        and _name(calls[0]) is not None
        and calls[0].line < place.line
        and all(each.way is Way.OPERAND for each in bound)
    )


@lru_cache(maxsize=1)  # mypy checks one class after the other
def _calls(cls: ClassDef) -> Sequence[CallExpr]:
    """The calls in a class that register something."""
    calls = (node for node in nodes(cls.defs) if isinstance(node, CallExpr))
    return [each for each in calls if isinstance(each.callee, MemberExpr) and each.callee.name == REGISTERING]


def _name(call: CallExpr) -> str | None:
    """The attribute that a call registers; None if its name is not written out."""
    name = argument(call, "name", 0)
    return name.value if isinstance(name, StrExpr) else None


def _fact(value: Value) -> str:
    dtypes = "|".join(sorted(dtype.name for dtype in value.dtypes))
    return f"{dtypes}:{''.join(str(int(known)) for known in value.rank.positions())}"


def _read(fact: str) -> tuple[frozenset[type[dt.Shaped]], RankFacts] | None:
    dtypes, _, positions = fact.partition(":")
    found = [dt.DTYPES.get(name) for name in dtypes.split("|")]
    known = frozenset(dtype for dtype in found if dtype is not None)
    rank = RankFacts.from_positions(tuple(position == "1" for position in positions))
    return (known, rank) if len(known) == len(found) else None


def check(ctx: MethodContext, session: Session) -> Type:
    """Report a tensor of another dtype than the declared one. To mypy the call binds no attribute."""
    name, tensor = for_parameter(ctx, "name"), for_parameter(ctx, "tensor")
    if name is None or tensor is None or session.watch.leaves_alone(ctx.api):
        return ctx.default_return_type
    if not isinstance(ctx.type, Instance) or not isinstance(name.expression, StrExpr):
        return ctx.default_return_type
    attribute = attribute_of(ctx.type, name.expression.value)
    declared = attribute.type if attribute is not None and is_declared(attribute) else None
    if attribute is None or declared is None or has_type_vars(declared):
        return ctx.default_return_type
    values = read(tensor.type, session.platform)
    if not session.mentions_dtype(declared):
        _note(attribute.info, attribute.name, values, ctx.api)
    elif values is not None and is_subtype(without_dtypes(tensor.type), without_dtypes(declared)):
        report_incompatible(ctx.api, tensor.type, declared, tensor.expression, is_declared=True)
    return ctx.default_return_type
