"""Let the hooks of results and attributes answer with what a profile has recorded, where they know no dtype."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.plugin import AttributeContext, CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.inferred.observed_dtypes import ObservedDtypes
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session

Hook = Callable[[Any], Type]
LookUp = Callable[[str], Hook | None]


class RecordedHooks:
    """The hooks of a run with a profile: each asks the hook without the profile first."""

    def __init__(self, observed: ObservedDtypes, session: Session) -> None:
        self._observed = observed
        self._session = session
        self._is_aside = False

    def after(self, look_up: LookUp, every: Callable[[CheckerPluginInterface, str], Hook | None]) -> LookUp:
        """The look-up of a hook that answers after that of `look_up`. `every` asks all plugins."""

        def find(fullname: str) -> Hook | None:
            return None if self._is_aside else partial(self._answer, look_up(fullname), every, fullname)

        return find

    def _answer(self, hook: Hook | None, every: Callable[..., Hook | None], fullname: str, ctx: Any) -> Type:
        before = hook or self._of_others(every, ctx.api, fullname)
        is_attribute = isinstance(ctx, AttributeContext)
        default: Type = ctx.default_attr_type if is_attribute else ctx.default_return_type
        found = before(ctx) if before is not None else default
        if not is_attribute or not ctx.is_lvalue:
            seen = self._observed.at(ctx.context, found, type_checker.tree(ctx.api))
            if seen is not None:
                return self._recorded(ctx, seen)
        return found

    def _of_others(self, every: Callable[..., Hook | None], api: CheckerPluginInterface, fullname: str) -> Hook | None:
        """The hook of another plugin, mypy's own among them: mypy calls only the first plugin that has one."""
        self._is_aside = True
        try:
            return every(api, fullname)
        finally:
            self._is_aside = False

    def _recorded(self, ctx: Any, seen: Type) -> Type:
        answer: Type = guarded(lambda ctx, session: seen, self._session)(ctx)  # noqa: ARG005 (every feature has a session)
        return answer
