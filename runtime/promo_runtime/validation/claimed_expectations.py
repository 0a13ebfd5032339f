"""Narrow the expectation of a type by a claim around it: `Annotated[X, dtype]`, `Float32[X, "n"]`."""

from dataclasses import replace

from promo_mypy.rules.wording.annotation_faults import contradiction
from promo_runtime.validation.expectations import (
    Dtypes,
    Expected,
    ExpectedArray,
    ExpectedUnion,
    ExpectedVariable,
)


class AnnotationError(TypeError):
    """An annotation that contradicts itself, as `Annotated[NDArray[np.float64], np.float32]` does.

    The message is the text of `promo-annotation`.
    """

    __module__ = "promo_runtime"  # its public module, which tracebacks show


def claimed(expected: Expected | None, claim: Dtypes) -> Expected | None:
    """The expectation narrowed by a claim. Raises AnnotationError if nothing is left."""
    if isinstance(expected, ExpectedArray):
        if expected.dtypes is None:
            return replace(expected, dtypes=claim)
        left = expected.dtypes.both(claim)
        if left.admitted:
            return replace(expected, dtypes=left)
        fault = contradiction(claim.text, expected.dtypes.text)
        raise AnnotationError(f"{fault.problem}; {fault.remedy}")
    if isinstance(expected, ExpectedVariable):
        return replace(expected, inner=claimed(expected.inner, claim))
    if isinstance(expected, ExpectedUnion):
        return _union(expected, claim)
    return expected


def _union(union: ExpectedUnion, claim: Dtypes) -> Expected:
    left: list[Expected] = []
    fault: AnnotationError | None = None
    for member in union.members:
        try:
            part = claimed(member, claim)
        except AnnotationError as error:
            fault = error
        else:
            if part is not None:
                left.append(part)
    if fault is not None and not left:
        raise fault
    return ExpectedUnion(tuple(left))


def argued(expected: Expected | None, argument: Expected) -> Expected | None:
    """The expectation with a type variable or a promotion as the dtype of each array without one."""
    if isinstance(expected, ExpectedArray) and isinstance(argument, ExpectedArray):
        exact = expected.dtypes is not None and len(expected.dtypes.admitted) == 1
        if exact or expected.variable is not None:
            return expected
        return replace(argument, cls=expected.cls, dtypes=argument.dtypes or expected.dtypes)
    if isinstance(expected, ExpectedUnion):
        members = (argued(member, argument) for member in expected.members)
        return replace(expected, members=tuple(member for member in members if member is not None))
    return expected
