"""Count the array expressions with a known dtype, and the causes of unknown dtypes."""

from collections.abc import Iterable
from pathlib import Path

from mypy.types import has_type_vars

from promo_mypy.checking.runs import Progress, unheard
from promo_mypy.inference.causes import Losses
from promo_mypy.inference.counts import Cause, Counts, Coverage, FileCoverage, Kind, grouped
from promo_mypy.inference.decided_by_calls import DecidedByCalls
from promo_mypy.inference.elements import with_elements
from promo_mypy.inference.program import Known, Module, Program, check
from promo_mypy.inference.scopes import Scopes


def coverage(
    paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard, plugin: bool = True
) -> Coverage:
    """Count the array expressions of known dtype in files and folders.

    It counts the expressions of `infer`, and expressions of type Any that stand for arrays: see
    `Losses.stands_for_array`. A dtype that a type variable or `Promote["x"]` stands for counts as several: each call
    decides it. An operation that the library rejects has no dtype and does not count.

    Args:
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.
        plugin: whether to use the plugin; without it the figures are those of stock mypy.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
    """
    program = check(paths, config_file=config_file, progress=progress, plugin=plugin)
    return counted(with_elements(program) if plugin else program)


def counted(program: Program) -> Coverage:
    """The figures of a program."""
    names = frozenset(module.name for module in program.modules)
    return Coverage(tuple(_file(module, names) for module in program.modules), program.errors, program.left_out)


def _file(module: Module, program: frozenset[str]) -> FileCoverage:
    scopes = Scopes(module.tree)
    losses = Losses(module, scopes, program)
    decided = DecidedByCalls(module, scopes)
    counts = annotated = Counts()
    lost: list[tuple[Cause, int]] = []
    for each in module.expressions:
        count, cause = _count(each, module, losses, decided)
        counts += count
        if cause is not None:
            lost.append((cause, each.place.line))
        function = scopes.definition(each.syntax)
        if function is not None and function.lineno in module.exact_functions:
            annotated += count
    return FileCoverage(module.path, counts, annotated, grouped(lost))


def _count(expression: Known, module: Module, losses: Losses, decided: DecidedByCalls) -> tuple[Counts, Cause | None]:
    """Count one expression, with the cause if its dtype is unknown."""
    arrays = expression.arrays
    dtypes = arrays.dtypes if arrays is not None else None
    if dtypes is not None and len(dtypes) == 1:
        return Counts(exact=1), None
    if dtypes is not None:
        return Counts(several=1), None
    if arrays is not None and (any(map(has_type_vars, expression.types)) or expression.syntax in decided):
        return Counts(several=1), None
    if expression.place in module.refused or not (arrays is not None or losses.stands_for_array(expression.syntax)):
        return Counts(), None
    return Counts(unknown=1), losses.cause(expression.syntax) or Cause(Kind.VALUE, "a value")
