"""The facts about files that an answer was computed from, and whether they still hold."""

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

from promo_mypy.checking.kept.stamps import Stamp, digest_of, is_file, is_folder, stamp_of, status_of, trusted

_MODULES: Final = (".py", ".pyi", ".ipynb")


class Listing(StrEnum):
    """Which names in a folder count."""

    PROGRAM = "program"
    """Python files, notebooks and folders, as far as they are not hidden."""
    IMPORTS = "imports"
    """What an import may find: Python files, and folders that are packages or stubs by their names."""
    PATHS = "paths"
    """`.pth` files, which add to the search path of an interpreter."""


@dataclass(slots=True)
class FileFact:
    """A file.

    Attributes:
        stamp: its stamp; None if it must be read.
        digest: of its content.
    """

    stamp: Stamp | None
    digest: str


@dataclass(slots=True)
class FolderFact:
    """A folder.

    Attributes:
        stamp: its stamp; None if it must be listed.
        absent: names that are not in it.
        listings: digests of the names in it that count.
    """

    stamp: Stamp | None
    absent: list[str] = field(default_factory=list)
    listings: dict[str, str] = field(default_factory=dict)

    def joined(self, other: "FolderFact") -> "FolderFact":
        """This fact and another one about the same folder."""
        stamp = self.stamp if self.stamp == other.stamp else None
        return FolderFact(stamp, [*self.absent, *other.absent], {**self.listings, **other.listings})


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about files, folders and variables of the environment.

    Attributes:
        files: path -> its fact.
        folders: path -> its fact.
        variables: name -> value; None for one that is not set.
    """

    files: Mapping[str, FileFact]
    folders: Mapping[str, FolderFact]
    variables: Mapping[str, str | None] = field(default_factory=dict)

    def held(self) -> "Facts | None":
        """The facts if all hold, with new stamps where files were touched; None if one does not hold."""
        now = time.time_ns()
        if any(os.environ.get(name) != value for name, value in self.variables.items()):
            return None
        files: dict[str, FileFact] = {}
        for path, file in self.files.items():
            status = status_of(path)
            if status is None:
                return None
            stamp = stamp_of(status)
            if stamp != file.stamp:
                if not is_file(status) or digest_of(path) != file.digest:
                    return None
                files[path] = FileFact(trusted(stamp, now), file.digest)
        folders: dict[str, FolderFact] = {}
        for path, folder in self.folders.items():
            status = status_of(path)
            if status is None or not is_folder(status):
                return None
            stamp = stamp_of(status)
            if stamp != folder.stamp:
                if not _still_lists(path, folder):
                    return None
                folders[path] = FolderFact(trusted(stamp, now), folder.absent, folder.listings)
        if not any(file.stamp for file in files.values()) and not any(folder.stamp for folder in folders.values()):
            return self
        return Facts({**self.files, **files}, {**self.folders, **folders}, self.variables)

    def joined(self, others: "Facts") -> "Facts":
        """These facts and others about the same state."""
        folders = dict(self.folders)
        for path, folder in others.folders.items():
            known = folders.get(path)
            folders[path] = folder if known is None else known.joined(folder)
        return Facts({**self.files, **others.files}, folders, {**self.variables, **others.variables})

    def plain(self) -> dict[str, Any]:
        """The facts as JSON data."""
        return {
            "files": {path: [file.stamp, file.digest] for path, file in self.files.items()},
            "folders": {path: [each.stamp, each.absent, each.listings] for path, each in self.folders.items()},
            "variables": dict(self.variables),
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Facts":
        """The facts in JSON data. Raises LookupError, TypeError or AttributeError for other data."""
        files = {path: FileFact(*fact) for path, fact in plain["files"].items()}
        folders = {path: FolderFact(*fact) for path, fact in plain["folders"].items()}
        return cls(files, folders, plain["variables"])


def listed(folder: str, listing: Listing) -> str:
    """A digest of the names in a folder that count. Raises OSError."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if _counts(entry, listing))
    return blake2b("\0".join(names).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _counts(entry: "os.DirEntry[str]", listing: Listing) -> bool:
    if listing is Listing.PATHS:
        return entry.name.endswith(".pth")
    if entry.name.startswith(".") or entry.name == "__pycache__":
        return False
    if entry.name.endswith(_MODULES):
        return True
    return entry.is_dir() and (listing is Listing.PROGRAM or entry.name.removesuffix("-stubs").isidentifier())


def _still_lists(path: str, folder: FolderFact) -> bool:
    try:
        if folder.absent and not set(os.listdir(path)).isdisjoint(folder.absent):  # noqa: PTH208 -- only the names
            return False
        return all(listed(path, Listing(kind)) == digest for kind, digest in folder.listings.items())
    except OSError:
        return False


def gathered(
    statuses: Mapping[str, os.stat_result | None],
    listings: Iterable[tuple[str, Listing]],
    variables: Iterable[str],
    started: int,
    earlier: Facts | None = None,
) -> Facts | None:
    """The facts of a run; None if files changed while it ran.

    Args:
        statuses: path -> what the run was told about it.
        listings: the folders whose names decided.
        variables: the names of variables of the environment that decided.
        started: when the run began, in nanoseconds.
        earlier: facts of an earlier run, whose digests save reading files.
    """
    found = _Gathering(started, earlier.files if earlier is not None else {})
    try:
        for path, status in statuses.items():
            if status is None:
                found.absent(path)
            elif is_folder(status):
                found.folder(path)
            else:
                found.file(path, stamp_of(status))
        for path, listing in listings:
            if is_folder(status_of(path)):
                found.folder(path).listings[listing.value] = listed(path, listing)
        for path, folder in found.folders.items():
            if not set(os.listdir(path)).isdisjoint(folder.absent):  # noqa: PTH208 -- only the names
                return None  # made since, or a link to nothing
    except OSError:
        return None
    return Facts(found.files, found.folders, {name: os.environ.get(name) for name in variables})


class _Gathering:
    """Facts while they are gathered. Its methods raise OSError for what has changed since the run was told about it."""

    def __init__(self, started: int, earlier: Mapping[str, FileFact]) -> None:
        self._started, self._earlier = started, earlier
        self.files: Final[dict[str, FileFact]] = {}
        self.folders: Final[dict[str, FolderFact]] = {}

    def file(self, path: str, stamp: Stamp) -> None:
        """A file that the run may have read when it had this stamp."""
        known = self._earlier.get(path)
        digest = known.digest if known is not None and known.stamp == stamp else digest_of(path)
        after = status_of(path)
        if digest is None or not is_file(after) or after is None or stamp_of(after) != stamp:
            raise OSError(f"{path} has changed")
        self.files[path] = FileFact(trusted(stamp, self._started), digest)

    def folder(self, path: str) -> FolderFact:
        """A folder."""
        if path not in self.folders:
            status = status_of(path)
            if status is None or not is_folder(status):
                raise OSError(f"{path} is gone")
            self.folders[path] = FolderFact(trusted(stamp_of(status), self._started))
        return self.folders[path]

    def absent(self, path: str) -> None:
        """A path that leads nowhere: its first part that is not there decides."""
        while True:
            folder, name = os.path.split(path.rstrip(os.sep))
            folder = folder or "."
            if folder in self.folders:
                self.folders[folder].absent.append(name)
                return
            status = status_of(folder)
            if status is None and folder != path:
                path = folder
            elif is_folder(status):
                self.folder(folder).absent.append(name)
                return
            else:
                self.file(folder, stamp_of(status) if status is not None else [])
                return
