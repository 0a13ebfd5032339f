"""What is known about one array expression, in plain values."""

from dataclasses import dataclass

from promo_mypy.checking.left_out import LeftOut


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an expression stands, in the numbers that Python's `ast` gives its node.

    Lines count from 1, columns from 0 in bytes of UTF-8; the end is behind the last character.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class InferredExpression:
    """An array expression and every dtype that its value may have.

    Attributes:
        path: its file, as mypy names it, with `/` between folders.
        place: where it stands there.
        library: the array library, as in the option `system`; None if the value may be of several.
        system: the promotion system that such arrays follow in the module; None if there are several libraries.
        dtypes: names of the rules, without a sign of weakness, sorted by kind and width; empty if nothing is known.
        weak: whether the dtype is a weak one of JAX; None if that, or the dtype, is not known.
    """

    path: str
    place: Place
    library: str | None
    system: str | None
    dtypes: tuple[str, ...]
    weak: bool | None

    @property
    def dtype(self) -> str | None:
        """The dtype, if there is exactly one that the value may have."""
        return self.dtypes[0] if len(self.dtypes) == 1 else None


@dataclass(frozen=True, slots=True)
class Inference:
    """The array expressions of some files.

    Attributes:
        files: the files, in the order of their names.
        expressions: sorted by file and place; of two that begin together, the one that ends first.
        errors: mypy's errors, one line each; they do not keep the rest of a file from being known.
        left_out: the files that could not be parsed, sorted.
    """

    files: tuple[str, ...]
    expressions: tuple[InferredExpression, ...]
    errors: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
