"""Run a program, and record the dtypes of its packages: `python -m promo_runtime.recording.recorded_program`.

`promo-mypy record` starts it, with the settings in environment variables, which the child processes of the program
inherit. Each process writes a profile of its own when it ends.
"""

import ast
import atexit
import json
import os
import signal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from multiprocessing import util
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from promo_mypy.rules.profiles import profile_text
from promo_runtime.instrumentation.instrumented_imports import InstrumentedImports
from promo_runtime.recording.recorded_sources import SEE
from promo_runtime.recording.recorder import Recorder, source_text

FOLDER: Final = "PROMO_RECORD_FOLDER"
"""The folder for the profiles of the processes."""
PACKAGES: Final = "PROMO_RECORD_PACKAGES"
"""The packages to record, separated by commas; empty for those beside the program."""

_CHILDREN: Final = Path(__file__).parent / "child_processes"


class Program(NamedTuple):
    """A program: its name in the profile, its source, and the spec of a module that is run by name."""

    name: str
    path: str
    source: bytes
    spec: ModuleSpec | None


def main(arguments: Sequence[str]) -> None:
    """Run `script ARGS` or `-m module ARGS` as Python would, as `__main__`."""
    program = _module(arguments[1]) if arguments[0] == "-m" else _script(arguments[0])
    sys.argv[:] = [program.path, *arguments[2 if arguments[0] == "-m" else 1 :]]
    packages = [each for each in os.environ[PACKAGES].split(",") if each] or _beside(program)
    os.environ[PACKAGES] = ",".join(packages)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_CHILDREN), os.environ.get("PYTHONPATH"))))
    recorder = _start(packages, program.name)
    tree = recorder.instrument(ast.parse(program.source, program.path), source_text(program.source), program.name)
    module = ModuleType("__main__")
    vars(module).update({SEE: recorder.see, "__file__": program.path, "__spec__": program.spec})
    if program.spec is not None:
        module.__package__ = program.spec.parent
    sys.modules["__main__"] = module
    exec(compile(tree, program.path, "exec", dont_inherit=True), vars(module))


def start_in_child() -> None:
    """Record in a process that a recorded program has started."""
    if FOLDER in os.environ:
        _start([each for each in os.environ[PACKAGES].split(",") if each], Path(sys.orig_argv[0]).name)


def _start(packages: Sequence[str], name: str) -> Recorder:
    recorder = Recorder(lambda: name)
    imports = InstrumentedImports(
        packages,
        lambda tree, source: recorder.instrument(tree, source_text(source.content), source.module),
        {SEE: recorder.see},
    )
    imports.install()

    def write() -> None:
        profile = recorder.profile()
        if profile.modules:
            written = {
                "observations": recorder.observations,
                "seconds": recorder.seconds,
                "profile": profile_text(profile),
            }
            file = Path(os.environ[FOLDER]) / f"{os.getpid()}-{id(recorder)}.json"
            file.write_text(json.dumps(written), encoding="utf-8")

    def forked(_: object) -> None:
        recorder.forget()
        util.Finalize(None, write, exitpriority=0)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # as a pool of processes ends its workers
            signal.signal(signal.SIGTERM, terminated)

    def terminated(number: int, _: object) -> None:
        write()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    atexit.register(write)
    os.register_at_fork(after_in_child=recorder.forget)
    util.register_after_fork(recorder, forked)
    return recorder


def _script(path: str) -> Program:
    file = Path(path)
    if file.is_dir():
        raise SystemExit(f"promo-mypy record: {path} is a folder; name a script, or -m and a module")
    sys.path[0] = str(file.resolve().parent)
    return Program(file.stem, path, file.read_bytes(), None)


def _module(name: str) -> Program:
    sys.path[0] = str(Path.cwd())
    spec = find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = find_spec(f"{name}.__main__")
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise SystemExit(f"promo-mypy record: no module {name} with a source")
    return Program(spec.name, spec.origin, Path(spec.origin).read_bytes(), spec)


def _beside(program: Program) -> list[str]:
    """The packages and modules in the folder of a script, or the package of a module."""
    if program.spec is not None and "." in program.spec.name:
        return [program.spec.name.partition(".")[0]]
    folder = Path(program.path).resolve().parent
    packages = {each.name for each in folder.iterdir() if each.is_dir() and _has_modules(each)}
    return sorted(each for each in packages | {file.stem for file in folder.glob("*.py")} if each.isidentifier())


def _has_modules(folder: Path) -> bool:
    """Whether there are modules in a folder that is no environment. Few packages begin deeper than this."""
    is_environment = (folder / "pyvenv.cfg").is_file()
    return not is_environment and any(next(folder.glob(each), None) for each in ("*.py", "*/*.py", "*/*/*.py"))


if __name__ == "__main__":
    main(sys.argv[1:])
