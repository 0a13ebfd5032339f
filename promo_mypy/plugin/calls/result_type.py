"""Build the type of a call's result from the answers of the rules and the type that the library declares."""

from collections.abc import Sequence

from mypy.typeops import make_simplified_union
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type, get_proper_types

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.fill import argument_for, declared_type, filled, unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import library_of, numpy_array
from promo_mypy.plugin.types.unknown_dtypes import with_unknown_dtypes
from promo_mypy.plugin.types.walks import opened, with_parts
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts

DTypeSet = frozenset[type[dt.Shaped]]


def typed(
    answers: Sequence[Answer],
    declared: Type,
    library: Library,
    session: Session,
    *,
    scalar: bool | None,
    is_guess: bool = False,
    rank: RankFacts = UNKNOWN_RANK,
    named: TupleType | None = None,
) -> Type:
    """The declared type with the dtypes of the answers. If an answer has none, only the rank is filled in.

    `scalar`: whether NumPy returns a scalar, if its stubs declare neither; None if unknown.
    `is_guess`: whether the dtypes in the declared type are one of several possibilities. Then they become unknown.
    `named`: the tuple that the library returns for several results, if it does not declare one.
    """
    made = _Results(library, session, scalar, is_guess, rank, named)
    if not answers or any(answer is None for answer in answers):
        return made.unanswered(declared)
    if all(isinstance(answer, tuple) for answer in answers):
        tuples = [answer for answer in answers if isinstance(answer, tuple)]
        return made.tuple_of(tuples, declared)
    singles = [answer for answer in answers if not isinstance(answer, tuple)]
    return made.part(singles, declared) if len(singles) == len(answers) else made.unanswered(declared)


class _Results:
    """Builds the types of the results of one call."""

    def __init__(
        self,
        library: Library,
        session: Session,
        scalar: bool | None,
        is_guess: bool,
        rank: RankFacts,
        named: TupleType | None,
    ) -> None:
        self._library = library
        self._rank = rank
        self._session = session
        self._scalar = scalar
        self._is_guess = is_guess
        self._named = named

    def unanswered(self, declared: Type) -> Type:
        """The declared type with the rank, for a call for which the rules have no dtypes."""
        if self._rank != UNKNOWN_RANK:
            return filled(declared, unknown(), self._rank, self._session)
        return with_unknown_dtypes(declared) if self._is_guess else declared

    def tuple_of(self, answers: Sequence[tuple[Part, ...]], declared: Type) -> Type:
        """The type of a tuple of results, item by item."""
        lengths = {len(answer) for answer in answers}
        if len(lengths) > 1:
            return self.unanswered(declared)
        proper = get_proper_type(declared)
        if isinstance(proper, AnyType) and self._named is not None:
            proper = self._named
        parts = list(zip(*answers, strict=True))
        if isinstance(proper, UnionType):
            # The rules know the flag that decides between the members: the one with as many items is meant.
            tuples = [item for item in map(get_proper_type, proper.items) if isinstance(item, TupleType)]
            fitting = [item for item in tuples if len(item.items) == len(parts)]
            proper = fitting[0] if len(fitting) == 1 else proper
        if isinstance(proper, TupleType) and len(proper.items) == len(parts):
            items = [self.part(part, item) for part, item in zip(parts, proper.items, strict=True)]
            return proper.copy_modified(items=items)
        any_length = isinstance(proper, Instance) and proper.type.fullname == "builtins.tuple"
        if any_length or isinstance(proper, AnyType):
            item = proper.args[0] if isinstance(proper, Instance) else proper
            items = [self.part(part, item) for part in parts]
            fallback = self._session.symbols.instance("builtins.tuple", [make_simplified_union(items)])
            return TupleType(items, fallback) if fallback is not None else self.unanswered(declared)
        return self.unanswered(declared)

    def part(self, answers: Sequence[Part], declared: Type) -> Type:
        """The type of one array, or of a sequence of equal arrays."""
        if any(answer is None for answer in answers):
            return self.unanswered(declared)
        if all(isinstance(answer, Repeated) for answer in answers):
            dtypes = self._dtypes([answer.of for answer in answers if isinstance(answer, Repeated)])
            declared = declared_type(declared, self._library, self._session, several=True)
            known = None if _is_any(declared) else dtypes
            return self.unanswered(declared) if known is None else self._filled(declared, known)
        singles = [answer for answer in answers if isinstance(answer, type)]
        scalars = [answer for answer in singles if issubclass(answer, dt.PythonScalar)]
        if scalars and len(scalars) == len(answers):
            return self._python(scalars, declared)
        dtypes = self._dtypes(singles) if len(singles) == len(answers) else None
        if isinstance(get_proper_type(declared), TupleType):
            declared = AnyType(TypeOfAny.special_form)  # one array for these arguments, several by the stubs
        return self.unanswered(declared) if dtypes is None else self._filled(declared, dtypes)

    @staticmethod
    def _dtypes(answers: Sequence[type]) -> DTypeSet | None:
        if not all(issubclass(answer, dt.Shaped) for answer in answers):
            return None
        return frozenset(answers)

    def _python(self, scalars: Sequence[type[dt.PythonScalar]], declared: Type) -> Type:
        """The Python number that a call returns; the declared type if several are possible."""
        is_undecided = isinstance(get_proper_type(declared), AnyType | UnionType)
        if not is_undecided or len(set(scalars)) > 1:
            return self.unanswered(declared)
        return self._session.symbols.instance(f"builtins.{scalars[0].name.removeprefix('py_')}") or declared

    def _filled(self, declared: Type, dtypes: DTypeSet) -> Type:
        if self._library is Library.NUMPY:
            return self._numpy(declared, dtypes)
        declared = declared_type(declared, self._library, self._session)
        return filled(declared, argument_for(dtypes, self._session), self._rank, self._session)

    def _numpy(self, declared: Type, dtypes: DTypeSet) -> Type:
        proper = opened(declared)
        symbols = self._session.symbols
        match proper:
            case AnyType():
                return self._numpy_of_any_form(dtypes) or declared
            case UnionType():
                if any(_is_any(item) for item in proper.items):
                    return self._numpy_of_any_form(dtypes) or declared
                arrays = [item for item in get_proper_types(proper.items) if library_of(item) is not None]
                # A scalar or an array: the axes decide.
                items = arrays if arrays and self._scalar is False else proper.items
                return make_simplified_union([self._numpy(item, dtypes) for item in items])
            case TupleType():
                return with_parts(declared, lambda item: self._numpy(item, dtypes))
            case Instance() if proper.type.fullname in names.NUMPY_ARRAYS:
                return numpy_array(proper, dtypes, symbols, keep_shape=True) or declared
            case Instance() if numpy_scalars.is_scalar(proper) or proper.type.fullname == names.NUMPY_GENERIC:
                if numpy_scalars.dtypes_of_scalar(proper, self._session.platform) == dtypes:
                    return declared
                return numpy_scalars.scalar_of(dtypes, symbols) or declared
            case Instance() if proper.type.fullname == names.NUMPY_DTYPE:
                scalar = numpy_scalars.scalar_of(dtypes, symbols)
                return declared if scalar is None else proper.copy_modified(args=[scalar])
            case Instance() if proper.type.fullname in names.SEQUENCES:
                return with_parts(declared, lambda item: self._numpy(item, dtypes))
            case _:
                return declared

    def _numpy_of_any_form(self, dtypes: DTypeSet) -> Type | None:
        """A scalar or an array, if NumPy's stubs declare neither. The mark of an array stands for both."""
        symbols = self._session.symbols
        if self._scalar:
            return numpy_scalars.scalar_of(dtypes, symbols)
        array = symbols.instance(names.NUMPY_ARRAY)
        if array is None:
            return None
        return numpy_array(array, dtypes, symbols, keep_shape=False)


def _is_any(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), AnyType)
