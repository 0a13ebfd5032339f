"""Read annotations as expectations about values, in all forms that the mypy plugin reads.

An annotation without an array or a dtype, or one that cannot be read, expects nothing.
"""

import collections
import collections.abc
import types
import typing
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, Final, Literal, TypeVar

import numpy as np

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.promoted import Promote
from promo_runtime.actual_dtypes import ABSTRACT, Actual, library_of_class, named_dtype
from promo_runtime.numpy_dtypes import NUMPY_DTYPES
from promo_runtime.validation.annotation_strings import Names, Unknown, annotations_of, evaluated, forward_text
from promo_runtime.validation.claimed_expectations import AnnotationError, argued, claimed
from promo_runtime.validation.expectations import (
    Dtypes,
    Expected,
    ExpectedArray,
    ExpectedClass,
    ExpectedEntries,
    ExpectedFields,
    ExpectedItems,
    ExpectedTree,
    ExpectedUnion,
    ExpectedVariable,
    Promotion,
)

_ITEMS: Final = (
    list, set, frozenset, collections.deque, collections.abc.Collection, collections.abc.Iterable,
    collections.abc.MutableSequence, collections.abc.MutableSet, collections.abc.Reversible, collections.abc.Sequence,
    collections.abc.Set,
)  # fmt: skip
_ENTRIES: Final = (
    dict, collections.OrderedDict, collections.defaultdict, collections.abc.Mapping, collections.abc.MutableMapping,
    types.MappingProxyType,
)  # fmt: skip
# jaxtyping's names of dtypes that differ from the rules.
_JAXTYPING: Final[Mapping[str, Actual]] = {"bool_": dt.bool_, "prng_key": dt.key}
# Qualifiers around a type; `InitVar[X]` has its own class.
_AROUND: Final = frozenset({"ClassVar", "Final", "NotRequired", "ReadOnly", "Required"})


@dataclass(slots=True)
class AnnotationReader:
    """Reads the annotations of one function or class. `names`: the names for strings in them."""

    names: Names
    promotes: bool = False
    """Whether an annotation contained a `Promote`."""
    _open: list[Any] = field(default_factory=list)
    """Aliases and classes that are being read: a recursive one expects nothing."""

    def read_for(self, place: str, annotation: Any) -> Expected | None:
        """The same, for the annotation of a place ("parameter x of f") that an AnnotationError names."""
        try:
            return self.read(annotation)
        except AnnotationError as error:
            raise AnnotationError(f"{place}: {error}") from None
        except Exception:  # from a user's class that cannot be inspected; the annotation is then ignored
            return None

    def read(self, annotation: Any) -> Expected | None:
        """The expectation of the annotation. Raises AnnotationError."""
        text = forward_text(annotation)
        if text is not None:
            return self.read(evaluated(text, self.names))
        if annotation is Unknown:
            return None
        if isinstance(annotation, TypeVar):
            return self._variable(annotation)
        if isinstance(annotation, InitVar):
            return self.read(annotation.type)
        if type(annotation).__name__ == "TypeAliasType":
            return self._inside(annotation, annotation.__value__)
        if isinstance(annotation, typing.NewType):
            return self.read(annotation.__supertype__)
        if typing.get_origin(annotation) is not None:
            return self._subscripted(annotation)
        return self._class(annotation) if isinstance(annotation, type) else None

    def _subscripted(self, annotation: Any) -> Expected | None:
        """What an annotation with arguments expects: `list[A]`, `A | B`, `Annotated[A, "n"]`."""
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is Annotated:
            return self._annotated(arguments[0], annotation.__metadata__)
        if origin in (typing.Union, types.UnionType):
            return self._union(arguments)
        if getattr(origin, "_name", None) in _AROUND:
            return self.read(arguments[0])
        if type(origin).__name__ == "TypeAliasType":
            return self._inside(annotation, origin.__value__[arguments])
        if isinstance(origin, type):
            return self._generic(origin, arguments)
        if origin is Literal:
            return ExpectedUnion(tuple(ExpectedClass(type(value)) for value in arguments))
        return None

    def _inside(self, key: Any, annotation: Any) -> Expected | None:
        if key in self._open:
            return None
        self._open.append(key)
        try:
            return self.read(annotation)
        finally:
            self._open.pop()

    def _variable(self, variable: TypeVar) -> Expected:
        inner = self._union(variable.__constraints__) if variable.__constraints__ else self.read(variable.__bound__)
        return ExpectedVariable(variable, inner)

    def _union(self, arguments: tuple[Any, ...]) -> Expected | None:
        members: list[Expected] = []
        for argument in arguments:
            member = self.read(argument)
            if isinstance(member, ExpectedVariable):
                member = member.inner
            if member is None:  # any value may belong to the unreadable member
                return None
            members += member.members if isinstance(member, ExpectedUnion) else [member]
        return ExpectedUnion(tuple(members))

    def _class(self, cls: type) -> Expected | None:
        if issubclass(cls, np.generic):
            return ExpectedArray(cls, self._scalars(cls)) if self._scalars(cls) is not None else ExpectedClass(cls)
        if library_of_class(cls) is not None:
            return ExpectedArray(cls)
        if hasattr(cls, "array_type") and hasattr(cls, "dim_str"):
            return self._jaxtyping(cls)
        if hasattr(cls, "leaftype") and hasattr(cls, "structure"):
            leaf = self.read(cls.leaftype)
            return ExpectedTree(leaf) if leaf is not None else None
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return self._named_fields(cls) or ExpectedClass(cls)
        if typing.is_typeddict(cls):
            return self._named_fields(cls)
        return ExpectedClass(cls) if _excludes_arrays(cls) else None

    def _named_fields(self, cls: type) -> Expected | None:
        if cls in self._open:
            return None
        self._open.append(cls)
        outer, self.names = self.names, Names(cls)
        try:
            read = [(name, self.read(annotation)) for name, annotation in annotations_of(cls).items()]
        finally:
            self.names = outer
            self._open.pop()
        fields = tuple((name, expected) for name, expected in read if expected is not None)
        return ExpectedFields(cls if issubclass(cls, tuple) else dict, fields) if fields else None

    def _generic(self, origin: type, arguments: tuple[Any, ...]) -> Expected | None:
        if origin is np.ndarray:
            return self._with_dtype(origin, self._numpy_argument(arguments[1]) if len(arguments) > 1 else None)
        if issubclass(origin, np.generic):
            return self._class(origin)
        if library_of_class(origin) is not None:
            return self._with_dtype(origin, arguments[0])
        if origin is tuple:
            return self._tuple(arguments)
        if origin in _ITEMS:
            item = self.read(arguments[0])
            return ExpectedItems(origin, item) if item is not None else ExpectedClass(origin)
        if origin in _ENTRIES:
            key, value = map(self.read, arguments)
            said = key is not None or value is not None
            return ExpectedEntries(origin, key, value) if said else ExpectedClass(origin)
        return ExpectedClass(origin) if _excludes_arrays(origin) else None

    def _tuple(self, arguments: tuple[Any, ...]) -> Expected | None:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            item = self.read(arguments[0])
            return ExpectedItems(tuple, item) if item is not None else ExpectedClass(tuple)
        if any(typing.get_origin(argument) is typing.Unpack for argument in arguments):
            return ExpectedClass(tuple)
        read = [(place, self.read(argument)) for place, argument in enumerate(arguments)]
        return ExpectedFields(tuple, tuple((p, e) for p, e in read if e is not None), length=len(arguments))

    def _numpy_argument(self, written: Any) -> Any:
        """`X` of `np.dtype[X]`."""
        if typing.get_origin(written) is np.dtype:
            return typing.get_args(written)[0]
        if isinstance(written, type) and issubclass(written, np.dtype) and written is not np.dtype:
            family: Any = written
            try:
                return family()
            except TypeError:  # such as the dtypes of records
                return None
        return None

    def _with_dtype(self, cls: type, written: Any) -> Expected:
        """An array of a class, whose dtype is a type argument or metadata."""
        text = forward_text(written)
        if text is not None:
            written = evaluated(text, self.names)
        if isinstance(written, TypeVar):
            constraints = self._either(written.__constraints__) if written.__constraints__ else None
            return ExpectedArray(cls, constraints or self._dtypes(written.__bound__), variable=written)
        promotion = self._promotion(written)
        if promotion is not None:
            return ExpectedArray(cls, promotion=promotion)
        return ExpectedArray(cls, self._dtypes(written))

    def _promotion(self, written: Any) -> Promotion | None:
        if typing.get_origin(written) is not Promote:
            return None
        self.promotes = True
        operands = []
        for argument in typing.get_args(written):
            inner = self._promotion(argument)
            operands.append(inner or forward_text(argument) or argument)
        return Promotion(tuple(operands))

    def _dtypes(self, written: Any) -> Dtypes | None:
        """The dtypes that a type argument or metadata admits: a dtype, a category, a union of them."""
        origin = typing.get_origin(written)
        if origin in (typing.Union, types.UnionType):
            return self._either(typing.get_args(written))
        cls = origin if isinstance(origin, type) else written
        if isinstance(cls, type) and issubclass(cls, np.generic):
            return self._scalars(cls)
        named = named_dtype(written)
        if not isinstance(named, type) or named is dt.Shaped:
            return None
        return Dtypes(under(named), named.name)

    def _either(self, members: tuple[Any, ...]) -> Dtypes | None:
        read = [self._dtypes(member) for member in members]
        known = [each for each in read if each is not None]
        if not known or len(known) < len(read):
            return None
        found, *others = known
        for other in others:
            found = found.either(other)
        return found

    def _scalars(self, cls: type[np.generic]) -> Dtypes | None:
        """The dtypes that a NumPy scalar class admits; None for all dtypes and for classes that are not numbers."""
        if cls not in ABSTRACT:
            named = named_dtype(cls)
            return Dtypes(frozenset({named}), named.name) if isinstance(named, type) else None
        admitted = frozenset(dtype for dtype, numpy in NUMPY_DTYPES.items() if issubclass(numpy.type, cls))
        return Dtypes(admitted, f"np.{cls.__name__}") if admitted and cls is not np.generic else None

    def _jaxtyping(self, cls: Any) -> Expected | None:
        inner = self.read(cls.array_type) if cls.array_type is not Any else ExpectedArray(None)
        names = cls.dtypes
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            return inner  # any dtype, or regular expressions over names that only jaxtyping knows
        admitted = frozenset(_JAXTYPING.get(name) or dt.DTYPES.get(name, name) for name in names)
        return claimed(inner, Dtypes(admitted, cls.dtype.__name__))

    def _annotated(self, annotation: Any, metadata: tuple[Any, ...]) -> Expected | None:
        expected = self.read(annotation)
        for each in metadata:
            if isinstance(each, TypeVar) or typing.get_origin(each) is Promote:
                expected = argued(expected, self._with_dtype(np.ndarray, each))
        claim = next(filter(None, map(self._dtypes, metadata)), None)
        return claimed(expected, claim) if claim is not None else expected


def _excludes_arrays(cls: type) -> bool:
    """Whether an array is not a value of the class unless `isinstance` confirms it."""
    return cls not in (Any, object) and not getattr(cls, "_is_protocol", False)


def under(cls: type[dt.Shaped]) -> frozenset[Actual]:
    """The dtypes that a dtype or category admits: itself, or all below it."""
    return frozenset(dtype for dtype in dt.DTYPES.values() if issubclass(dtype, cls.strong if cls.exact else cls))
