"""Infer the possible dtypes of each array expression in some files."""

from collections.abc import Iterable
from pathlib import Path

from promo_mypy.checking.runs import Progress, unheard
from promo_mypy.plugin.interface.arrays import system_name
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.checked.program import Program
from promo_mypy.program.expressions import How, Inference, InferredExpression
from promo_mypy.program.kept import answered
from promo_mypy.program.model import models_of
from promo_mypy.rules import dtypes as dt


def infer(paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard) -> Inference:
    """Infer every array expression in files and folders: see `answered`."""
    return answered(Inference, inference_of, paths, config_file, progress, if_empty=True)


def inference_of(program: Program) -> Inference:
    """The array expressions of a program."""
    expressions = [
        found
        for model in models_of(program).values()
        for expression in model.module.expressions
        if (found := inferred(expression, model.module)) is not None
    ]
    files = tuple(module.path for module in program.modules)
    return Inference(files, tuple(expressions), program.errors, program.left_out)


def inferred(expression: Known, module: Module) -> InferredExpression | None:
    """An expression as plain values; None if it is not an array."""
    arrays = expression.arrays
    if arrays is None:
        return None
    library = next(iter(arrays.libraries)) if len(arrays.libraries) == 1 else None
    system = system_name(module.options, library) if library is not None else None
    dtypes = arrays.dtypes or frozenset()
    weak = {dtype.weak for dtype in dtypes}
    return InferredExpression(
        module.path,
        expression.place,
        library.value if library is not None else None,
        system,
        names_of(dtypes),
        weak.pop() if len(weak) == 1 else None,
        expression.how is How.OBSERVED,
        tuple(sorted(expression.if_empty - set(names_of(dtypes)))) if dtypes else (),
    )


def names_of(dtypes: Iterable[type[dt.Shaped]]) -> tuple[str, ...]:
    """Names of dtypes without a weak mark, sorted by kind and width."""
    strong = {dtype.strong for dtype in dtypes}
    return tuple(dtype.name for dtype in sorted(strong, key=lambda dtype: (dtype.kind, dtype.bits, dtype.name)))
