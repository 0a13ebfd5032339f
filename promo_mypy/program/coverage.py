"""Count the array expressions with a known dtype, and the causes of unknown dtypes."""

from collections.abc import Iterable
from pathlib import Path

from promo_mypy.checking.runs import Progress, unheard
from promo_mypy.program.checked.modules import Known
from promo_mypy.program.checked.program import Program
from promo_mypy.program.counts import Cause, Counts, Coverage, FileCoverage, grouped
from promo_mypy.program.expressions import How, Place
from promo_mypy.program.kept import answered
from promo_mypy.program.model import ModuleModel, models_of


def coverage(paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard) -> Coverage:
    """Count the array expressions of known dtype in files and folders: see `answered`."""
    return answered(Coverage, covered, paths, config_file, progress)


def covered(program: Program) -> Coverage:
    """The figures of a program with the dtypes that follow from known ones."""
    files = map(_file, models_of(program).values())
    return Coverage(tuple(files), program.errors, program.left_out)


def _file(model: ModuleModel) -> FileCoverage:
    module, scopes = model.module, model.candidates.scopes
    counts, annotated = Counts(), Counts()
    lost: list[tuple[Cause, Place]] = []
    for each in model.counted:
        count = counted_as(each, model)
        counts += count
        if count.unknown:
            lost.append((model.cause(each), each.place))
        function = scopes.definition(each.syntax)
        if function is not None and function.lineno in module.exact_functions:
            annotated += count
    return FileCoverage(module.path, counts, annotated, grouped(lost))


def counted_as(expression: Known, model: ModuleModel) -> Counts:
    """The figures of one expression."""
    match model.how(expression):
        case How.NONE:
            return Counts(no_dtype=1)
        case How.DECIDED:
            return Counts(relative=1)
        case How.UNKNOWN:
            return Counts(unknown=1)
    return Counts(exact=1) if len(expression.dtypes) == 1 else Counts(several=1)
