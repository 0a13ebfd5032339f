"""Fork mypy's workers, in place of a new Python for each, which would import mypy and the plugin again."""

import os
import runpy
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

#: The module of a worker. The process that forks imports it first.
WORKER: Final = "mypy.build_worker.worker"
_PACKAGE: Final = WORKER.rpartition(".")[0]


def fork_workers() -> None:
    """Have `subprocess.Popen` fork where mypy starts a worker with it."""
    start: Any = subprocess.Popen

    def fork_or_start(command: Any, *arguments: Any, **settings: Any) -> Any:
        if isinstance(command, list) and command[1:3] == ["-m", _PACKAGE]:
            return _Forked(command[2:], settings["env"])
        return start(command, *arguments, **settings)

    subprocess.Popen = fork_or_start  # type: ignore[misc, assignment]  # in this process and those that it forks


class _Forked:
    """What mypy needs of `subprocess.Popen`."""

    def __init__(self, arguments: Sequence[str], variables: Mapping[str, str]) -> None:
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run(arguments, dict(variables))

    def wait(self, timeout: float) -> int:
        """The exit status."""
        end = time.monotonic() + timeout
        while True:
            found, status = os.waitpid(self.pid, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(_PACKAGE, timeout)
            time.sleep(0.005)

    def terminate(self) -> None:
        """End it."""
        os.kill(self.pid, 15)


def _run(arguments: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    """Run a worker, and leave this process without what its parent would do at its end."""
    status = 1
    try:
        os.environ.clear()
        os.environ.update(variables)
        sys.argv = list(arguments)
        runpy.run_module(_PACKAGE, run_name="__main__", alter_sys=True)
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
