"""Filter mypy's errors, in a watcher at the bottom of its stack: outside mypy's public plugin surface.

The filter removes the plugin's bookkeeping from messages: the rank argument of tensors, the marker class of weak
arrays, the private name of a stock operator, and the Any beside a promotion. It also suppresses false positives: see
`hidden_errors`. (tests/plugin/messages/test_shown_messages.py, tests/plugin/operators/test_stock_fallback.py)
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from mypy.nodes import Context

from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker.failure_reports import report_defect
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo, Errors, is_about_declared, is_last, watch_last

with late():
    from promo_mypy.plugin.messages import shown_messages
    from promo_mypy.plugin.types import accepted_mismatches

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.false_positives.hidden_errors import HiddenErrors


class ErrorFilter:
    """Decides for one error after another whether mypy shows it, and cleans its message."""

    def __init__(self, current: Callable[[], tuple[TypeChecker | None, bool]]) -> None:
        """Filter the errors of a run.

        Args:
            current: gives the checker that was followed last, and whether mypy still checks its file.
        """
        self._known_hidden: HiddenErrors | None = None
        self._current = current
        self._filter = self._suppresses  # one object, as every hook looks for it in mypy's stack
        self.is_installed: Callable[[Errors], bool] = partial(is_last, sees=self._filter)
        """Whether the filter is in place. The daemon removes it before it checks a file again."""

    def install(self, errors: Errors) -> None:
        """Put the filter below all watchers of mypy itself."""
        watch_last(errors, self._filter)

    @property
    def _hidden(self) -> "HiddenErrors":
        """What suppresses false positives: imported at the first error, as many runs have none."""
        if self._known_hidden is None:
            from promo_mypy.plugin.inferred.false_positives.hidden_errors import HiddenErrors

            self._known_hidden = HiddenErrors()
        return self._known_hidden

    def _suppresses(self, file: str, info: ErrorInfo) -> bool:
        current, is_followed = self._current()
        if current is not None and is_followed and self._hides(current, info):
            return True
        # With an empty cache mypy finds thousands of errors in libraries' files, and shows none of them.
        if current is not None and file in current.errors.ignored_files:
            return False
        return shown_messages.clean(info) or (
            current is not None and is_followed and self._is_accepted(current, file, info)
        )

    def _is_accepted(self, current: TypeChecker, file: str, info: ErrorInfo) -> bool:
        try:
            return accepted_mismatches.note(current, file, info)
        except Exception as defect:  # as below
            report_defect(current, defect, Context(info.line, info.column))
            return False

    def _hides(self, current: TypeChecker, info: ErrorInfo) -> bool:
        try:
            return not is_about_declared(current.errors) and self._hidden.hides(current, info)
        except Exception as defect:  # no hook of mypy guards this call
            place = Context(info.line, info.column)
            report_defect(current, defect, place)
            return False
