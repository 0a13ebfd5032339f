"""Paths to how much of their arrays is known, and what lost the rest."""

from collections.abc import Iterable
from pathlib import Path

from mypy.types import has_type_vars

from promo_mypy.checking.runs import Progress, unheard
from promo_mypy.inference.causes import Losses
from promo_mypy.inference.counts import Cause, Counts, Coverage, FileCoverage, Kind, grouped
from promo_mypy.inference.program import Module, Program, check


def coverage(
    paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard, plugin: bool = True
) -> Coverage:
    """How many array expressions in files and folders have a known dtype.

    Counted are the expressions of `infer`, and those of type Any that stand for arrays: see `Losses.stands_for_array`.
    A dtype that a type variable stands for is one of several: each call decides it.

    Args:
        paths: files and folders; none for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.
        plugin: whether our plugin answers; without it the figures are those of mypy alone.

    Raises:
        CheckError: mypy ends without having checked everything.
    """
    return counted(check(paths, config_file=config_file, progress=progress, plugin=plugin))


def counted(program: Program) -> Coverage:
    """The figures of a program."""
    names = frozenset(module.name for module in program.modules)
    return Coverage(tuple(_file(module, names) for module in program.modules), program.errors)


def _file(module: Module, program: frozenset[str]) -> FileCoverage:
    losses = Losses(module, program)
    exact = several = 0
    lost: list[tuple[Cause, int]] = []
    for each in module.expressions:
        dtypes = each.arrays.dtypes if each.arrays is not None else None
        if dtypes is not None and len(dtypes) == 1:
            exact += 1
        elif dtypes is not None or (each.arrays is not None and any(map(has_type_vars, each.types))):
            several += 1
        elif each.arrays is not None or losses.stands_for_array(each.syntax):
            cause = losses.cause(each.syntax) or Cause(Kind.VALUE, "a value")
            lost.append((cause, each.place.line))
    return FileCoverage(module.path, Counts(exact, several, len(lost)), grouped(lost))
