"""Check again whenever a file changes, until Ctrl-C."""

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import typer
from rich.console import Console

from promo_mypy.linting.request import LintRequest

#: Seconds between two looks at the files.
_PAUSE: Final = 0.5


def watch(request: LintRequest, report: Callable[[], None], wait: Callable[[float], None] = time.sleep) -> None:
    """Report now and after each change. A mistake in one run does not end the watch; Ctrl-C does."""
    console = Console()
    while True:
        before = stamps(request)
        if console.is_terminal:
            console.clear()
        with contextlib.suppress(typer.Exit):  # its message is on the screen
            report()
        while stamps(request) == before:
            wait(_PAUSE)


def stamps(request: LintRequest) -> Mapping[Path, int]:
    """When each file was changed last; a file that has just been removed is left out."""
    from promo_mypy.checking.python_files import python_files

    found: dict[Path, int] = {}
    for file in python_files(request.paths, request.leaves_out, notebooks=request.notebooks):
        try:
            found[file] = file.stat().st_mtime_ns
        except OSError:
            continue
    return found
