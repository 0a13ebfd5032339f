"""Change mypy's stack of error watchers: outside mypy's public plugin surface.

- `watch_last`: mypy calls no hook for its errors. A watcher at the bottom of the stack gets the errors that mypy is
  going to show, and can change or suppress them. (tests/plugin/messages/test_shown_messages.py)
- `past_watchers`: mypy checks `a + b` as `a.__add__(b)` and then `b.__radd__(a)` with errors captured, and discards the
  result of the side that failed. An error that does not depend on the other side is reported past all watchers.
  (tests/plugin/operators/test_operator_routes.py)
- `about_declared`, `is_about_declared`: an error for which the plugin itself has found the declared dtype. A watcher
  that lets it through marks it. (tests/plugin/calls/elements/torch_buffers.py.txt)
- `is_held`: mypy's daemon drops the errors of a function before it checks that again.
  (tests/plugin/inferred/provenance/other_reasons, tests/plugin/operators/test_unions.py)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mypy.errors import ErrorInfo as ErrorInfo
from mypy.errors import Errors as Errors
from mypy.errors import ErrorWatcher as ErrorWatcher

#: Decides for a file and an error in it whether to suppress the error.
Filter = Callable[[str, ErrorInfo], bool]


def watch_last(errors: Errors, sees: Filter) -> None:
    """Put a watcher at the bottom of the stack, below all watchers of mypy itself, unless it is there already."""
    if not is_last(errors, sees):
        errors._watchers.insert(0, ErrorWatcher(errors, filter_errors=sees))


def is_last(errors: Errors, sees: Filter) -> bool:
    """Whether that watcher is at the bottom of the stack. The daemon removes it before it checks a file again."""
    watchers = errors._watchers
    return bool(watchers) and watchers[0]._filter is sees


def is_held(errors: Errors, path: str, error: ErrorInfo) -> bool:
    """Whether mypy still has an error of a file."""
    return any(each is error for each in errors.error_info_map.get(path, ()))


def _shows(_file: str, _error: ErrorInfo) -> bool:
    """A filter that suppresses no error. Its identity is the mark."""
    return False


@contextmanager
def about_declared(errors: Errors) -> Iterator[None]:
    """Errors in this context are about a declared dtype, though no annotation stands around their place."""
    with ErrorWatcher(errors, filter_errors=_shows):
        yield


def is_about_declared(errors: Errors) -> bool:
    """Whether an error that mypy is about to show is reported in that context."""
    return any(watcher._filter is _shows for watcher in errors.get_watchers())


@contextmanager
def past_watchers(errors: Errors) -> Iterator[None]:
    """Report errors without any watcher within this context."""
    watchers = errors._watchers
    errors._watchers = []
    try:
        yield
    finally:
        errors._watchers = watchers
