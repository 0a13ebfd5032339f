"""Narrow a type by the claim of an annotation: `Float32` of `Array` is `Array[float32]`."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from mypy.types import AnyType, Instance, ProperType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.annotations.parsing import Claim
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_ranks import rank_argument, rank_of
from promo_mypy.plugin.types.array_types import argument_of, dtypes_of_argument, numpy_array, takes_dtype
from promo_mypy.plugin.types.walks import opened
from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.jaxtyping_names import admits_python
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts
from promo_mypy.rules.records import record
from promo_mypy.rules.shape_strings import nested

# From the top of Python's numeric tower to its bottom.
_PYTHON: Final[Mapping[str, type[dt.PythonScalar]]] = {
    "builtins.complex": dt.py_complex,
    "builtins.float": dt.py_float,
    "builtins.int": dt.py_int,
    "builtins.bool": dt.py_bool,
}


@record
class Claimed:
    """Applies one claim to one type.

    `plain`: whether the annotated type is a bare class. Then its rank is that of the claim; otherwise the annotated
    type may have axes of its own, too. `refused` collects the members that the claim rejects.
    """

    claim: Claim
    session: Session
    plain: bool
    refused: list[str] = field(default_factory=list)

    def apply(self, typ: Type) -> Type | None:
        """The part of the type that the claim accepts: the same object if nothing changes, None if nothing is left.

        Rejected members of a union are left out, as jaxtyping does. For numbers in a union only the dtype counts: a
        number stays even if the shape rejects it. Everything but arrays and numbers stays as it is.
        """
        proper = opened(typ)
        if isinstance(proper, UnionType):
            return self._union(typ, proper)
        if not isinstance(proper, Instance):
            return typ
        name = proper.type.fullname
        if name in _PYTHON:
            return self._python(typ, _PYTHON[name])
        if takes_dtype(name):
            return self._array(typ, proper)
        if name in names.NUMPY_ARRAYS:
            return self._numpy_array(typ, proper)
        return self._numpy_scalar(typ, proper) if numpy_scalars.is_scalar(proper) else typ

    def _union(self, typ: Type, union: UnionType) -> Type | None:
        items = [(item, self.apply(self._lower(item))) for item in union.items]
        if all(before is after for before, after in items):
            return typ
        left: list[Type] = []
        for _, after in items:
            if after is not None and after not in left:
                left.append(after)
        return UnionType.make_union(left, union.line, union.column) if left else None

    def _lower(self, item: Type) -> Type:
        """A member of a union of arrays and numbers. A rejected number becomes the next one that the claim accepts.

        Stubs write `complex` for any number and `float` for any real number, as mypy accepts an int for either.
        """
        proper = get_proper_type(item)
        if not isinstance(proper, Instance) or proper.type.fullname not in _PYTHON:
            return item
        tower = list(_PYTHON)
        for name in tower[tower.index(proper.type.fullname) :]:
            if self._admits_python(_PYTHON[name]):
                lower = self.session.symbols.instance(name) if name != proper.type.fullname else None
                return lower or item
        return item

    def _python(self, typ: Type, scalar: type[dt.PythonScalar]) -> Type | None:
        if self._admits_python(scalar):
            return typ
        self.refused.append(scalar.name.removeprefix("py_"))
        return None

    def _admits_python(self, scalar: type[dt.PythonScalar]) -> bool:
        return self.claim.jaxtyping is None or admits_python(self.claim.dtype, scalar)

    def _array(self, typ: Type, array: Instance) -> Type | None:
        symbols = self.session.symbols
        whole = array if array.args else symbols.instance(array.type.fullname)
        if whole is None or not whole.args:
            return typ
        old = get_proper_type(whole.args[0])
        known = dtypes_of_argument(old)
        new: Type = old
        if known is not None:
            left = self._admitted(known)
            if not left:
                return None
            new = argument_of(left, symbols) if left != known else old
        elif isinstance(old, AnyType) and self.claim.dtype is not dt.Shaped:
            new = argument_of(categories.members(self.claim.dtype), symbols)
        args = [new]
        if len(whole.args) > 1:
            args.append(self._rank(whole))
        return typ if args == list(array.args) else whole.copy_modified(args=args)

    def _rank(self, array: Instance) -> Type:
        if self.claim.jaxtyping is None or (self.plain and self.claim.rank == UNKNOWN_RANK):
            return array.args[1]
        rank: RankFacts = self.claim.rank if self.plain else nested(self.claim.rank, rank_of(array))
        return rank_argument(rank, self.session.symbols)

    def _numpy_array(self, typ: Type, array: Instance) -> Type | None:
        symbols = self.session.symbols
        whole = array if array.args else symbols.instance(array.type.fullname)
        if whole is None or self.claim.dtype is dt.Shaped:
            return typ
        dtype = get_proper_type(whole.args[1])
        scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else dtype
        known = numpy_scalars.dtypes_of_scalar(scalar, self.session.platform)
        if known is not None:
            left = self._admitted(known)
            if not left:
                return None
            if left == known:
                return typ
        elif isinstance(scalar, AnyType) or _is_generic(scalar):
            left = numpy_scalars.dtypes_under(self.claim.dtype)
        else:
            return typ
        return numpy_array(whole, left, symbols, keep_shape=True) or typ

    def _numpy_scalar(self, typ: Type, scalar: Instance) -> Type | None:
        known = numpy_scalars.dtypes_of_scalar(scalar, self.session.platform)
        if known is None:
            return typ
        left = self._admitted(known)
        if not left:
            return None
        return typ if left == known else numpy_scalars.scalar_of(left, self.session.symbols) or typ

    def _admitted(self, known: frozenset[type[dt.Shaped]]) -> frozenset[type[dt.Shaped]]:
        left = frozenset(dtype for dtype in known if issubclass(dtype, self.claim.dtype))
        if not left:
            category = categories.smallest_category(known)
            self.refused.append(category.name if known == categories.members(category) else dtypes_text(known))
        return left


def _is_generic(scalar: ProperType) -> bool:
    """Whether that is `numpy.generic`, which stands for every dtype."""
    return isinstance(scalar, Instance) and scalar.type.fullname == names.NUMPY_GENERIC
