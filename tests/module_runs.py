"""Run a module that imports mypy, as `python -m module` does, each time in a process of its own.

Such a run takes half a second, and half of that is the import of mypy. So a server process imports mypy, but nothing
of promo-mypy unless it is told to, waits beside the tests, and forks for each run.
"""

import atexit
import gc
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.forked_workers import WORKER, fork_workers
from tests.plugin_failures import reject_failures

ROOT = Path(__file__).resolve().parents[1]


def run_module(
    module: str, *arguments: str, folder: Path, variables: Mapping[str, str], imported: tuple[str, ...] = ()
) -> "subprocess.CompletedProcess[str]":
    """What `python -m module arguments` prints in a folder; `variables` is its whole environment.

    Raises AssertionError if the plugin fails in the run.

    Args:
        module: what is run.
        arguments: its arguments.
        folder: where it is run.
        variables: its whole environment.
        imported: modules that the server imports besides mypy. With mypy's worker among them it forks workers, too.
    """
    if not hasattr(os, "fork"):
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        reject_failures(done.stdout + done.stderr)
        return done
    with tempfile.TemporaryDirectory(prefix="promo-run-") as scratch:
        files = [str(Path(scratch, name)) for name in ("output", "errors")]
        request = {
            "command": [module, *arguments],
            "folder": str(folder),
            "variables": dict(variables),
            "files": files,
        }
        server = _server(tuple(sorted(pair for pair in variables.items() if pair[0].startswith("PYTHON"))), imported)
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(request), file=server.stdin, flush=True)
        status = int(server.stdout.readline())
        output, errors = (Path(file).read_text(encoding="utf-8") for file in files)
    reject_failures(output + errors)
    return subprocess.CompletedProcess([module, *arguments], status, output, errors)


@cache
def _server(of_python: tuple[tuple[str, str], ...], imported: tuple[str, ...]) -> "subprocess.Popen[str]":
    """The process that forks; one for each set of variables that Python reads at its start, and of modules."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.module_runs", *imported],
        cwd=ROOT,
        env=others | dict(of_python),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)  # closes its input, which ends it
    return server


def _serve(imported: Sequence[str]) -> None:
    """Run what each line of the input asks for, and print its exit status. Import these modules before."""
    for module in ("mypy.build", "mypy.main", *imported):
        import_module(module)
    gc.freeze()  # so that no run copies the memory of these modules to look for garbage there
    if WORKER in imported:
        fork_workers()
    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            _become(json.loads(line))
            return
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _become(request: Mapping[str, Any]) -> None:
    """Turn this process into the one that runs the module."""
    places = [os.open(os.devnull, os.O_RDONLY)]
    places += [os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for file in request["files"]]
    for number, place in enumerate(places):
        os.dup2(place, number)
        os.close(place)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    sys.path[0] = request["folder"]
    module, *arguments = request["command"]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(sys.argv[1:])
