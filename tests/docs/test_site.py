"""Sphinx builds the site without a warning and without the network, and every link within it leads somewhere.

Links to other sites are not checked: CI may have no network.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from promo_mypy.cli.app import COMMANDS
from promo_mypy.rules.functions import LIBRARY_NAMES
from promo_mypy.rules.systems import SYSTEM_NAMES
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS
from tests.docs.pages import DOCUMENTATION
from tests.mypy_runs import ROOT, environment
from tests.needed import needs

#: What the tabs of the first page show, one each.
TABS_SHOW = ("shade.py", "descend.py", "attend.py")
SECTIONS = ("Tutorials", "How-to guides", "Reference", "Explanation")


def build(docs: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    """Build the site from a folder of pages."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(docs), str(site)]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("sphinx")
    folder = tmp_path_factory.mktemp("site")
    # A copy, as Sphinx writes the reference pages beside the others.
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("_build", "generated"))
    shutil.copytree(ROOT / "examples", folder / "examples")
    done = build(folder / "docs", folder / "site")
    assert done.returncode == 0, done.stderr
    return folder / "site"


def pages_of(site: Path) -> list[Path]:
    """Every page of a site; its static files have templates beside them."""
    return [file for file in site.rglob("*.html") if "_static" not in file.parts]


def targets(page: str) -> list[str]:
    """Where the links, pictures, scripts and style sheets of a page lead."""
    return re.findall(r"\b(?:href|src)=\"([^\"]+)\"", page)


def test_every_page_is_on_the_site(site: Path) -> None:
    pages = {file.relative_to(ROOT / "docs").with_suffix(".html") for file in DOCUMENTATION}
    assert [str(page) for page in pages if not (site / page).exists()] == []


def test_every_page_has_the_navigation(site: Path) -> None:
    for file in pages_of(site):
        text = file.read_text(encoding="utf-8")
        assert [section for section in SECTIONS if not re.search(rf">\s*{section}\s*</a>", text)] == [], file


def test_no_link_on_the_site_is_broken(site: Path) -> None:
    broken, counted = [], 0
    for file in pages_of(site):
        for target in targets(file.read_text(encoding="utf-8")):
            path = target.partition("#")[0].partition("?")[0]
            if path and not target.startswith(("https:", "data:")):
                counted += 1
                broken += [] if (file.parent / path).exists() else [(file.name, target)]
    assert broken == []
    assert counted > 1000


def test_a_page_loads_nothing_from_other_sites(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r"<(?:script|img)\b[^>]*\bsrc=\"([^\"]+)\"|<link\b[^>]*\bhref=\"([^\"]+)\"", text)
    assert len(loaded) > 5
    assert [each for pair in loaded for each in pair if each.startswith(("http:", "https:", "//"))] == []


def test_the_first_page_has_a_tab_for_each_library(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    tabs = text.partition('<div class="tabs">')[2].partition('<section id="how-it-compares">')[0]
    assert re.findall(r'<label for="tab-\w+">(\w+)</label>', tabs) == ["NumPy", "JAX", "PyTorch"]
    assert tabs.count(" checked>") == 1
    assert [name in tab for name, tab in zip(TABS_SHOW, tabs.split('<div class="tab">')[1:], strict=True)] == [True] * 3


def test_the_reference_has_everything_that_the_code_has(site: Path) -> None:
    made = {file.stem: file.read_text(encoding="utf-8") for file in (site / "generated").glob("*.html")}
    assert [row.code for row in DIAGNOSTICS if f'id="{row.code}"' not in made["codes"]] == []
    assert [each.name for each in COMMANDS if f"{each.name}" not in made["commands"]] == []
    assert {file.stem for file in (site / "generated" / "systems").glob("*.html")} == set(SYSTEM_NAMES)
    assert {file.stem for file in (site / "generated" / "functions").glob("*.html")} == set(LIBRARY_NAMES)
    assert "result_type" in made["run-time-api"]


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    needs("sphinx")
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs" / "_static", docs / "_static")
    for name in ("conf.py", "reference_pages.py"):
        shutil.copy(ROOT / "docs" / name, docs)
    (docs / "index.md").write_text("# Site\n\n[a](missing.md) [b](#nowhere)\n")
    done = build(docs, tmp_path / "site")
    assert done.returncode != 0
    assert "missing.md" in done.stderr
    assert "nowhere" in done.stderr
