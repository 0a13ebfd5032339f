"""Leave out what takes long, unless the command line asks for it.

`pytest` shows each kind of behaviour once, in minutes. `pytest --all` runs every test, as `.ci/run` does. A file that
the command line names runs whole, and `-m` chooses by itself.
"""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")

#: The markers of the tests that are left out (pyproject.toml says what each means).
MARKERS: Final = frozenset({"slow", "packaging", "packages"})


def runs_all(config: pytest.Config) -> bool:
    """Whether the command line leaves nothing out for its time."""
    return bool(config.getoption("--all") or config.option.markexpr)


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the slow tests of files that the command line does not name."""
    if runs_all(config):
        return
    named = {Path(config.invocation_params.dir, argument.split("::")[0]).resolve() for argument in config.args}
    deselect(config, items, lambda item: is_slow(item) and item.path not in named)


def deselect(config: pytest.Config, items: list[pytest.Item], is_left_out: Callable[[pytest.Item], bool]) -> None:
    """Leave some tests out, and tell pytest which."""
    left_out = frozenset(filter(is_left_out, items))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def slow_but(quick: Collection[T], values: Iterable[T]) -> list[T | ParameterSet]:
    """Values for `pytest.mark.parametrize`: those that are not among the quick ones are marked as slow."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]


def is_slow(item: pytest.Item) -> bool:
    """Whether a test has one of the markers."""
    return any(mark.name in MARKERS for mark in item.iter_markers())
