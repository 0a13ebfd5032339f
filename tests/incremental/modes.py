"""Run mypy over a package in each of its modes: with an empty cache, with a warm one, as a daemon, and with workers.

The library's part of an empty cache is filled once, and copied.
"""

import os
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from tests.forked_workers import WORKER
from tests.incremental.templates import PACKAGE
from tests.module_runs import run_module
from tests.mypy_runs import Message, environment, parse

_LIBRARIES: Final = """\
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, ParamSpec, TypeVar
import numpy as np
import numpy.typing as npt
import numpy.linalg
"""
_FLAGS: Final = ("--cache-dir", "cache", "--no-color-output", "--show-traceback")


@dataclass(frozen=True)
class State:
    """What is on disk at one step of a walk: the files of the package, and the options."""

    files: Mapping[str, str]
    options: str = ""
    settings: str = ""
    lattice: str = 'extends = "jax"'

    def configuration(self, *, plugin: bool) -> str:
        """The text of `pyproject.toml`. Stock mypy does not know the plugin's codes."""
        text = "[tool.mypy]\nstrict = true\nshow_column_numbers = false\n"
        if plugin:
            text += 'plugins = ["promo_mypy.plugin"]\n'
        if self.settings and (plugin or "promo-" not in self.settings):
            text += f'[[tool.mypy.overrides]]\nmodule = "{PACKAGE}.*"\n{self.settings}\n'
        # As overrides: options for all modules would have mypy read the library again.
        if self.options:
            text += f'[[tool.promo-mypy.overrides]]\nmodule = "{PACKAGE}.*"\n{self.options}\n'
        return f"{text}[tool.promo-mypy.systems.mine]\n{self.lattice}\n"


@dataclass
class Workspace:
    """A folder with the caches of the library, with or without the plugin."""

    folder: Path
    plugin: bool
    _seconds: int = field(default=0, init=False)

    @cached_property
    def libraries(self) -> Path:
        """A cache with the library alone."""
        folder, name = self.folder / "libraries", "libraries.py"
        folder.mkdir(parents=True)
        (folder / name).write_text(_LIBRARIES)
        (folder / "pyproject.toml").write_text(State({}).configuration(plugin=self.plugin))
        run_module("mypy", *_FLAGS, name, folder=folder, variables=environment())
        return folder / "cache"

    def write(self, folder: Path, state: State) -> None:
        """Make a folder hold exactly these files. An edited one is two seconds younger than any before.

        mypy takes a file of the same size and second for the same file.
        """
        known = {str(path.relative_to(folder)): path for path in (folder / PACKAGE).rglob("*.py")}
        for name in known.keys() - state.files.keys():
            known[name].unlink()
        self._seconds += 2
        modified = int(_STARTED) + self._seconds
        for name, text in {**state.files, "pyproject.toml": state.configuration(plugin=self.plugin)}.items():
            path = folder / name
            if not path.exists() or path.read_text() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                os.utime(path, (modified, modified))


_STARTED: Final = time.time() - 100_000


class Mode(ABC):
    """One way to run mypy, in a folder of its own that it keeps from state to state."""

    name: str
    #: Whether a run depends on the states before.
    remembers = False

    def __init__(self, workspace: Workspace, name: str) -> None:
        self.workspace = workspace
        self.folder = workspace.folder / f"{name}-{self.name}"
        self.folder.mkdir(parents=True)

    def check(self, state: State) -> "Report":
        """What mypy says about the package in that state."""
        self.workspace.write(self.folder, state)
        return Report.of(self.run())

    @abstractmethod
    def run(self) -> str:
        """mypy's output."""

    def begin_anew(self) -> None:
        """Go on without the states before."""
        shutil.rmtree(self.folder / "cache", ignore_errors=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def fill(self) -> None:
        """Replace the cache by one with the library alone."""
        shutil.rmtree(self.folder / "cache", ignore_errors=True)
        shutil.copytree(self.workspace.libraries, self.folder / "cache")

    def mypy(self, *flags: str, module: str = "mypy") -> str:
        """Run mypy on all modules of the package."""
        done = run_module(
            module,
            *flags,
            *_FLAGS,
            PACKAGE,
            folder=self.folder,
            variables=environment(),
            imported=(WORKER, "promo_mypy.plugin") if self.workspace.plugin else (WORKER,),
        )
        return done.stdout + done.stderr


class Cold(Mode):
    """With a cache that knows only the library."""

    name = "cold"

    def run(self) -> str:
        """Run with a new cache."""
        self.fill()
        return self.mypy()


class Warm(Mode):
    """With the cache of the state before."""

    name = "warm"
    remembers = True

    def run(self) -> str:
        """Run with the cache of the last run."""
        if not (self.folder / "cache").exists():
            self.fill()
        return self.mypy()


class Workers(Mode):
    """With two worker processes, and a cache that knows only the library."""

    name = "workers"

    def run(self) -> str:
        """Run with a new cache."""
        self.fill()
        return self.mypy("-n", "2")


class Daemon(Mode):
    """With a daemon that has checked the states before. It starts without a cache, and reads the library."""

    name = "daemon"
    remembers = True

    def run(self) -> str:
        """Start the daemon, or ask it."""
        return self.mypy("run", "--timeout", "600", "--", module="mypy.dmypy")

    def begin_anew(self) -> None:
        """Stop the daemon."""
        run_module("mypy.dmypy", "stop", folder=self.folder, variables=environment())
        (self.folder / ".dmypy.json").unlink(missing_ok=True)
        super().begin_anew()

    def close(self) -> None:
        """Stop the daemon, and remove the folder."""
        self.begin_anew()
        super().close()


#: The modes that are compared with a cold run.
OTHERS: Final[tuple[type[Mode], ...]] = (Warm, Daemon, Workers)


@dataclass(frozen=True)
class Report:
    """The messages of a run in an order of their own; other lines, of a crash, count as messages."""

    messages: tuple[Message, ...]
    output: str

    @staticmethod
    def of(output: str) -> "Report":
        """Read mypy's output."""
        others = [line for line in output.splitlines() if not parse(line) and not line.startswith(_NO_MESSAGES)]
        # mypy gives advice once in a run, at whatever error comes first.
        known = [each for each in parse(output) if not each.text.startswith(_ADVICE)]
        messages = [*known, *(Message("", 0, "error", line, None) for line in others)]
        return Report(tuple(sorted(messages, key=repr)), output)


_ADVICE: Final = "See https://"
_NO_MESSAGES: Final = ("Success", "Found ", "Daemon started", "Daemon stopped", "Restarting", "Daemon killed")
