"""The figures of `promo-mypy coverage` as plain values: known dtypes for each file, and the causes of unknown ones."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from enum import StrEnum
from operator import add

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.program.expressions import Place


class Kind(StrEnum):
    """The kind of a cause of an unknown dtype."""

    CALL = "call"
    METHOD = "method"
    ATTRIBUTE = "attribute"
    SUBSCRIPT = "subscript"
    OPERATION = "operation"
    FUNCTION = "function"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    VALUE = "value"
    UNCHECKED = "unchecked"


_TEXTS: Mapping[Kind, str] = {
    Kind.CALL: "{name}()",
    Kind.METHOD: "{name}()",
    Kind.ATTRIBUTE: "{name}",
    Kind.SUBSCRIPT: "{name}[...]",
    Kind.OPERATION: "operation {name}",
    Kind.FUNCTION: "{name}() has no dtype in the annotation of its result",
    Kind.PARAMETER: "parameter {name} has no dtype annotation",
    Kind.VARIABLE: "{name} has no dtype annotation",
    Kind.VALUE: "{name} is of unknown type",
    Kind.UNCHECKED: "{name} has no annotations, and mypy does not check it",
}


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """The cause of an unknown dtype, and its name: "jax.numpy.asarray", "numpy.ndarray.dot", "`x` of f"."""

    kind: Kind
    name: str

    @property
    def text(self) -> str:
        """The cause in words."""
        return _TEXTS[self.kind].format(name=self.name)


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of array expressions by what is known of their dtype.

    Attributes:
        exact: exactly one possible dtype.
        several: one of several known dtypes: a category or a union.
        relative: the dtype that a parameter of the function has, or that follows from it.
        no_dtype: operations that the library rejects.
        unknown: an unknown dtype.
    """

    exact: int = 0
    several: int = 0
    relative: int = 0
    no_dtype: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(astuple(self))

    @property
    def percent(self) -> float:
        """The share that is not unknown; 100 if there are no array expressions."""
        return self.share(self.total - self.unknown) if self.total else 100.0

    def share(self, part: int) -> float:
        """A part of all expressions, in percent; 0 if there are no expressions."""
        return 100 * part / self.total if self.total else 0.0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """The array expressions of a file, and the places of the unknown ones by cause.

    `annotated`: those in functions whose array parameters all have exact dtypes.
    """

    path: str
    counts: Counts
    annotated: Counts
    causes: Mapping[Cause, tuple[Place, ...]]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The array expressions of some files, sorted by path, mypy's errors, and the files that could not be parsed."""

    files: tuple[FileCoverage, ...]
    errors: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def counts(self) -> Counts:
        """The sum over all files."""
        return sum((file.counts for file in self.files), Counts())

    @property
    def annotated(self) -> Counts:
        """The sum of the expressions in functions that annotate exact dtypes."""
        return sum((file.annotated for file in self.files), Counts())

    @property
    def causes(self) -> dict[Cause, int]:
        """Cause -> the number of its unknown expressions, largest first."""
        counts: Counter[Cause] = Counter()
        for file in self.files:
            counts.update({cause: len(places) for cause, places in file.causes.items()})
        return ranked(counts)


def ranked(causes: Mapping[Cause, int]) -> dict[Cause, int]:
    """The causes, sorted by their number of unknown expressions and then by name."""
    return dict(sorted(causes.items(), key=lambda item: (-item[1], item[0])))


def grouped(found: Iterable[tuple[Cause, Place]]) -> dict[Cause, tuple[Place, ...]]:
    """Group pairs of cause and place as cause -> places; the cause with most places first."""
    places: dict[Cause, list[Place]] = {}
    for cause, place in found:
        places.setdefault(cause, []).append(place)
    return {cause: tuple(sorted(places[cause])) for cause in ranked({each: len(places[each]) for each in places})}
