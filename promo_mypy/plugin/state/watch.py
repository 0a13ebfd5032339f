"""Follow mypy from file to file, and hold the state of the file that it checks.

`Declarations` replaces mypy's table of declared variables, which is outside mypy's public plugin surface.
(tests/plugin/inferred/test_rebinding.py, tests/plugin/promote)
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from mypy.nodes import MypyFile, TypeInfo
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.inferred.declared_variables import Declarations, stock_checks
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker, is_left_alone
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_fields
from promo_mypy.plugin.mypy_api.reports.error_watchers import Errors
from promo_mypy.plugin.state.caches import PassMemo, TypeMemo, TypeMemos
from promo_mypy.plugin.state.error_filter import ErrorFilter
from promo_mypy.plugin.state.file_state import FileState
from promo_mypy.plugin.trees import definitions

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.aside.stock_errors import StockChecks
    from promo_mypy.plugin.inferred.variables import RebindableVariables

#: Computes for a file the types of its unannotated variables. A check aside gets those of mypy's own check.
OpenTypes = Callable[[MypyFile, Mapping[str, MypyFile], "RebindableVariables | None"], "RebindableVariables"]


class Watch:
    """Follows mypy through a run, and widens variables when they get their types.

    Attributes:
        filter: the filter of mypy's errors.
        file: the state of the file that was followed last.
        memo: the caches of the current pass over that file.
        types: the results that depend only on types, for files with the options of that file.
        is_deciding: whether bodies are checked under an assumption about attributes (see `kept_attributes`).
    """

    def __init__(self, open_types: OpenTypes, options_of: Callable[[str], object]) -> None:
        """`options_of`: the plugin's options for a module."""
        self.filter = ErrorFilter(self._at_error)
        self.file = FileState()
        self.memo, self.types = PassMemo(), TypeMemo()
        self._memos = TypeMemos()
        self._options_of = options_of
        self._open_types = open_types
        self._current: TypeChecker | None = None
        self._errors: Errors | None = None
        self._tables: WeakValueDictionary[str, Declarations] = WeakValueDictionary()
        self._is_untracked = False
        self._is_aside = False
        self.is_deciding = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within this context mypy checks a body aside (see `body_checking`). Then the state before is back."""
        caches = self.memo, self.types
        before = self.file, self._current, self._errors, self._is_untracked, self._is_aside
        self.file, self.memo, self.types, self._is_aside = FileState(), PassMemo(), TypeMemo(), True
        try:
            yield
        finally:
            self.memo, self.types = caches
            self.file, self._current, self._errors, self._is_untracked, self._is_aside = before

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Within this context bodies are checked under an assumption about attributes."""
        before, self.is_deciding = self.is_deciding, True
        try:
            yield
        finally:
            self.is_deciding = before

    def follow(self, api: CheckerPluginInterface) -> None:
        """Make sure that the errors and variables of the file being checked are tracked. A repeated call is cheap."""
        current = self._current if api is self._current else checker(api)
        assert current is not None
        if not self.filter.is_installed(current.errors):
            self.filter.install(current.errors)
        is_new = type(current.var_decl_frames) is not Declarations
        if not is_new and current is self._current and current.tree.fullname == self.file.module:
            self._is_untracked = False
            return
        self._is_untracked = is_new and (
            is_left_alone(current.tree, current.errors) or current.tree.is_typeshed_file(current.options)
        )
        if is_new and not self._is_untracked:
            self.file = FileState()
            self._track_variables(current)
        if current.tree.fullname != self.file.module:
            # mypy may come back to a file of an import cycle: its calls are known, but the options may differ here.
            self._errors, self._current = current.errors, current
            options = self._options_of(current.tree.fullname)
            self.types = TypeMemo() if self._is_aside else self._memos.of(current, options)
            self.file, self.memo = self._state_of(current), PassMemo()

    def _at_error(self) -> tuple[TypeChecker | None, bool]:
        """The checker that was followed last, and whether mypy checks its file.

        mypy may come back to a file for a function in which it calls no hook.
        """
        if self._errors is not None and self.is_behind():
            table = self._tables.get(self._errors.current_module() or "")
            if table is not None and table.is_in_use():
                self.follow(table.current)
        return self._current, not self.is_behind()

    def _track_variables(self, current: TypeChecker) -> None:
        """At the first hook in a file, replace mypy's table of variables. Some may already have types."""
        if current.options.fine_grained_incremental:
            # A daemon makes new variables when it checks a function again, and keeps the file's statements.
            definitions.drop_cache()
        known = dict(current.var_decl_frames)
        of_file = self._running(current.tree) if self._is_aside else None
        variables = self._open_types(current.tree, current.modules, of_file)
        opened = list(variables.open_numbers()) if of_file is None else []
        variables.open_known()
        table = Declarations(current, variables)
        table.changed.update(opened)
        if not self._is_aside:
            replaced = self._tables.get(current.tree.fullname)
            if replaced is not None:
                replaced.close()
            self._tables[current.tree.fullname] = table
        current.var_decl_frames = table
        for variable, frames in known.items():
            table[variable] = frames

    def _running(self, tree: MypyFile) -> "RebindableVariables | None":
        """The variables of a file in mypy's own check of it; None if mypy does not check it now."""
        table = self._tables.get(tree.fullname)
        is_same = table is not None and table.is_in_use() and table.current.tree is tree
        return table.variables if table is not None and is_same else None

    def _state_of(self, current: TypeChecker) -> FileState:
        module, reported, declared = current.tree.fullname, self.file.reported, current.var_decl_frames
        if not isinstance(declared, Declarations):
            return FileState(module, reported=reported)
        of_file = declared.variables
        return FileState(module, of_file.opened_types, reported, of_file.aliases, of_file.lengths)

    def checker_of(self, module: str) -> TypeChecker | None:
        """The checker of a file with arrays that mypy has just checked."""
        table = self._tables.get(module)
        return table.current if table is not None else None

    def leaves_alone(self, api: CheckerPluginInterface) -> bool:
        """Follow mypy. Return whether the file is not tracked: an array library's own, or a stub of typeshed."""
        self.follow(api)
        return self._is_untracked

    def stock(self, api: CheckerPluginInterface) -> "StockChecks | None":
        """What answers what stock mypy infers in the file that mypy checks; None if its variables are not tracked."""
        return stock_checks(api)

    def depend_on_fields(self, info: TypeInfo) -> None:
        """Let the function that mypy checks depend on the fields of a class."""
        if self._current is not None:
            depend_on_fields(self._current, info)

    def is_behind(self) -> bool:
        """Whether mypy has gone on to another file since `follow`, so that the next hook should follow again."""
        errors = self._errors
        if errors is None or errors.current_module() != self.file.module:
            return True
        return not self.filter.is_installed(errors)
