"""The results of `promo-mypy infer` as plain values."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from promo_mypy.checking.left_out import LeftOut


class Place(NamedTuple):
    """The place of an expression, numbered as in Python's `ast`.

    Lines count from 1, columns from 0 in bytes of UTF-8; the end is after the last character.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class How(StrEnum):
    """How the dtype of an array expression is known."""

    DECLARED = "declared"
    """Its annotation tells."""
    INFERRED = "inferred"
    """mypy and the plugin infer it."""
    FOLLOWED = "followed"
    """mypy has no type for it, but it follows from known ones: through names, calls and attributes of the program."""
    OBSERVED = "observed"
    """The user's profile has it, which was recorded from runs."""
    DECIDED = "decided"
    """Each call of the function decides it: it follows from the dtypes of parameters."""
    NONE = "none"
    """The library rejects the operation, or the value is no array."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class InferredExpression:
    """An array expression and every dtype that its value may have.

    Attributes:
        path: its file, as mypy names it, with `/` between folders.
        place: its place in the file.
        library: the array library, as in the option `system`; None if several libraries are possible.
        system: the promotion system of these arrays in the module; None for several libraries.
        dtypes: names without a weak mark, sorted by kind and width; empty if unknown.
        weak: whether the dtype is a weak JAX dtype; None if that, or the dtype, is unknown.
        is_observed: whether the dtype comes from the user's profile, which was recorded from runs.
        if_empty: the dtypes that a call has only if a sequence among its arguments is empty.
    """

    path: str
    place: Place
    library: str | None
    system: str | None
    dtypes: tuple[str, ...]
    weak: bool | None
    is_observed: bool = False
    if_empty: tuple[str, ...] = ()

    @property
    def dtype(self) -> str | None:
        """The dtype, if there is exactly one that the value may have."""
        return self.dtypes[0] if len(self.dtypes) == 1 else None


@dataclass(frozen=True, slots=True)
class Inference:
    """The array expressions of some files.

    Attributes:
        files: the files, in the order of their names.
        expressions: sorted by file and place; if two begin together, the one that ends first comes first.
        errors: mypy's errors, one line each. The rest of a file with errors is still inferred.
        left_out: the files that could not be parsed, sorted.
    """

    files: tuple[str, ...]
    expressions: tuple[InferredExpression, ...]
    errors: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
