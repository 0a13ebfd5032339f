"""Count the array expressions with a known dtype, and the causes of unknown dtypes."""

import gc
from collections.abc import Iterable
from pathlib import Path

from promo_mypy.checking.runs import Progress, read, unheard
from promo_mypy.program.candidates import Counted, counted_places
from promo_mypy.program.checked.modules import Known
from promo_mypy.program.checked.program import Program, program_of, sources_of
from promo_mypy.program.counts import Cause, Counts, Coverage, FileCoverage, grouped
from promo_mypy.program.expressions import How, Place
from promo_mypy.program.following.followed import followed
from promo_mypy.program.kept import Asked
from promo_mypy.program.model import ModuleModel, models_of


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
    if not plugin:
        stock = program_of(requests[0], progress, plugin=False)
        return covered(stock, counted_places(stock))
    sources = sources_of(requests[0])
    counted = counted_places(program_of(requests[0], progress, plugin=False, sources=sources))
    gc.collect()  # two programs at a time would take twice the memory
    coverage = covered(followed(program_of(requests[1], progress, sources=sources)), counted)
    asked.keep(requests, coverage)
    return coverage


def covered(program: Program, counted: Counted) -> Coverage:
    """The figures of a program, over these array expressions."""
    files = (_file(model, counted[path]) for path, model in models_of(program).items())
    return Coverage(tuple(files), program.errors, program.left_out)


def _file(model: ModuleModel, counted: frozenset[Place]) -> FileCoverage:
    module, scopes = model.module, model.candidates.scopes
    reached = [each for each in module.expressions if each.place in counted]
    counts, annotated = Counts(no_dtype=len(counted - {each.place for each in reached})), Counts()
    lost: list[tuple[Cause, Place]] = []
    for each in reached:
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
