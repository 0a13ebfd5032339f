"""Follow mypy from file to file: filter its errors, and hold the state of the file that it checks.

A watcher at the bottom of mypy's stack removes the plugin's bookkeeping from messages: the rank argument of tensors,
the marker class of weak arrays, the private name of a stock operator, and the Any beside a promotion. It also gets
mypy's errors about incompatible types: see `hidden_errors`. And `Declarations` replaces mypy's table of declared
variables. All of that is outside mypy's public plugin surface.
(tests/plugin/types/test_messages.py, tests/plugin/operators/test_stock_fallback.py, tests/plugin/promote)
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from mypy.nodes import CallExpr, Expression, MypyFile, Node
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.mypy_api.error_watchers import ErrorInfo, Errors, watch_last
from promo_mypy.plugin.mypy_api.type_checker import TypeChecker, checker, is_left_alone
from promo_mypy.plugin.state.caches import PassMemo
from promo_mypy.plugin.types.messages import clean

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
    from promo_mypy.plugin.inferred.axis_lengths import AxisLengths
    from promo_mypy.plugin.inferred.false_positives.hidden_errors import HiddenErrors
    from promo_mypy.plugin.inferred.variables import RebindableVariables

#: Computes for a file the types of its unannotated variables.
OpenTypes = Callable[[MypyFile], "RebindableVariables"]


class Watch:
    """Follows mypy through a run: cleans messages, and widens variables when they get their types."""

    def __init__(self, open_types: OpenTypes, refused: "HiddenErrors") -> None:
        self._open_types = open_types
        self._refused = refused
        self._filter = self._see  # one object, as every hook looks for it in mypy's stack
        self._current: TypeChecker | None = None
        self._errors: Errors | None = None
        self._module: str | None = None
        self._tables: WeakValueDictionary[str, Declarations] = WeakValueDictionary()
        self.memo = PassMemo()
        """The caches of the current pass over a file."""
        self.known_calls: set[Node] = set()
        """The calls in that pass for which stock mypy infers Any."""
        self.closer_calls: set[Node] = set()
        """Calls for which stock mypy infers an array class of unknown dtype."""
        self.decided_calls: set[Node] = set()
        """Calls whose last matching overload does not return Any."""
        self.aliases: ContainerAliases | None = None
        """The aliases of containers in the file; None if variables of the file are not tracked."""
        self.lengths: AxisLengths | None = None
        """The lengths of axes in the file; None in the same case."""
        self.closed: Type | None = None
        """The result of the last call with an exact signature."""
        self.replayed: dict[Expression, CallExpr] = {}
        """The stored functions that mypy is checking for a call, with that call."""
        self.reported: set[Node] = set()
        """Nodes that were reported in that pass as the source of a forbidden dtype."""
        self._is_untracked = False

    def install(self, errors: Errors) -> None:
        """Put a watcher at the bottom of the stack, below all watchers of mypy itself."""
        watch_last(errors, self._filter)

    def _see(self, file: str, info: ErrorInfo) -> bool:
        current = self._current
        is_asked = current is not None and info.code in self._refused.codes and not self.is_behind()
        if current is not None and is_asked and self._refused.hides(current, info):
            return True
        # With an empty cache mypy finds thousands of errors in libraries' files, and shows none of them.
        is_hidden = current is not None and file in current.errors.ignored_files
        return not is_hidden and clean(info)

    def follow(self, api: CheckerPluginInterface) -> None:
        """Make sure that the errors and variables of the file being checked are tracked. A repeated call is cheap."""
        current = checker(api)
        self.install(current.errors)
        is_new = type(current.var_decl_frames) is not Declarations
        if not is_new and current is self._current and current.tree.fullname == self._module:
            self._is_untracked = False
            return
        self._is_untracked = is_new and (
            is_left_alone(current.tree, current.errors) or current.tree.is_typeshed_file(current.options)
        )
        if is_new and not self._is_untracked:
            # The first hook in this file: some variables may already have types.
            self._module, self.reported = None, set()
            known = dict(current.var_decl_frames)
            variables = self._open_types(current.tree)
            variables.open_numbers()
            replaced = self._tables.get(current.tree.fullname)
            if replaced is not None:
                replaced.close()
            table = self._tables[current.tree.fullname] = Declarations(current, variables)
            current.var_decl_frames = table
            for variable, frames in known.items():
                table[variable] = frames
        if current.tree.fullname != self._module:
            # mypy may come back to a file of an import cycle: its calls are known, but the options may differ here.
            self._errors, self._module, self._current = current.errors, current.tree.fullname, current
            self.memo = PassMemo()
            declared = current.var_decl_frames
            self.known_calls, self.closer_calls, self.decided_calls = set(), set(), set()
            self.aliases, self.lengths = None, None
            if isinstance(declared, Declarations):
                variables = declared.variables
                self.known_calls, self.closer_calls = variables.known_calls, variables.closer_calls
                self.decided_calls = variables.decided_calls
                self.aliases, self.lengths = variables.aliases, variables.lengths

    def leaves_alone(self, api: CheckerPluginInterface) -> bool:
        """Follow mypy. Return whether the file is not tracked: an array library's own, or a stub of typeshed."""
        self.follow(api)
        return self._is_untracked

    @property
    def module(self) -> str | None:
        """The name of the file that was followed last."""
        return self._module

    def is_behind(self) -> bool:
        """Whether mypy has gone on to another file since `follow`, so that the next hook should follow again."""
        return self._errors is None or self._errors.current_module() != self._module
