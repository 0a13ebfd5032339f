"""Find the packages whose types mypy does not see, in its messages about imports."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Final

from mypy.errors import ErrorInfo

from promo_mypy.linting.report import Unseen

_CODES: Final = frozenset({"import", "import-not-found", "import-untyped"})
_REASONS: Final = (
    (re.compile(r'Cannot find implementation or library stub for module named "([\w.]+)"'), "not found"),
    (re.compile(r'Skipping analyzing "([\w.]+)"'), "it has no types"),
    (re.compile(r'Library stubs not installed for "([\w.]+)"'), "its stubs are not installed"),
)


def unseen_packages(errors: Iterable[ErrorInfo]) -> tuple[Unseen, ...]:
    """The packages that the errors in a file name, those with the most imports first.

    mypy reports an import twice in a module that it has read from its cache and checks again.
    """
    found: Counter[tuple[str, str]] = Counter()
    named = (each for each in errors if each.severity == "error" and each.code is not None and each.code.code in _CODES)
    for _, message in dict.fromkeys((error.line, error.message) for error in named):
        for pattern, reason in _REASONS:
            if match := pattern.match(message):
                found[match[1].partition(".")[0], reason] += 1
    return united(
        Unseen(package, reason, count)
        for (package, reason), count in found.items()
        if package not in sys.stdlib_module_names
    )


def united(unseen: Iterable[Unseen]) -> tuple[Unseen, ...]:
    """The same for several files."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in unseen:
        counts[each.package, each.reason] += each.imports
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Unseen(package, reason, count) for (package, reason), count in ordered)
