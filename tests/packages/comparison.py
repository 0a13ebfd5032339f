"""Sources of packages to the errors that the plugin adds to them, compared with the reviewed list."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.mypy_runs import Message
from tests.on_and_off import Difference, check, difference
from tests.packages.sources import Package, fetch
from tests.reviewed import Entry, load, unreviewed

TRUE_FINDINGS = Path(__file__).parent / "true_findings.toml"

# What a user of a package that is not strictly typed would write: bodies without annotations are checked, too.
SETTINGS = "ignore_missing_imports = True\ncheck_untyped_defs = True\nfollow_imports = silent\n"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of some packages.

    `unknown` are new errors that are not on the reviewed list, `stale` entries of the list that were not reported.
    Paths in messages begin with the import package; `root` of each is given by `Package.folder`.
    """

    difference: Difference
    unknown: tuple[Message, ...]
    stale: tuple[Entry, ...]
    seconds_off: float
    seconds_on: float

    @property
    def passed(self) -> bool:
        """Whether every new error is reviewed, and every reviewed error is still found."""
        return not self.unknown and not self.stale


def compare(packages: Sequence[Package], work: Path) -> Verdict:
    """Fetch the packages into `work`, check them without and with the plugin, and judge what is new.

    All packages are checked in one run of mypy, so that the array libraries are read once. The run without the plugin
    keeps its cache in `work`; the one with the plugin starts cold, as mypy's cache does not know our source code.

    Raises:
        FetchError: a package could not be fetched.
        MypyFailedError: mypy crashed.
    """
    sources = work / "sources"
    fetch(packages, sources)
    arguments = [argument for package in packages for argument in ("-p", package.name)]
    paths = [sources / package.folder for package in packages]
    started = time.perf_counter()
    off = check(work, arguments, cache=work / "cache-off", plugin=False, settings=SETTINGS, paths=paths)
    middle = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="promo-packages-") as cache:
        on = check(work, arguments, cache=Path(cache), plugin=True, settings=SETTINGS, paths=paths)
    ended = time.perf_counter()
    found = difference(_in_package(off, sources), _in_package(on, sources))
    names = {package.name for package in packages}
    entries = [entry for entry in load(TRUE_FINDINGS) if entry.file.partition("/")[0] in names]
    unknown: list[Message] = []
    stale: list[Entry] = []
    for package in packages:
        in_package = [message for message in found.new if message.file.partition("/")[0] == package.name]
        own = [entry for entry in entries if entry.file.partition("/")[0] == package.name]
        more_unknown, more_stale = unreviewed(in_package, own, sources / package.folder)
        unknown += more_unknown
        stale += more_stale
    return Verdict(found, tuple(unknown), tuple(stale), middle - started, ended - middle)


def _in_package(messages: Sequence[Message], sources: Path) -> list[Message]:
    # `sources/equinox-0.13.8/equinox/_module.py` becomes `equinox/_module.py`.
    relative = [(sources.parent / message.file).relative_to(sources) for message in messages]
    return [
        replace(message, file=Path(*path.parts[1:]).as_posix())
        for message, path in zip(messages, relative, strict=True)
    ]
