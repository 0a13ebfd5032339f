"""Narrow an array in the blocks below a condition that tests its dtype: see `mypy_api.checker.tested_blocks`."""

from typing import Final

from mypy.plugin import FunctionContext
from mypy.typeops import make_simplified_union
from mypy.types import Instance, Type, get_proper_type

from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.tested_blocks import claim_of, narrow_by_test
from promo_mypy.plugin.mypy_api.checker.type_checker import checker, expression_type
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.dtype_conditions import DtypeClaim
from promo_mypy.plugin.types.array_ranks import rank_of
from promo_mypy.plugin.types.array_types import array_row, library_of, read, shaped_dtypes, with_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.records import record

#: The libraries for whose arrays of unknown dtype a test gives the dtype. Stock mypy knows the dtypes of NumPy's.
_WITHOUT_DTYPES: Final = frozenset({Library.JAX, Library.TORCH})


@record
class _Admitted:
    """The dtypes for which a condition holds: those of some kinds, or of these names."""

    said: DtypeClaim
    named: frozenset[type[dt.Shaped]]

    def admits(self, dtype: type[dt.Shaped]) -> bool:
        """Whether the condition holds for a dtype."""
        if not self.said.kinds:
            return (dtype.strong in self.named) is self.said.holds
        is_foreign = self.said.of_numpy and (dtype.strong in dt.SMALL or dtype.strong is dt.bfloat16)
        return (dtype.kind in self.said.kinds and not is_foreign) is self.said.holds


def narrow(ctx: FunctionContext, session: Session) -> None:
    """The inserted call: keep the dtypes for which the condition holds.

    If none of them does, the block never runs, and the array is no value there. Stock mypy knows the dtypes of NumPy's
    arrays, and checks such a block.
    """
    every = list(members(ctx.arg_types[0][0]))
    libraries = {library_of(each) for each in every} - {None}
    (library,) = libraries if len(libraries) == 1 else (None,)
    admitted = _admitted(claim_of(ctx.args[0]), library, ctx, session) if library is not None else None
    if admitted is None:
        return
    parts = [_part(each, admitted, session) for each in every]
    kept = [part for part in parts if part is not None]
    is_changed = any(part is not each for part, each in zip(parts, every, strict=True))
    if is_changed and (kept or library in _WITHOUT_DTYPES):
        narrow_by_test(ctx.api, admitted.said.array, make_simplified_union(kept))  # Never, if nothing is kept


def _admitted(said: DtypeClaim, library: Library | None, ctx: FunctionContext, session: Session) -> _Admitted | None:
    """The dtypes for which a condition holds; None if a name in it is unknown."""
    # JAX compares with the whole dtype that is named, whether x64 is on or not.
    reader = Library.NUMPY if library is None or library is Library.JAX else library
    found: set[type[dt.Shaped]] = set()
    for name in said.names:
        typ = expression_type(checker(ctx.api), name)
        named = dtypes_named(name, typ, reader, session, ctx.api, makes_array=False) if typ is not None else None
        if named is None or len(named) != 1:
            return None
        found |= named
    return _Admitted(said, frozenset(found))


def _part(typ: Type, admitted: _Admitted, session: Session) -> Type | None:
    """The part of a member for which the condition holds: the same object for the whole, None for nothing."""
    array = get_proper_type(typ)
    row = array_row(array) if isinstance(array, Instance) else None
    if row is None or not isinstance(array, Instance):
        return typ
    if array.type.fullname != row.array and row.library is not Library.NUMPY:
        return typ  # a subclass stays what it is
    values = read(array, session.platform)
    if values is None:
        if row.library not in _WITHOUT_DTYPES or not admitted.said.holds or len(admitted.named) != 1:
            return typ
        return with_dtypes(array, admitted.named, rank_of(array), session.symbols)
    (value,) = values
    dtypes = shaped_dtypes(values)
    found = frozenset(filter(admitted.admits, dtypes))
    if found == dtypes:
        return typ
    return with_dtypes(value.source, found, value.rank, session.symbols) if found else None
