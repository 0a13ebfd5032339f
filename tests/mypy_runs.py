"""Run the real mypy, each time in its own process, for every test that checks mypy's output."""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.module_runs import ROOT as ROOT
from tests.module_runs import run_module
from tests.plugin_failures import reject_failures

_LINE = re.compile(
    r"^(?P<file>[^:]+):(?P<line>\d+): (?P<severity>error|note): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)
_REVEALED = re.compile(r'^Revealed type is "(?P<type>.*)"$')
_QUALIFIERS = re.compile(
    r"\b(?:promo_mypy\.rules\.dtypes|jax\._src\.basearray|torch\._tensor|dask\.array\.core"
    r"|array_api_strict\._array_object|cupy|paddle\.tensor\.tensor|tensorflow|builtins)\."
)


#: mypy shows no error in stubs that are installed; here they stand in a folder of MYPYPATH, as if they were a user's.
_SILENT_STUBS = '[[tool.mypy.overrides]]\nmodule = ["ml_dtypes.*", "cupy.*"]\nignore_errors = true\n'


@dataclass(frozen=True, slots=True)
class Message:
    """One line of mypy's output."""

    file: str
    line: int
    severity: str
    text: str
    code: str | None

    @property
    def revealed(self) -> str | None:
        """The type of a `reveal_type` note, without the modules of promo-mypy's dtypes and of the array classes."""
        match = _REVEALED.match(self.text)
        return _QUALIFIERS.sub("", match["type"]) if match else None


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of mypy printed, and its exit status."""

    messages: tuple[Message, ...]
    output: str
    status: int

    def revealed(self) -> dict[int, str]:
        """Line -> revealed type; for a run over one file."""
        return {message.line: message.revealed for message in self.messages if message.revealed is not None}

    def errors(self) -> list[Message]:
        """Only the errors."""
        return [message for message in self.messages if message.severity == "error"]

    def lines(self) -> list[str]:
        """Every message as text, sorted: two modes of mypy may print them in another order."""
        return sorted(str(message) for message in self.messages)


@cache
def stub_path() -> Path:
    """A folder where mypy finds our stubs; mypy accepts the suffix `-stubs` only where packages are installed."""
    folder = Path(tempfile.mkdtemp(prefix="promo-stubs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for package in (ROOT / "stubs").glob("*-stubs"):
        shutil.copytree(package, folder / package.name.removesuffix("-stubs"))
    return folder


def environment() -> dict[str, str]:
    """The environment of a run: the checkout comes first, for Python (the plugin) and for mypy (types and stubs)."""
    variables = dict(os.environ)
    parts = [str(ROOT), str(ROOT / "runtime")]
    variables["PYTHONPATH"] = os.pathsep.join([*parts, *filter(None, [variables.get("PYTHONPATH")])])
    variables["MYPYPATH"] = os.pathsep.join([*parts, str(stub_path())])
    # Inherited settings must not decide what a test sees, nor make every run compile the plugin anew.
    inherited = ("MYPY_CACHE_DIR", "MYPY_CONFIG_FILE_DIR", "MYPY_FORCE_COLOR", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")
    for name in inherited:
        variables.pop(name, None)
    return variables


def configuration(cache: Path, settings: str = "", *modules: str) -> str:
    """mypy's TOML for our own commands, with settings for those modules only, as in `run_mypy`."""
    general = f'[tool.mypy]\ncache_dir = "{cache.as_posix()}"\n'
    return f"[[tool.mypy.overrides]]\nmodule = {list(modules)}\n{settings}\n{general}" if settings else general


def override(module: str, options: str) -> str:
    """Options for one module only: options for all modules would make mypy read the array libraries again."""
    return f'[[tool.promo-mypy.overrides]]\nmodule = "{module}"\n{options}\n'


def run_mypy(
    folder: Path,
    *arguments: str,
    cache: Path,
    plugin: bool = True,
    further_plugins: tuple[str, ...] = (),
    imported: tuple[str, ...] = (),
    settings: str = "",
    options: str = "",
) -> Run:
    """Run mypy in `folder`, after writing a `pyproject.toml` there.

    Args:
        folder: working directory of the run.
        arguments: files and flags. A flag for all modules, libraries included, needs a cache of its own.
        cache: mypy's cache directory; runs with and without the plugin should not share one.
        plugin: whether our plugin is configured.
        further_plugins: plugins to configure besides ours.
        imported: modules that the process imports before mypy runs, if it can be forked.
        settings: mypy's options for the files of the run only, so that the cached libraries stay valid.
        options: TOML for `[tool.promo-mypy]`.
    """
    plugins = [*(["promo_mypy.plugin"] if plugin else []), *further_plugins]
    tables = f"[tool.mypy]\nstrict = true\nshow_column_numbers = false\npretty = false\nplugins = {plugins}\n"
    if settings:
        checked = [argument[:-3].replace("/", ".") for argument in arguments if argument.endswith(".py")]
        tables += f"[[tool.mypy.overrides]]\nmodule = {checked}\n{settings}\n"
    if options:
        tables += f"[tool.promo-mypy]\n{options}\n"
    # Last, so that the lines of `options` in a message do not depend on it.
    (folder / "pyproject.toml").write_text(f"{tables}{_SILENT_STUBS}", encoding="utf-8")
    flags = ("--cache-dir", str(cache), "--show-traceback", "--no-color-output")
    before = (*(["tests.imported_plugin"] if plugin else []), *imported)
    done = run_module("mypy", *flags, *arguments, folder=folder, variables=environment(), imported=before)
    output = done.stdout + done.stderr
    return Run(parse(output), output, done.returncode)


def run_dmypy(folder: Path, *arguments: str) -> Run:
    """Run a command of the mypy daemon in that folder: `run -- file.py` (starts it if needed), `stop` or `kill`."""
    command = [sys.executable, "-m", "mypy.dmypy", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    reject_failures(done.stdout + done.stderr)
    return Run(parse(done.stdout), done.stdout + done.stderr, done.returncode)


@contextmanager
def daemon_checks(folder: Path, *arguments: str, settings: str = "") -> Iterator[Callable[[], Run]]:
    """Checks by a mypy daemon of that folder with the plugin. The first one starts it, and it is stopped at the end.

    Args:
        folder: working directory; `mypy.ini` and the cache are written there.
        arguments: files to check.
        settings: further lines for the section `[mypy]`.
    """
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = promo_mypy.plugin\nstrict = true\n{settings}")
    flags = ("--config-file", "mypy.ini", "--cache-dir", "cache")
    try:
        yield lambda: run_dmypy(folder, "run", "--", *flags, *arguments)
    finally:
        run_dmypy(folder, "stop")


def touch(file: Path, seconds: int) -> None:
    """Add a comment. mypy takes a file of the same size and second for the same file."""
    file.write_text(f"{file.read_text()}# a comment\n")
    modified = file.stat().st_mtime + seconds
    os.utime(file, (modified, modified))


def parse(output: str) -> tuple[Message, ...]:
    """The messages in mypy's output."""
    matches = (_LINE.match(line) for line in output.splitlines())
    return tuple(
        Message(match["file"], int(match["line"]), match["severity"], match["text"], match["code"])
        for match in matches
        if match is not None
    )
