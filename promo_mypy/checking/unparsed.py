"""Find the file that mypy cannot parse in its messages, so that a run can go on without it.

mypy stops at the first such file. Any other reason to stop ends the run: without a file that shadows a library,
for example, mypy would infer other types in the other files.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from promo_mypy.checking.left_out import LeftOut

#: mypy's error about a file that it cannot parse, or cannot read.
_ERROR: Final = re.compile(
    r"(?P<path>.+?):(?:(?P<line>\d+):)?(?:\d+:)* error: (?:(?P<fault>.*?) *\[syntax\]|(?P<unread>Cannot .*))"
)


def unparsed(path: str, messages: Iterable[str]) -> LeftOut | None:
    """The file of that path, if mypy cannot parse or read it; None if mypy stopped for another reason."""
    for message in messages:
        error = _ERROR.fullmatch(message)
        if error is not None and Path(error["path"]).resolve() == Path(path).resolve():
            return LeftOut(
                path, error["unread"] or f"mypy cannot parse it: {_printable(error['fault'])}, line {error['line']}"
            )
    return None


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text)).strip()
