"""Infer what the short methods of a user's class return, from their bodies.

The fields of a NamedTuple or dataclass have the dtypes of the call that made it. A method of a module of PyTorch is
followed if an argument has a known dtype. `data[0]` of a dataset is a sample that its body returns (`dataset_samples`).
"""

from typing import Final

from mypy.nodes import CallExpr, FuncDef, IndexExpr, MemberExpr
from mypy.plugin import MethodContext
from mypy.types import TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies, may_be_followed
from promo_mypy.plugin.calls.followed.dataset_samples import own_sample
from promo_mypy.plugin.calls.followed.remembered_fields import passed, remembers
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.mypy_api.checker.type_checker import tree
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.torch_module_uses import file_modules, has_subclass
from promo_mypy.plugin.types.array_types import library_of, read

_ITEM: Final = "__getitem__"
#: What mypy calls its facts about classes whose objects are made of the arguments of a call.
_RECORDS: Final = frozenset({"namedtuple", "dataclass"})


class CalledMethods:
    """The methods of the file that mypy checks."""

    def __init__(self, bodies: CalledBodies, session: Session) -> None:
        self._bodies = bodies
        self._session = session

    def concern(self, fullname: str) -> FuncDef | None:
        """The short method of that name of a NamedTuple or dataclass; otherwise None."""
        cls, _, name = fullname.rpartition(".")
        info = self._session.symbols.info(cls)
        if info is None or info.module_name != self._session.watch.file.module:
            return None
        is_of_torch = info.has_base(names.TORCH_MODULE) or (name == _ITEM and info.has_base(names.TORCH_DATASET))
        if _RECORDS.isdisjoint(info.metadata) and not is_of_torch:
            return None
        symbol = info.names.get(name)
        node = symbol.node if symbol is not None else None
        if not isinstance(node, FuncDef) or node.is_static or node.is_class or not may_be_followed(node):
            return None
        return node if self._bodies.is_short(node) else None

    def infer(self, ctx: MethodContext, session: Session, method: FuncDef) -> Type:
        """The result of a call of the method of an object of exactly its class."""
        session.watch.follow(ctx.api)
        if isinstance(ctx.context, IndexExpr) and method.info.has_base(names.TORCH_DATASET):
            sample = own_sample(ctx.context.base, session, ctx.api)
            return (sample and self._bodies.refined(ctx.default_return_type, sample)) or ctx.default_return_type
        if session.watch.leaves_alone(ctx.api) or has_subclass(method.info, tree(ctx.api)):
            return ctx.default_return_type
        if method.info.has_base(names.TORCH_MODULE):
            return self._of_module(ctx, session, method)
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        if method.name != "__call__":
            callee = callee.expr if isinstance(callee, MemberExpr) else None
        file = tree(ctx.api)
        owner = get_proper_type(passed(callee, ctx.type, file)) if callee is not None else None
        if owner is not None and (isinstance(owner, TupleType) or remembers(owner)):
            return self._bodies.of_body(ctx, method, file, (), owner)
        return ctx.default_return_type

    def _of_module(self, ctx: MethodContext, session: Session, method: FuncDef) -> Type:
        """The result of a method of a module of PyTorch that the file makes, if an argument has a known dtype."""
        file = tree(ctx.api)
        arrays = [each.type for each in arguments(ctx) if library_of(each.type) is not None]
        is_told = any(read(each, session.platform) is not None for each in arrays)
        is_made = is_told and method.info in file_modules(file).made
        return self._bodies.of_body(ctx, method, file, (), None) if is_made else ctx.default_return_type
