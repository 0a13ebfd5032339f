"""The project's Markdown pages -> the sections, blocks and tables that tests compare with the code."""

import re
from pathlib import Path

from tests.module_runs import ROOT

#: The pages of the documentation, without those that Sphinx makes from the code.
DOCUMENTATION: tuple[Path, ...] = tuple(
    file for folder in ("docs", "docs/tutorials", "docs/how-to") for file in sorted((ROOT / folder).glob("*.md"))
)
PAGES: tuple[Path, ...] = (*sorted(ROOT.glob("*.md")), *DOCUMENTATION)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """The text of a page, by its path in the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands below a heading of the second level."""
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(found)


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return [block for name, block in BLOCK.findall(text) if name == language]


def table(text: str) -> list[list[str]]:
    """The cells of a table, without its head."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]
