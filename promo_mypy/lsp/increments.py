"""Go on with a finished run of mypy after edits, with the machinery of mypy's daemon.

mypy's daemon starts without a cache, this one with a cache of the libraries. Libraries do not change, and depend on no
file of the repository.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from mypy.build import BuildResult
from mypy.checker import FineGrainedDeferredNode
from mypy.server.deps import get_dependencies, merge_dependencies
from mypy.server.update import FineGrainedBuildManager, propagate_changes_using_dependencies, reprocess_nodes

from promo_mypy.lsp.function_edits import FunctionEdit
from promo_mypy.lsp.own_modules import OwnModules
from promo_mypy.lsp.spliced_functions import splice
from promo_mypy.plugin.interface.runs import call_first

#: The most files that one update leaves out because mypy cannot check them.
_MOST_BLOCKED: Final = 20


class Increments:
    """mypy's daemon for the own modules of one run, whose syntax trees mypy has kept."""

    def __init__(self, result: BuildResult, own: OwnModules) -> None:
        self._graph = result.graph
        options = result.manager.options
        options.fine_grained_incremental = options.preserve_asts = True
        self._manager: Final = FineGrainedBuildManager(result)
        modules = {state.id: state.tree for state in result.graph.values() if state.tree is not None}
        for state in result.graph.values():
            if state.id in own and state.tree is not None:
                # mypy checks functions alone from now on, and asks in each of them for a hook first.
                call_first(modules, state.tree, in_functions=True)
                found = get_dependencies(state.tree, result.manager.all_types, options.python_version, options)
                merge_dependencies(found, self._manager.deps)
        self._manager.flush_cache()

    def update(self, changed: Sequence[tuple[str, str]], leave_out: Callable[[str], None]) -> frozenset[str]:
        """Check some modules, and what depends on them; return the modules that were checked, whole or in part.

        Args:
            changed: module and path of each changed file.
            leave_out: called with a file that mypy cannot check; mypy then reads that file again.
        """
        touched: set[str] = set()
        waiting = list(changed)
        for _ in range(_MOST_BLOCKED):
            self._manager.update(waiting, [])
            self._manager.flush_cache()
            touched.update(self._manager.updated_modules)
            touched.update(filter(None, map(self._module_of, self._manager.processed_targets)))
            blocked = self._manager.blocking_error
            if blocked is None:
                break
            leave_out(blocked[1])
            waiting = [blocked]
        return frozenset(touched)

    def update_function(self, module: str, edit: FunctionEdit) -> frozenset[str] | None:
        """Check one function with a new body; return the modules that were checked in part, None if it is impossible.

        What else in the module depends on the body is checked by the next `update` of it, which should follow soon.
        """
        build, manager = self._manager.manager, self._manager
        function = splice(self._graph[module], build, edit)
        if function is None:
            return None
        manager.processed_targets.clear()
        build.errors.flushed_files.clear()  # mypy drops new errors of a file whose errors it has reported
        node = FineGrainedDeferredNode(function, function.info if function.info else None)
        triggered = reprocess_nodes(build, self._graph, module, {node}, manager.deps, manager.processed_targets)
        propagate_changes_using_dependencies(
            build, self._graph, manager.deps, triggered, set(), set(), manager.processed_targets
        )
        return frozenset(filter(None, map(self._module_of, manager.processed_targets))) | {module}

    def repeat_errors_of(self, targets: Iterable[str]) -> None:
        """Let mypy find the errors of these functions and modules again after the next edit, and no others."""
        self._manager.previous_targets_with_errors = set(targets)

    def _module_of(self, target: str) -> str | None:
        while target and target not in self._graph:
            target = target.rpartition(".")[0]
        return target or None
