"""Spare mypy the comparison of indices with declarations whose answer is known: see `accepted_indices`."""

from mypy.plugin import MethodSigContext
from mypy.types import FunctionLike

from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.accepted_indices import Accepting, IndexOverloads, taking_index


class ArrayIndices:
    """Leaves out overloads of `ndarray.__getitem__`. The session caches which of them accept an index."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._overloads = IndexOverloads(self._known)

    def infer_signature(self, ctx: MethodSigContext, session: Session) -> FunctionLike:  # noqa: ARG002  # as all hooks
        """The signature of one overload: its own, or one without arguments if it does not accept the index."""
        return self._overloads.signature(ctx)

    def _known(self) -> Accepting:
        return self._session.watch.types.indices


def take_index(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """The signature of an item of a tensor, which takes an index unseen that a tensor accepts."""
    return ctx.default_signature if session.watch.leaves_alone(ctx.api) else taking_index(ctx)
