"""Every link of a page leads to a file, and to a heading in it; every page is linked from the index."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import BLOCK, DOCUMENTATION, PAGES, page
from tests.mypy_runs import ROOT

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_IDS = [str(file.relative_to(ROOT)) for file in PAGES]


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as the usual renderers of Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(text: str, folder: Path) -> list[str]:
    """The links of a page in a folder that lead nowhere."""
    broken = []
    for link in _LINK.findall(BLOCK.sub("", text)):
        name, _, anchor = link.partition("#")
        file = folder / name
        if link.startswith("https://"):
            continue
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8") if name else text)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("file", PAGES, ids=_IDS)
def test_every_link_leads_somewhere(file: Path) -> None:
    assert broken_links(file.read_text(encoding="utf-8"), file.parent) == []


def test_the_readme_has_links() -> None:
    assert len(_LINK.findall(page("README.md"))) > 10


def test_a_broken_link_is_found() -> None:
    text = (
        "# One two\n[a](README.md) [b](#one-two) [c](docs/no.md) [d](#three) [e](README.md#limits) [f](README.md#no)\n"
    )
    assert broken_links(text, ROOT) == ["docs/no.md", "#three", "README.md#no"]


def listed_pages(file: Path) -> set[Path]:
    """The pages that the lists of a page link to."""
    links = re.findall(r"^- \[[^\]]+\]\(([^)#\s]+\.md)\)", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {(file.parent / link).resolve() for link in links}


def test_every_page_is_in_the_navigation() -> None:
    index = ROOT / "docs/index.md"
    sections = listed_pages(index)
    assert len(sections) == 4
    assert {index, *sections}.union(*map(listed_pages, sections)) == set(DOCUMENTATION)


def missing_paths(text: str) -> list[str]:
    """The files and folders that a text names in code, from the root, and that are not there."""
    tops = "|".join(sorted(folder.name for folder in ROOT.iterdir() if folder.is_dir() and folder.name[0] != "."))
    named = re.findall(rf"`((?:{tops})/[\w./*-]*)`", text) + re.findall(rf"^ +((?:{tops})/\S*)", text, re.MULTILINE)
    return [path for path in named if not list(ROOT.glob(path.rstrip("/")))]


@pytest.mark.parametrize("file", PAGES, ids=_IDS)
def test_every_path_in_code_exists(file: Path) -> None:
    assert missing_paths(file.read_text(encoding="utf-8")) == []


def test_a_missing_path_is_found() -> None:
    text = (
        "`docs/index.md`, `docs/no.md`, `tests/*/pages.py`, `no/folder`\n    docs/       pages\n    tests/no/   none\n"
    )
    assert missing_paths(text) == ["docs/no.md", "tests/no/"]
    assert len(re.findall(r"^ +promo_mypy/", page("CONTRIBUTING.md"), re.MULTILINE)) > 5


def rooms_without_a_line(layout: str) -> list[str]:
    """The folders of code that a layout does not list."""
    parents = ("promo_mypy", "promo_mypy/plugin", "promo_mypy/rules", "runtime/promo_runtime")
    rooms = [
        room for parent in parents for room in sorted((ROOT / parent).glob("*/")) if (room / "__init__.py").exists()
    ]
    return [
        room.relative_to(ROOT).as_posix()
        for room in rooms
        if not re.search(
            rf"^ +(?:\w+/ )*(?:{room.parent.relative_to(ROOT)}/)?{room.name}/(?: |$)", layout, re.MULTILINE
        )
    ]


def test_the_layout_lists_every_room() -> None:
    layout = page("CONTRIBUTING.md").partition("## Layout")[2].partition("\n## ")[0]
    assert rooms_without_a_line(layout) == []
    assert rooms_without_a_line(layout.replace("promo_mypy/linting/", "")) == ["promo_mypy/linting"]
    assert rooms_without_a_line(layout.replace(" trees/", "")) == ["promo_mypy/plugin/trees"]
