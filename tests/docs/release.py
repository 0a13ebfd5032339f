"""The recipes of the pages as they work today: from the Git address or a checkout, or from a release.

docs/release.toml says which. ADDRESS stands for the Git address of this repository, and OWNER for its owner on GitHub.
"""

import re
import tomllib
from typing import Final, NamedTuple

from tests.docs.pages import BLOCK
from tests.mypy_runs import ROOT

#: The version that has been released, or "".
RELEASED: Final[str] = tomllib.loads((ROOT / "docs" / "release.toml").read_text(encoding="utf-8"))["released"]
#: The languages of the blocks that are recipes.
_LANGUAGES: Final = ("bash", "yaml", "dockerfile")


class _Row(NamedTuple):
    """What recipes write about the place of promo-mypy."""

    pattern: str
    """Either form."""
    before: str
    """Before a release."""
    after: str
    """After it, with the version in place of VERSION."""


_RECIPES: Final = (
    _Row(r'(?<!\[)"promo-mypy(\[[\w,]+\])?(?: @ git\+ADDRESS)?"', r'"promo-mypy\1 @ git+ADDRESS"', r'"promo-mypy\1"'),
    _Row(r"(?<=\n    )rev: (?:main|v[\d.]+)(?=\n)", "rev: main", "rev: vVERSION"),
    _Row(r"OWNER/promo-mypy@(?:main|v[\d.]+)", "OWNER/promo-mypy@main", "OWNER/promo-mypy@vVERSION"),
)
_BEFORE: Final = "There is no release yet"
_AFTER: Final = "Releases are on the package index"
_PROSE: Final = (_Row(f"{_BEFORE}|{_AFTER}", _BEFORE, _AFTER),)


def written(text: str, released: str = RELEASED) -> str:
    """A page with its recipes for a version that has been released, or for none.

    Args:
        text: the page, with either form of the recipes.
        released: the version, or "".
    """
    parts, end = [], 0
    for block in BLOCK.finditer(text):
        rows = _RECIPES if block[1] in _LANGUAGES else ()
        parts += [_replaced(text[end : block.start()], _PROSE, released), _replaced(block[0], rows, released)]
        end = block.end()
    return "".join([*parts, _replaced(text[end:], _PROSE, released)])


def _replaced(text: str, rows: tuple[_Row, ...], released: str) -> str:
    for row in rows:
        text = re.sub(row.pattern, row.after.replace("VERSION", released) if released else row.before, text)
    return text
