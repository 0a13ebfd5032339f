"""Report annotations with a dtype that is forbidden (promo-forbidden) or cannot occur (promo-truncation).

A forbidden dtype is reported where it is named: `Float64[Array, "n"]`, or `np.float64` in `NDArray[np.float64]`, alone
or as a member of a union. An alias from another module for an array of that dtype is reported, too. A category
(`Float[Array, "n"]`) names no dtype.
"""

from functools import partial
from typing import Final

from mypy.nodes import TypeAlias, TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Instance, Type

from promo_mypy.config import Options
from promo_mypy.plugin import names
from promo_mypy.plugin.annotations.parsing import Claim
from promo_mypy.plugin.diagnostics.findings import array_dtypes, made
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.hook_tables import TypeHook, TypeTable
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import dtypes_of_argument, library_of, read
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.wording import diagnostics, truncation
from promo_mypy.rules.wording.allowed import are_forbidden

with late():
    from promo_mypy.plugin.diagnostics import forbidden

DTypeSet = frozenset[type[dt.Shaped]]


def check_claim(typ: Type, claim: Claim, ctx: AnalyzeTypeContext, session: Session) -> None:
    """Check `Float64[Array, "n"]`: the claim, and the array type narrowed by it."""
    named = frozenset({claim.dtype})
    if session.has_policies and claim.dtype.exact and are_forbidden(named, _options(ctx, session).forbid):
        _report_forbidden(named, ctx)
    else:
        check_array(typ, ctx, session)


def concern(typ: Type, session: Session) -> bool:
    """Whether one of these checks may report an annotated type."""
    return session.has_policies or _wide_dtypes(typ) is not None


def check_array(typ: Type, ctx: AnalyzeTypeContext, session: Session) -> None:
    """Report a type that only JAX arrays of 64-bit dtypes satisfy. There are no such arrays while x64 is off."""
    wide = _wide_dtypes(typ)
    if wide is None or _options(ctx, session).jax_x64:
        return
    if not are_forbidden(wide, _options(ctx, session).forbid):
        cut = truncation.annotated(wide)
        semantic_analysis.fail(ctx, made(diagnostics.TRUNCATION, cut.remedy, problem=cut.problem))


def _wide_dtypes(typ: Type) -> DTypeSet | None:
    """The dtypes of JAX arrays if all of them have 64 bits; None for any other type."""
    found: DTypeSet = frozenset()
    for item in members(typ):
        if library_of(item) is not Library.JAX or not isinstance(item, Instance) or not item.args:
            return None
        dtypes = dtypes_of_argument(item.args[0])
        if dtypes is None or not dtypes <= X32.keys():
            return None
        found |= dtypes
    return found


class NamedDtypes(TypeTable):
    """The hooks of annotations, and a hook for each name of a dtype that a module forbids."""

    def __init__(self, rows: dict[str, TypeHook], session: Session) -> None:
        super().__init__(rows)
        self._session = session
        changes = [dict(override.changes).get("forbid", ()) for override in session.config.overrides]
        self._forbidden: Final = {*session.config.options.forbid, *(name for names in changes for name in names)}

    def __missing__(self, fullname: str) -> TypeHook | None:
        """The hook of a name that stands for a forbidden dtype, and of each alias: the daemon may change its type.

        A name that mypy has not resolved yet is not cached.
        """
        if fullname in self._aside or fullname.startswith("builtins."):
            return super().__missing__(fullname)
        symbol = self._session.symbols.node(fullname)
        if not isinstance(symbol, TypeInfo | TypeAlias):
            return None
        is_alias = isinstance(symbol, TypeAlias)
        if not is_alias and not are_forbidden(_dtypes_of(symbol, self._session.platform), self._forbidden):
            return super().__missing__(fullname)
        hook = partial(self._report, fullname=fullname)
        self[fullname] = hook
        return hook

    def _report(self, ctx: AnalyzeTypeContext, fullname: str) -> Type:
        typ = semantic_analysis.stock_type(ctx, fullname, self)
        symbol = self._session.symbols.node(fullname)
        if not isinstance(symbol, TypeInfo | TypeAlias):
            return typ
        dtypes = _dtypes_of(symbol, self._session.platform)
        # An alias of this module is reported where it is defined.
        is_own = fullname.startswith(f"{semantic_analysis.current_module(ctx).fullname}.")
        if not is_own and are_forbidden(dtypes, _options(ctx, self._session).forbid):
            _report_forbidden(dtypes, ctx)
        return typ


def _dtypes_of(symbol: TypeInfo | TypeAlias, platform: str) -> DTypeSet:
    """The dtypes that a dtype class or an alias of arrays stands for; empty if it stands for anything else."""
    if isinstance(symbol, TypeInfo):
        cls = Instance(symbol, [])
        if symbol.module_name == names.DTYPES:
            dtypes = dtypes_of_argument(cls)
        else:
            # An abstract scalar class of NumPy names no dtype.
            dtypes = numpy_scalars.dtypes_of_scalar(cls, platform) if not symbol.type_vars else None
        return dtypes if dtypes is not None and len(dtypes) == 1 else frozenset()
    values = read(symbol.target, platform)
    return frozenset().union(*(array_dtypes(value.dtypes) for value in values)) if values is not None else frozenset()


def _options(ctx: AnalyzeTypeContext, session: Session) -> Options:
    return session.config.for_module(semantic_analysis.current_module(ctx).fullname)


def _report_forbidden(dtypes: DTypeSet, ctx: AnalyzeTypeContext) -> None:
    origin, remedy = "the annotation names it", "annotate a dtype that is allowed"
    semantic_analysis.fail(ctx, forbidden.finding_about(dtypes, origin, remedy))
