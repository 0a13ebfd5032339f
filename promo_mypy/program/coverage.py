"""Count the array expressions with a known dtype, and the causes of unknown dtypes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from promo_mypy.checking.runs import Progress, unheard
from promo_mypy.program.checked.modules import Known
from promo_mypy.program.checked.program import Program
from promo_mypy.program.counts import Cause, Counts, Coverage, FileCoverage, grouped
from promo_mypy.program.expressions import How, Place
from promo_mypy.program.kept import answered
from promo_mypy.program.model import ModuleModel, models_of

_GROUPS: Final[Mapping[How, str]] = {How.NONE: "no_dtype", How.DECIDED: "relative", How.UNKNOWN: "unknown"}


def coverage(paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard) -> Coverage:
    """Count the array expressions of known dtype in files and folders: see `answered`."""
    return answered(Coverage, covered, paths, config_file, progress)


def covered(program: Program) -> Coverage:
    """The figures of a program."""
    files = map(_file, models_of(program).values())
    return Coverage(tuple(files), program.errors, program.left_out)


def _file(model: ModuleModel) -> FileCoverage:
    module, scopes = model.module, model.candidates.scopes
    counts, annotated = Counter[str](), Counter[str]()
    lost: list[tuple[Cause, Place]] = []
    for each in model.counted:
        group = counted_as(each, model)
        counts[group] += 1
        if group == "unknown":
            lost.append((model.cause(each), each.place))
        function = scopes.definition(each.syntax)
        if function is not None and function.lineno in module.exact_functions:
            annotated[group] += 1
    return FileCoverage(module.path, Counts(**counts), Counts(**annotated), grouped(lost))


def counted_as(expression: Known, model: ModuleModel) -> str:
    """The name of the figure of `Counts` in which an expression counts."""
    how = model.how(expression)
    return _GROUPS.get(how) or ("exact" if len(expression.dtypes) == 1 else "several")
