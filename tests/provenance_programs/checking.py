"""Check many programs in one run of mypy: the errors of each, with the plugin and without it."""

import os
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.agreement.dialects import Dialect
from tests.mypy_runs import Message, override, run_mypy
from tests.on_and_off import Difference, difference
from tests.provenance_programs.samples import PACKAGE

#: Programs without dtypes often have no other annotations.
_SETTINGS = """\
allow_untyped_defs = true
allow_incomplete_defs = true
allow_untyped_calls = true
allow_any_generics = true
allow_untyped_decorators = true
allow_subclassing_any = true
warn_return_any = false
warn_unused_ignores = false
check_untyped_defs = true
"""

#: The modules of one program.
Modules = Mapping[str, str]
#: Module -> messages.
Errors = Mapping[str, Sequence[Message]]


def errors_of(programs: Sequence[Modules], dialect: Dialect, folder: Path, cache: Path, *, plugin: bool) -> Errors:
    """The errors in the modules of all these programs, which are written to `folder`."""
    found = messages_of(programs, dialect, folder, cache, plugin=plugin)
    return {module: [each for each in messages if each.severity == "error"] for module, messages in found.items()}


def messages_of(programs: Sequence[Modules], dialect: Dialect, folder: Path, cache: Path, *, plugin: bool) -> Errors:
    """The errors and notes in the modules of all these programs, which are written to `folder`."""
    if not any(programs):  # mypy does not run without a file
        return {}
    package = folder / PACKAGE
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    sources = {name: text for modules in programs for name, text in modules.items()}
    for name, text in sources.items():
        _write(package / f"{name}.py", text)
    files = [f"{PACKAGE}/{name}.py" for name in sources]
    run = run_mypy(
        folder,
        *files,
        cache=cache,
        plugin=plugin,
        settings=_SETTINGS,
        options=override(f"{PACKAGE}.*", dialect.options),
    )
    assert run.status in (0, 1), run.output[-8000:]
    found: defaultdict[str, list[Message]] = defaultdict(list)
    for message in run.messages:
        found[Path(message.file).stem].append(message)
    return found


def _write(file: Path, text: str) -> None:
    """Write a module, with a time that follows from its text.

    mypy takes a module of the same path, size and second for unchanged. A spoiled program is often as long as the true
    one, and a run takes half a second.
    """
    file.write_text(text, encoding="utf-8")
    os.utime(file, (zlib.crc32(text.encode()),) * 2)


def differences(
    programs: Sequence[Modules], dialect: Dialect, folder: Path, caches: tuple[Path, Path]
) -> list[Difference]:
    """What the plugin changes in the errors of each program; the caches are those with and without it."""
    on = errors_of(programs, dialect, folder, caches[0], plugin=True)
    off = errors_of(programs, dialect, folder, caches[1], plugin=False)
    return [difference(_of(modules, off), _of(modules, on)) for modules in programs]


def _of(modules: Modules, errors: Errors) -> list[Message]:
    return [message for name in modules for message in errors.get(name, ())]
