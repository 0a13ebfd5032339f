"""Check some files with mypy, and match its nodes and types to the expressions in Python's tree."""

import gc
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.config import Config
from promo_mypy.plugin.interface.runs import CODES, Notes, PromoPlugin
from promo_mypy.plugin.interface.trees import nodes_as_written
from promo_mypy.program.checked.exact_functions import exact_functions
from promo_mypy.program.checked.modules import Module, Reader
from promo_mypy.program.checked.passes import Passes
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.program.checked.untyped_bodies import UntypedBodies
from promo_mypy.program.expressions import Place
from promo_mypy.program.syntax.written import Source
from promo_mypy.rules.wording import diagnostics

_UNDEFINED: Final = CODES[diagnostics.UNDEFINED]


@dataclass(frozen=True, slots=True)
class Program:
    """Some checked modules, sorted by path, mypy's messages about them, and the files that were left out."""

    modules: tuple[Module, ...]
    messages: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def errors(self) -> tuple[str, ...]:
        """The messages that are errors."""
        return tuple(message for message in self.messages if ": error: " in message)


def check(
    paths: Iterable[Path],
    *,
    config_file: Path | None = None,
    progress: runs.Progress = runs.unheard,
) -> Program:
    """Check files and folders with mypy, under the configuration that it finds, and return the types of expressions.

    A file that mypy or the running Python cannot parse is left out.

    Args:
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.

    Raises:
        CheckError: mypy stops before it has checked the other files, or there are no others.
    """
    return program_of(runs.read(paths, config_file), progress)


def program_of(request: runs.Request, progress: runs.Progress = runs.unheard, *, if_empty: bool = False) -> Program:
    """The same for files that are found already. Their options are changed for the run.

    `if_empty`: whether to note the dtypes that a call has only if a sequence in it is empty.

    Raises:
        CheckError: as `check`.
    """
    sources = _sources(request)
    _prepare(request, sources)
    untyped = UntypedBodies(request)
    trees = _Trees(untyped, request.options.platform)
    passes, notes = Passes(request.modules), Notes(if_empty={} if if_empty else None)
    settings = RunSettings(
        request.modules,
        trees.keep_config,
        asked=passes.follow,
        finished=trees.read,
        bodies=request.modules,
        notes=notes,
    )
    checked = runs.run(request, settings, progress)
    results = _Results(request, checked, trees, passes, notes)
    found, left_out = [], list(checked.left_out)
    unchecked = {each.path for each in checked.left_out}
    for name, source in sources.items():
        if source.path in unchecked:
            continue
        if source.tree is None:
            left_out.append(LeftOut(source.path, source.fault))
        else:
            found.append(results.module(name, source))
    if not found:
        raise runs.CheckError(str(left_out[0]))
    found.sort(key=lambda module: module.path)
    return Program(tuple(found), untyped.without_stock_errors(checked.messages), tuple(sorted(left_out)))


class _Trees:
    """What the trees of one run of mypy say, by the names of the modules."""

    def __init__(self, untyped: UntypedBodies, platform: str) -> None:
        self._untyped = untyped
        self._platform = platform
        self.config = Config()
        """The user's options."""
        self.facts: Final[dict[str, TreeFacts]] = {}
        self.exact: Final[dict[str, frozenset[int]]] = {}
        """The lines of the functions whose array parameters all have exact dtypes."""

    def keep_config(self, config: Config) -> Config:
        """Keep the options of the last plugin object: mypy creates one for each run."""
        self.config = config
        return config

    def read(self, tree: MypyFile, _plugin: PromoPlugin) -> None:
        """Read the tree of a module that mypy has checked."""
        nodes = list(nodes_as_written(tree))
        self._untyped.keep(tree, nodes)
        self.facts[tree.fullname] = TreeFacts.of(tree, nodes, self.config)
        self.exact[tree.fullname] = exact_functions(nodes, self._platform)


@dataclass(frozen=True, slots=True)
class _Results:
    """What one run of mypy has found."""

    request: runs.Request
    checked: runs.Checked
    trees: _Trees
    passes: Passes
    notes: Notes

    def module(self, name: str, source: Source) -> Module:
        """A checked module, with the types of its expressions."""
        options, trees = self.request.options, self.trees
        observed = frozenset(Place(*span) for module, span in self.notes.observed if module == name)
        types, if_empty = self.checked.result.types, self.notes.if_empty or {}
        reader = Reader(name, trees.facts[name], types, self.passes, options.platform, observed, if_empty)
        checks_untyped = options.clone_for_module(name).check_untyped_defs
        return replace(
            reader.module(source.path, source, trees.config.for_module(name), checks_untyped=checks_untyped),
            exact_functions=trees.exact[name],
            refused=frozenset(_refused(self.checked, source.path)),
        )


def _sources(request: runs.Request) -> dict[str, Source]:
    """Module -> its source. All of Python's trees stay, so they are not searched for garbage."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        return {each.module: Source.read(str(each.path)) for each in request.sources}
    finally:
        if is_on:
            gc.enable()


def _refused(checked: runs.Checked, path: str) -> Iterator[Place]:
    for error in checked.result.manager.errors.error_info_map.get(path, ()):
        if error.code is _UNDEFINED:
            yield Place(error.line, error.column, error.end_line, error.end_column)


def _prepare(request: runs.Request, sources: Mapping[str, Source]) -> None:
    options = request.options
    options.export_types = True
    for module, source in sources.items():
        # mypy skips the bodies of functions in files whose errors are ignored.
        changes = options.per_module_options.setdefault(module, {})
        changes |= {"ignore_errors": False, "preserve_asts": True}
        if source.has_wide_places:
            request.file_system.leave_to_ast(source.path, module, options)
