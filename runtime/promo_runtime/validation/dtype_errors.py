"""The error for an array whose dtype differs from its annotation."""

import sys
from dataclasses import dataclass
from types import FrameType
from typing import Final

# Packages whose frames may be between a checked function and its caller.
_BETWEEN: Final = frozenset({"beartype", "contextlib", "functools", "jax", "jaxtyping", "promo_runtime", "typeguard"})


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a program."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class DtypeError(TypeError):
    """An array's dtype differs from its annotation.

    Attributes:
        subject: the value with the dtype: `argument batch["x"][0]`, `result[1]`.
        function: the qualified name of the function or class that has the annotation.
        expected, actual: the dtypes.
        annotation: the annotation's text.
        origin: where the array came from: the line of the call for an argument, of the function for its result.
    """

    __module__ = "promo_runtime"  # its public module, which tracebacks show

    def __init__(
        self, *, subject: str, function: str, expected: str, actual: str, annotation: str, origin: Place | None
    ) -> None:
        self.subject, self.function = subject, function
        self.expected, self.actual = expected, actual
        self.annotation, self.origin = annotation, origin
        super().__init__(str(self))

    def __str__(self) -> str:
        origin = f"\n  came from   {self.origin}" if self.origin is not None else ""
        return (
            f"{self.subject} of {self.function}: expected {self.expected}, got {self.actual}"
            f"\n  annotation  {self.annotation}{origin}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        state = (self.subject, self.function, self.expected, self.actual, self.annotation, self.origin)
        return _restored, state


def _restored(
    subject: str, function: str, expected: str, actual: str, annotation: str, origin: Place | None
) -> DtypeError:
    return DtypeError(
        subject=subject, function=function, expected=expected, actual=actual, annotation=annotation, origin=origin
    )


def calling_place() -> Place | None:
    """The innermost line outside this package and function wrappers; None if there is no such line."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package not in _BETWEEN and not frame.f_code.co_filename.startswith("<"):
            return Place(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None
