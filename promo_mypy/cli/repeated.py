"""Print what an unchanged check printed last time, before the command line itself is imported.

Importing the command line takes longer than everything else that an unchanged check does. So a check keeps what it
printed under its words and its terminal, beside its report (`promo_mypy.cli.check.printed`). This module reads it and
imports no more than that needs.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from promo_mypy.checking.kept.questions import question_of
from promo_mypy.checking.kept.store import CACHE, Question, Store
from promo_mypy.linting.environment import interpreter

#: The option that names the folder of the cache.
_CACHE_DIR: Final = "--cache-dir"
#: The variables that decide on colours and on the width of lines.
_TERMINAL: Final = (
    "TERM", "COLORTERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "TTY_COMPATIBLE", "TTY_INTERACTIVE",
    "GITHUB_ACTIONS", "LANG", "LC_ALL", "LC_CTYPE",
)  # fmt: skip


class Answer(NamedTuple):
    """What a check printed on stdout, what it told on stderr, and its exit status."""

    printed: str
    told: str
    status: int


def question() -> Question:
    """What the words of this process ask, in its terminal, as JSON data."""
    streams = [[stream.isatty(), stream.encoding] for stream in (sys.stdout, sys.stderr)]
    variables = {name: os.environ[name] for name in _TERMINAL if name in os.environ}
    terminal = [*streams, shutil.get_terminal_size().columns, variables]
    return question_of("printed", words=sys.argv[1:], terminal=terminal, python=str(interpreter(Path.cwd())))


def kept_answer() -> Answer | None:
    """What the check that these words ask for printed last time; None if it printed nothing that still holds."""
    if sys.argv[1:2] != ["check"] or sys.stdout is None or sys.stderr is None:
        return None
    cache = cache_folder()
    try:
        return None if cache is None else Answer(*Store(cache).answer(question()))
    except TypeError:  # nothing is kept, or something else has written it
        return None


def cache_folder() -> Path | None:
    """The folder of the cache that the words name, or else the nearest one; None without one."""
    words = iter(sys.argv[1:])
    named = [next(words, "") if each == _CACHE_DIR else each for each in words if each.startswith(_CACHE_DIR)]
    if named:
        return Path(named[-1].removeprefix(f"{_CACHE_DIR}=")).absolute()
    here = Path.cwd()
    return next((home / CACHE for home in (here, *here.parents) if (home / CACHE).is_dir()), None)


def print_again(answer: Answer) -> NoReturn:
    """Print an answer, and exit with its status."""
    try:
        sys.stdout.write(answer.printed)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has gone: the exit status still reports the result
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.stderr.write(answer.told)
    sys.exit(answer.status)
