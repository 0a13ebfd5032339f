"""What follows mypy from file to file: its errors on their way out, and what is known of the file that it checks.

One watcher at the bottom of mypy's stack takes our bookkeeping out of messages, the rank argument of tensors, the
second class of weak arrays, the private name of a stock operator and what stands beside a promotion. It sees what mypy
refuses, too: see `hidden_errors`. And `Declarations` replaces mypy's table of declared variables. All of that is
outside mypy's public plugin surface.
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

#: A file to what says the open types of its variables.
OpenTypes = Callable[[MypyFile], "RebindableVariables"]


class Watch:
    """Follows mypy through a run: cleans messages on their way out, opens variables as they get their types."""

    def __init__(self, open_types: OpenTypes, refused: "HiddenErrors") -> None:
        self._open_types = open_types
        self._refused = refused
        self._filter = self._see  # one object: it is looked for at every hook
        self._current: TypeChecker | None = None
        self._errors: Errors | None = None
        self._module: str | None = None
        self._tables: WeakValueDictionary[str, Declarations] = WeakValueDictionary()
        self.memo = PassMemo()
        """What is remembered in the pass over a file that is under way."""
        self.known_calls: set[Node] = set()
        """The calls in that pass whose result mypy alone does not know."""
        self.closer_calls: set[Node] = set()
        """Those of whose result it knows the class alone, and no dtype."""
        self.decided_calls: set[Node] = set()
        """Those of which the last overload that it tries says something."""
        self.aliases: ContainerAliases | None = None
        """What is known of the names of containers in the file; None where its variables are nobody's affair."""
        self.lengths: AxisLengths | None = None
        """The lengths of axes in the file, likewise."""
        self.closed: Type | None = None
        """The result of the call that was closed last."""
        self.replayed: dict[Expression, CallExpr] = {}
        """The kept functions that mypy is looking into for a call, with that call."""
        self.reported: set[Node] = set()
        """What was reported in that pass as the source of a forbidden dtype."""
        self._rests = False

    def install(self, errors: Errors) -> None:
        """Put a watcher at the bottom of the stack, below everything that mypy captures for itself."""
        watch_last(errors, self._filter)

    def _see(self, file: str, info: ErrorInfo) -> bool:
        current = self._current
        is_asked = current is not None and info.code in self._refused.codes and not self.is_behind()
        if current is not None and is_asked and self._refused.hides(current, info):
            return True
        # With an empty cache mypy makes thousands of errors in libraries' files, and shows none of them.
        is_hidden = current is not None and file in current.errors.ignored_files
        return not is_hidden and clean(info)

    def follow(self, api: CheckerPluginInterface) -> None:
        """Make sure that the errors and the variables of the file being checked are seen; cheap if they are."""
        current = checker(api)
        self.install(current.errors)
        is_new = type(current.var_decl_frames) is not Declarations
        if not is_new and current is self._current and current.tree.fullname == self._module:
            self._rests = False
            return
        self._rests = is_new and (
            is_left_alone(current.tree, current.errors) or current.tree.is_typeshed_file(current.options)
        )
        if is_new and not self._rests:
            # The first hook in this file: some variables may have their types already.
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
            # mypy may come back to a file of an import cycle: its calls are remembered, options may be others here.
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
        """Follow, and say whether the file is left alone, or one of the standard library's stubs."""
        self.follow(api)
        return self._rests

    @property
    def module(self) -> str | None:
        """The file that was followed last."""
        return self._module

    def is_behind(self) -> bool:
        """Whether mypy has gone on to another file since `follow`, so that the next hook in it should follow."""
        return self._errors is None or self._errors.current_module() != self._module
