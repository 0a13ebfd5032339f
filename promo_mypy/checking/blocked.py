"""Find the file at which mypy has stopped, and the reason, so that a run can go on without that file.

mypy stops at the first file that it cannot parse, and at a few other faults of one file, such as a `return` outside a
function. Its messages then contain all errors so far; the one that has stopped it has no code, or the code of syntax.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from promo_mypy.checking.left_out import LeftOut

_MESSAGE: Final = re.compile(r"(?P<path>.+?):(?:(?P<line>\d+):)?(?:\d+:)* error: (?P<text>.*)")
_CODE: Final = re.compile(r" *\[(?P<code>[a-z-]+)\]$")
_UNREAD: Final = "Cannot "
_CRASH: Final = "INTERNAL ERROR"


def blocked(path: str, messages: Iterable[str]) -> LeftOut:
    """The file of that path, at which mypy has stopped, with the reason."""
    reasons = list(filter(None, (_reason(path, message) for message in messages)))
    return LeftOut(path, reasons[-1] if reasons else "mypy stops at it")


def stopping(path: str | None, messages: Sequence[str]) -> str:
    """The message that has stopped mypy, about a file or about none; the last one if none looks like it."""
    if path is not None:
        found = [message for message in messages if _reason(path, message) is not None]
    else:
        found = [message for message in messages if ": note: " not in message and _CODE.search(message) is None]
    return (found or messages or ["mypy stops"])[-1]


def crashed_at(output: str) -> str | None:
    """The path at which mypy has crashed, as it prints it; None if it prints none."""
    found = [_MESSAGE.match(line) for line in output.splitlines() if _CRASH in line]
    return found[-1]["path"] if found and found[-1] is not None else None


def _reason(path: str, message: str) -> str | None:
    found = _MESSAGE.fullmatch(message)
    if found is None or Path(found["path"]).resolve() != Path(path).resolve():
        return None
    code = _CODE.search(found["text"])
    text = _printable(found["text"].removesuffix(code[0]) if code is not None else found["text"])
    line = f", line {found['line']}" if found["line"] else ""
    if text.startswith(_UNREAD) and not line:
        return text
    if code is not None:
        return f"mypy cannot parse it: {text}{line}" if code["code"] == "syntax" else None
    if text.startswith(_CRASH):
        return f"mypy crashes{line}; please report it with this code"
    return f"mypy stops at it: {text}{line}"


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text)).strip()
