"""The prose of the project uses the terms of the glossary: a table of phrases to avoid, each with its replacement.

Checked are the pages, and the docstrings and comments of the folders in `CHECKED`.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import BLOCK, PAGES, page, table
from tests.mypy_runs import ROOT

# Pattern -> what to write.
AVOID = {
    r"mypy alone|without us": "stock mypy; without the plugin",
    r"says? nothing": "infers Any; reports nothing",
    r"(?:nobody|no one|none) annotated": "unannotated; inferred",
    r"(?:left|stays?|remains?) open|open (?:dtype|type|result|variable|array)s?": "unknown dtype",
    r"forgotten|forgets?": "narrowed to Any; dropped from the cache",
    r"refus(?:e|es|ed|ing)": "rejected; incompatible; not supported",
    r"(?:is|are|was|were) put into": "mutation; added to; assigned to",
    r"names of (?:a|the|its) containers?": "aliases",
    r"paths meet": "join",
    r"(?-i:(?:is|are|was|were) none)": "is not a ...",
    r"nothing is known": "unknown",
    r"nobody knows": "unknown",
}

# Folder -> whether its docstrings and comments are checked, too. The deepest entry counts.
CHECKED = {
    "promo_mypy": True,
    "runtime": True,
    "stubs": True,
    "examples": True,
    "tests": True,
    "docs": True,
}
_PATTERNS = [(re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE), advice) for phrase, advice in AVOID.items()]


def prose_of_page(text: str) -> str:
    """A page without its blocks and code."""
    return re.sub(r"`+.*?`+", "", BLOCK.sub("", text), flags=re.DOTALL)


def prose_of_module(source: str) -> Iterator[str]:
    """The docstrings and comments of a module; comments that follow each other are one text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if comments and token.start[0] != comments[-1][0] + 1:
            yield " ".join(text for _, text in comments)
            comments = []
        comments.append((token.start[0], token.string.lstrip("#: ")))
    yield " ".join(text for _, text in comments)


def found(prose: str) -> list[str]:
    """The phrases to avoid in a text, with what to write. Code and the names in a list of attributes are not prose."""
    plain = re.sub(r"\s+", " ", re.sub(r"`[^`]*`|^ +\w+:", "", prose, flags=re.MULTILINE))
    return [f"{match[0]!r}: write {advice}" for pattern, advice in _PATTERNS for match in pattern.finditer(plain)]


def modules() -> Iterator[tuple[Path, str]]:
    """Every module of the project, with the row of its folder."""
    tops = {row.partition("/")[0] for row in CHECKED}
    for file in sorted(each for top in tops for each in (ROOT / top).rglob("*.py*")):
        if file.suffix in (".py", ".pyi"):
            yield file, next(str(each) for each in file.relative_to(ROOT).parents if str(each) in CHECKED)


CHECKED_MODULES = [file for file, row in modules() if CHECKED[row] and file != Path(__file__)]


@pytest.mark.parametrize("file", PAGES, ids=[str(file.relative_to(ROOT)) for file in PAGES])
def test_a_page_uses_the_terms(file: Path) -> None:
    assert found(prose_of_page(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", CHECKED_MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_module_uses_the_terms(file: Path) -> None:
    assert [text for prose in prose_of_module(file.read_text(encoding="utf-8")) for text in found(prose)] == []


def test_phrases_to_avoid_are_found_in_pages() -> None:
    text = "What mypy\nalone infers `is none` here.\n```text\nwithout us\n```\nIt is refused.\n"
    assert found(prose_of_page(text)) == [
        "'mypy alone': write stock mypy; without the plugin",
        "'refused': write rejected; incompatible; not supported",
    ]


SOURCE = '''\
"""What mypy says
nothing of."""

x = "without us"  # a name
# where paths
# meet


class A:
    """Fine."""
'''


def test_phrases_to_avoid_are_found_in_docstrings_and_comments() -> None:
    texts = [text for prose in prose_of_module(SOURCE) for text in found(prose)]
    assert texts == ["'says nothing': write infers Any; reports nothing", "'paths meet': write join"]


def test_every_folder_with_code_is_a_row() -> None:
    with_code = {file.relative_to(ROOT).parts[0] for file in ROOT.glob("[!.]*/**/*.py*")} - {
        "build",
        "dist",
        "__pycache__",
    }
    assert {row.partition("/")[0] for row in CHECKED} == with_code


def test_the_glossary_is_short_in_order_and_used() -> None:
    terms = [row[0] for row in table(page("docs/glossary.md"))]
    assert 10 <= len(terms) <= 24
    assert terms == sorted(terms)
    pages = " ".join(file.read_text(encoding="utf-8") for file in PAGES if file.name != "glossary.md")
    text = re.sub(r"\s+", " ", pages)
    assert [term for term in terms if term not in text] == []
