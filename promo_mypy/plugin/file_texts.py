"""The text of a file that mypy has parsed: a search in it is cheaper than a look at every node."""

import re
from pathlib import Path

from mypy.nodes import MypyFile


def may_have(tree: MypyFile, pattern: re.Pattern[str]) -> bool:
    """Whether the pattern is found in the file's text, or there is no file to look into, as with `mypy -c`."""
    try:
        return pattern.search(Path(tree.path).read_text(encoding="utf-8", errors="replace")) is not None
    except OSError:
        return True
