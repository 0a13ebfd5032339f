"""Find the hooks of calls that are in no table: those of users' functions, and the first call of each file."""

import sys
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from mypy.nodes import FakeInfo, MypyFile, OverloadedFuncDef, Var
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import Type

from promo_mypy.plugin import libraries
from promo_mypy.plugin.calls import promoted_calls
from promo_mypy.plugin.calls.followed.called_bodies import CalledBodies
from promo_mypy.plugin.calls.followed.called_methods import CalledMethods
from promo_mypy.plugin.calls.followed.made_objects import MadeObjects, MadeTuples
from promo_mypy.plugin.calls.promoted_calls import PromotedCalls
from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.late import late
from promo_mypy.plugin.marks import call_marks
from promo_mypy.plugin.marks.overloaded_calls import is_overloaded
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import differentiated_arguments, stored_lambdas
from promo_mypy.plugin.transforms.differentiated_arguments import StoredDerivatives
from promo_mypy.plugin.transforms.stored_lambdas import StoredLambdas
from promo_mypy.plugin.transforms.unannotated_results import UnannotatedFunctions
from promo_mypy.plugin.trees.syntax_trees import Statements

with late():
    from promo_mypy.plugin.operators.containers import passed_containers

Hook = Callable[[Any], Type]
#: Asks all plugins for a hook: `(api, fullname)`.
HookOf = Callable[[CheckerPluginInterface, str], Hook | None]


class UserFunctions:
    """Maps the name of a user's function to the hook of its calls. `session.watch` caches the answers for a file."""

    def __init__(self, session: Session, bodies: Collection[str]) -> None:
        """`bodies`: the modules whose functions are checked again for the arguments of a call."""
        self._session = session
        self._watch = session.watch
        self._lambdas, self._derivatives = StoredLambdas(), StoredDerivatives()
        self.bodies = CalledBodies(session, bodies)
        self._unannotated = UnannotatedFunctions(self.bodies)
        self._methods = CalledMethods(self.bodies, session)
        self._tuples = MadeTuples(self.bodies, session)
        self._tuple_call = guarded(self._tuples.infer, session)
        self._objects = MadeObjects(self.bodies)
        self._object_call = guarded(self._objects.infer, session)
        self._ahead: dict[str, Statements] = {}
        self._promoted = PromotedCalls(session)
        self._promoted_call = guarded(promoted_calls.infer, session)
        self._lambda_call = guarded(_infer_stored, session)
        self._unannotated_call = guarded(self._unannotated.infer, session)
        self._nested_call = guarded(self._infer_nested, session)
        self._derivative_call = guarded(_infer_derivative, session)
        self._is_aside = False

    def collect(self, tree: MypyFile, *, is_ahead: bool) -> None:
        """Find the functions of a file whose calls get a hook: stored lambdas and derivatives, unannotated results.

        `is_ahead`: mypy will check the file later.
        """
        statements = Statements(tree.defs)
        if is_ahead:
            self._ahead[tree.fullname] = statements
        elif self._ahead.pop(tree.fullname, None) == statements:
            return
        self._lambdas.collect(tree)
        self._derivatives.collect(tree)
        self._unannotated.collect(tree)

    def drop_cache(self) -> None:
        """Drop the cached hooks: a module was read from its source."""
        self._promoted.drop_cache()
        self._watch.memo.unlisted.clear()

    def hook(self, fullname: str, hook_of: HookOf) -> Hook | None:
        """The hook of a call that is in no table: a user's function may promote, or the file may be a new one."""
        if self._is_aside:
            return None
        if self._watch.is_behind():
            return partial(self._follow, plain=lambda api: hook_of(api, fullname))
        known = self._watch.memo.unlisted
        if fullname not in known:
            known[fullname] = self._hook(fullname, hook_of)
        hook = known[fullname]
        aliases = self._watch.file.aliases
        if aliases is None or not aliases.passed or not passed_containers.concerns(fullname, aliases.passed):
            return hook
        return guarded(partial(passed_containers.infer, then=hook), self._session)

    def _hook(self, fullname: str, hook_of: HookOf) -> Hook | None:
        if self._derivatives.concern(fullname):
            return self._derivative_call
        if self._lambdas.concern(fullname):
            return self._lambda_call
        if self._unannotated.concern(fullname):
            return self._unannotated_call
        if self._may_be_nested(fullname):
            return self._nested_call
        if self._promoted.concerns(fullname):
            return self._promoted_call
        if self.bodies.concern(fullname):
            return guarded(self._called_body(fullname), self._session)
        if (method := self._methods.concern(fullname)) is not None:
            return guarded(partial(self._methods.infer, method=method), self._session)
        if self._tuples.concern(fullname):
            return self._tuple_call
        if self._objects.concern(fullname, self._session.symbols):
            return self._object_call
        if not self._has_overloads(fullname):
            return None
        return guarded(partial(self._infer_overloaded, fullname=fullname, hook_of=hook_of), self._session)

    def _infer_nested(self, ctx: FunctionContext, session: Session) -> Type:
        """The call of a function in a function, or of a local name: of what may promote, too."""
        found = stored_lambdas.infer_decorated(ctx, session)
        if found is None:
            found = self.bodies.infer_nested(ctx)
        return _or_promoted(found, ctx, session)

    def _infer_overloaded(self, ctx: CallContext, session: Session, fullname: str, hook_of: HookOf) -> Type:
        return call_marks.infer_overloaded(ctx, self._declared(ctx, fullname, hook_of), fullname, session)

    def _declared(self, ctx: CallContext, fullname: str, hook_of: HookOf) -> Type:
        """The type by the hook of another plugin, or of mypy's own, if one has a hook; else the declared type."""
        self._is_aside = True
        try:
            other = hook_of(ctx.api, fullname)
        finally:
            self._is_aside = False
        return ctx.default_return_type if other is None else other(ctx)

    def _has_overloads(self, fullname: str) -> bool:
        """Whether this is an overloaded function outside the standard library, and no method of an array library."""
        package = fullname.partition(".")[0]
        if package in sys.stdlib_module_names:
            return False
        found = self._session.symbols.declared(fullname)
        is_function = isinstance(found, OverloadedFuncDef | Var) and isinstance(found.info, FakeInfo)
        return is_overloaded(found) and (is_function or not libraries.is_own(package))

    def _may_be_nested(self, fullname: str) -> bool:
        """Whether mypy may call a function in a function by that name: `f`, or `module.Class.f` in a method."""
        module = self._watch.file.module or ""
        in_class = fullname.startswith(f"{module}.") and fullname.count(".") > module.count(".") + 1
        return fullname.isidentifier() or (in_class and self._session.symbols.node(fullname) is None)

    def _called_body(self, fullname: str) -> Callable[..., Type]:
        return lambda ctx, session: self.bodies.infer(ctx, fullname)  # noqa: ARG005 (every feature has a session)

    def _follow(self, ctx: Any, plain: Callable[[CheckerPluginInterface], Hook | None]) -> Type:
        # The first call in a file, of any function: from here on variables are tracked. The call itself may have a hook
        # of another plugin, which `plain` finds (mypy's own plugin infers `functools.partial`).
        self._watch.follow(ctx.api)
        hook = plain(ctx.api) if not self._watch.is_behind() else None
        return ctx.default_return_type if hook is None else hook(ctx)


def _infer_stored(ctx: CallContext, session: Session) -> Type:
    """The call of a stored lambda, or of a decorated function: of what may promote, too."""
    return _or_promoted(stored_lambdas.infer(ctx, session), ctx, session)


def _or_promoted(found: Type, ctx: CallContext, session: Session) -> Type:
    """What was found for a call, or else what its declared result promotes to."""
    return found if found is not ctx.default_return_type else promoted_calls.infer(ctx, session)


def _infer_derivative(ctx: CallContext, session: Session) -> Type:
    differentiated_arguments.check_stored(ctx, session)
    return stored_lambdas.infer(ctx, session)
