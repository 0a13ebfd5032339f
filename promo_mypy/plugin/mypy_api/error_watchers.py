"""The stack of watchers through which mypy's errors pass: outside mypy's public plugin surface.

- `watch_last`: no hook hears of mypy's errors. A watcher at the bottom of the stack sees those that mypy is going to
  show, and can change or hide them. (tests/plugin/types/test_messages.py)
- `past_watchers`: mypy checks `a + b` as `a.__add__(b)` and then `b.__radd__(a)` with errors captured, and discards the
  result of the side that failed. An error that holds whatever the other side says is reported past all watchers.
  (tests/plugin/operators/test_operator_routes.py)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mypy.errors import ErrorInfo as ErrorInfo
from mypy.errors import Errors as Errors
from mypy.errors import ErrorWatcher

#: A file and an error in it to whether the error is hidden.
Filter = Callable[[str, ErrorInfo], bool]


def watch_last(errors: Errors, sees: Filter) -> None:
    """Put a watcher at the bottom of the stack, below everything that mypy captures for itself, if it is not there."""
    watchers = errors._watchers
    if not watchers or watchers[0]._filter is not sees:
        watchers.insert(0, ErrorWatcher(errors, filter_errors=sees))


@contextmanager
def past_watchers(errors: Errors) -> Iterator[None]:
    """Within this no watcher sees an error."""
    watchers = errors._watchers
    errors._watchers = []
    try:
        yield
    finally:
        errors._watchers = watchers
