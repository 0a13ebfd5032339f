"""Compare the errors that the plugin adds to the sources of packages with the reviewed list."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.mypy_runs import Message
from tests.on_and_off import Difference, check, difference
from tests.packages.inferred_dtypes import is_of_stubs_dtypes
from tests.packages.sources import Package, fetch, foreign
from tests.reviewed import LOST, NEW, Entry, load, unreviewed

#: New errors, each a true finding, and lost errors, with reasons.
REVIEWED = Path(__file__).parent / "true_findings.toml"

# Options that a user of a package without strict types would choose: bodies without annotations are checked, too.
SETTINGS = "ignore_missing_imports = True\ncheck_untyped_defs = True\nfollow_imports = silent\n"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of some packages.

    `unknown` are errors, by kind of difference, that are not on the reviewed list; `stale` are entries of the list that
    no difference needs. Paths in messages begin with the import package, which is in `Package.folder`.
    """

    difference: Difference
    unknown: Mapping[str, Sequence[Message]]
    stale: tuple[Entry, ...]

    @property
    def passed(self) -> bool:
        """Whether every new and every lost error is reviewed, and every entry of the list is needed."""
        return not any(self.unknown.values()) and not self.stale


def skipped(packages: Sequence[Package], sources: Path) -> str:
    """Sections of mypy's configuration: imports out of the packages that mypy must not follow."""
    modules = sorted(foreign(packages, sources))
    return "".join(f"[mypy-{module},{module}.*]\nfollow_imports = skip\n" for module in modules)


def compare(packages: Sequence[Package], work: Path) -> Verdict:
    """Fetch the packages into `work`, check them without and with the plugin, and judge the new errors.

    All packages are checked in one run of mypy, so that the array libraries are read once. The run without the plugin
    keeps its cache in `work`; the one with the plugin starts cold, since mypy's cache does not know our source code.

    Raises:
        FetchError: a package could not be fetched.
        MypyFailedError: mypy crashed.
    """
    sources = work / "sources"
    fetch(packages, sources)
    arguments = [argument for package in packages for argument in ("-p", package.module)]
    paths = [sources / package.folder for package in packages]
    settings = SETTINGS + skipped(packages, sources)
    off = check(work, arguments, cache=work / "cache-off", plugin=False, settings=settings, paths=paths)
    with tempfile.TemporaryDirectory(prefix="promo-packages-") as cache:
        on = check(work, arguments, cache=Path(cache), plugin=True, settings=settings, paths=paths)
    return judge(packages, off, on, sources)


def judge(packages: Sequence[Package], off: Sequence[Message], on: Sequence[Message], sources: Path) -> Verdict:
    """Compare the errors of the packages, without and with the plugin, with the reviewed list."""
    found = difference(_in_package(off, sources), _in_package(on, sources))
    places = {package.module: sources / package.folder for package in packages}
    kept = (each for each in found.lost if not is_of_stubs_dtypes(each, places[each.file.partition("/")[0]]))
    found = replace(found, lost=tuple(kept))
    unknown: dict[str, list[Message]] = {NEW: [], LOST: []}
    stale: list[Entry] = []
    for kind, messages in ((NEW, found.new), (LOST, found.lost)):
        for package in packages:
            in_package = [message for message in messages if message.file.startswith(f"{package.module}/")]
            entries = [entry for entry in load(REVIEWED, kind) if entry.file.startswith(f"{package.module}/")]
            more_unknown, more_stale = unreviewed(in_package, entries, sources / package.folder)
            unknown[kind] += more_unknown
            stale += more_stale
    return Verdict(found, unknown, tuple(stale))


def _in_package(messages: Sequence[Message], sources: Path) -> list[Message]:
    # `sources/equinox-0.13.8/equinox/_module.py` becomes `equinox/_module.py`.
    relative = [(sources.parent / message.file).relative_to(sources) for message in messages]
    return [
        replace(message, file=Path(*path.parts[1:]).as_posix())
        for message, path in zip(messages, relative, strict=True)
    ]
