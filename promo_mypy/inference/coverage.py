"""Count the array expressions with a known dtype, and the causes of unknown dtypes."""

from collections.abc import Iterable
from pathlib import Path

from mypy.types import AnyType, has_type_vars

from promo_mypy.checking.runs import Progress, read, unheard
from promo_mypy.inference.candidates import Candidates, Counted, candidates_of, counted_places
from promo_mypy.inference.causes import CauseFinder
from promo_mypy.inference.checked.program import Known, Module, Program, program_of
from promo_mypy.inference.counts import Cause, Counts, Coverage, FileCoverage, Kind, grouped
from promo_mypy.inference.decided.by_calls import DecidedByCalls, decided_of
from promo_mypy.inference.expressions import Place
from promo_mypy.inference.following.followed import followed
from promo_mypy.inference.kept import Asked
from promo_mypy.plugin.interface.arrays import members


def coverage(
    paths: Iterable[Path], *, config_file: Path | None = None, progress: Progress = unheard, plugin: bool = True
) -> Coverage:
    """Count the array expressions of known dtype in files and folders.

    Which expressions count is decided by stock mypy's types, in a run of its own: see `Candidates`. So their number
    does not depend on the plugin.

    Args:
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.
        plugin: whether to use the plugin; without it the figures are those of stock mypy.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
    """
    paths = tuple(paths)
    asked = Asked.about(Coverage, paths, config_file)
    kept = asked.answer() if plugin else None
    if kept is not None:
        return kept
    requests = [read(paths, config_file), read(paths, config_file)]
    stock = program_of(requests[0], progress, plugin=False)
    counted = counted_places(stock)
    if not plugin:
        return covered(stock, counted)
    coverage = covered(followed(program_of(requests[1], progress)), counted)
    asked.keep(requests, coverage)
    return coverage


def covered(program: Program, counted: Counted) -> Coverage:
    """The figures of a program, over these array expressions."""
    names = frozenset(module.name for module in program.modules)
    candidates = candidates_of(program)
    decided = decided_of(program, candidates)
    files = (
        _file(each, candidates[each.path], decided[each.path], names, counted[each.path]) for each in program.modules
    )
    return Coverage(tuple(files), program.errors, program.left_out)


def _file(
    module: Module,
    candidates: Candidates,
    decided: DecidedByCalls,
    program: frozenset[str],
    counted: frozenset[Place],
) -> FileCoverage:
    scopes = candidates.scopes
    finder = CauseFinder(module, candidates.typed, scopes, candidates, program)
    reached = [each for each in module.expressions if each.place in counted]
    counts, annotated = Counts(no_dtype=len(counted - {each.place for each in reached})), Counts()
    lost: list[tuple[Cause, Place]] = []
    for each in reached:
        count = counted_as(each, module, decided)
        counts += count
        if count.unknown:
            lost.append((finder.cause(each.syntax) or Cause(Kind.VALUE, "a value"), each.place))
        function = scopes.definition(each.syntax)
        if function is not None and function.lineno in module.exact_functions:
            annotated += count
    return FileCoverage(module.path, counts, annotated, grouped(lost))


def counted_as(expression: Known, module: Module, decided: DecidedByCalls) -> Counts:
    """The figures of one expression."""
    arrays = expression.arrays
    dtypes = arrays.dtypes if arrays is not None else None
    if dtypes is not None:
        return Counts(exact=1) if len(dtypes) == 1 else Counts(several=1)
    is_array = arrays is not None or any(isinstance(each, AnyType) for typ in expression.types for each in members(typ))
    if not is_array or expression.place in module.refused:
        return Counts(no_dtype=1)
    is_relative = arrays is not None and any(map(has_type_vars, expression.types))
    return Counts(relative=1) if is_relative or expression.syntax in decided else Counts(unknown=1)
