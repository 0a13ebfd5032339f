"""Let mypy and the plugin read the texts of an editor in place of the files on disk."""

import os
import stat
from typing import Final

from mypy.util import hash_digest

from promo_mypy.checking.parsers import Files
from promo_mypy.plugin.trees.file_texts import UNSAVED


class Buffers(Files):
    """mypy's view of the file system, with the texts of some files replaced."""

    def __init__(self) -> None:
        super().__init__()
        self._contents: Final[dict[str, bytes]] = {}

    def put(self, path: str, content: bytes) -> None:
        """Read this content in place of the file, which need not exist."""
        self._contents[path] = content
        UNSAVED[path] = content.decode("utf-8", "replace")

    def discard(self, path: str) -> None:
        """Read the file again."""
        self._contents.pop(path, None)
        UNSAVED.pop(path, None)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        content = self._contents.get(path)
        return super().read(path) if content is None else content

    def hash_digest(self, path: str) -> str:
        """The digest of the content."""
        content = self._contents.get(path)
        return super().hash_digest(path) if content is None else hash_digest(content)

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """The properties of a file; a text without a file looks like one."""
        found = super().stat_or_none(path)
        content = self._contents.get(path)
        if found is not None or content is None:
            return found
        return os.stat_result((stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(content), 0, 0, 0))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether the file exists; `real_only`: whether a parser may read it from disk."""
        return not (real_only and path in self._contents) and super().exists(path, real_only)
