"""Run a step for each file that mypy has read and is about to check, before mypy checks its first expression.

mypy calls no hook at the start of a file. While it reads a file, it calls hooks for names in annotations and for calls
in assignments. If they belong to an array library, the file is announced, and the step runs as soon as all names of the
file are bound. For other files the step runs when the first hook is called, before the first call of the file is
checked. (tests/plugin/mypy_api/test_file_start.py)
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from mypy.nodes import MypyFile
from mypy.plugin import DynamicClassDefContext
from mypy.semanal import SemanticAnalyzer

from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.hook_tables import HookTable
from promo_mypy.plugin.mypy_api.modules import semantic_analysis

Announce = Callable[[DynamicClassDefContext], None]


class FilesAhead:
    """Calls `begin` with the syntax tree of each announced file. `hooks` has the hooks of calls in assignments.

    `modules`: the files that every call in an assignment announces, not only that of an array library.
    """

    def __init__(self, begin: Callable[[MypyFile], None], modules: Collection[str] = ()) -> None:
        self._begin = begin
        self._announced: set[str] = set()
        self.hooks: Final = _Assigned(self._assigned, self._assigned_in(modules) if modules else None)

    def announce(self, api: SemanticAnalyzer) -> None:
        """Announce the file that mypy is reading: it has arrays."""
        tree = semantic_analysis.tree(api)
        if tree.fullname in self._announced or type_checker.is_left_alone(tree, api.errors):
            return
        bound = partial(self._bound, api, tree, is_daemon=api.options.fine_grained_incremental)
        if semantic_analysis.afterwards(api, bound):
            self._announced.add(tree.fullname)

    def _assigned(self, ctx: DynamicClassDefContext) -> None:
        self.announce(semantic_analysis.analyser_of_class(ctx))

    def _assigned_in(self, modules: Collection[str]) -> Announce:
        def announce(ctx: DynamicClassDefContext) -> None:
            if semantic_analysis.tree(semantic_analysis.analyser_of_class(ctx)).fullname in modules:
                self._assigned(ctx)

        return announce

    def _bound(self, api: SemanticAnalyzer, tree: MypyFile, *, is_daemon: bool) -> None:
        self._announced.discard(tree.fullname)
        semantic_analysis.call_first(api.modules, tree, in_functions=is_daemon)
        self._begin(tree)


class _Assigned(HookTable[Announce]):
    """One hook for every name that an array library defines, and one for other names."""

    def __init__(self, hook: Announce, other: Announce | None) -> None:
        super().__init__()
        self._hook = hook
        self._other = other

    def __missing__(self, fullname: str) -> Announce | None:
        found = self._hook if fullname.partition(".")[0] in BY_PACKAGE else self._other
        self[fullname] = found
        return found
