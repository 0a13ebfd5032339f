"""Sphinx builds the site from the Markdown pages: `python -m sphinx -W -b html docs docs/_build/html`.

The pages are plain Markdown, so that they also read well without Sphinx. What only a site needs is added here while
the pages are read: the navigation, and the reference pages that `reference_pages.py` makes from the code.
"""

import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

from reference_pages import FOLDER, TITLES, write_pages  # noqa: E402 -- beside this file, whose folder is on the path from here on

project = "promo-mypy"
author = "the promo-mypy authors"
version = release = version_of("promo-mypy")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
# A link to a heading has the name that the usual renderers of Markdown give it.
myst_heading_anchors = 4
# Docstrings have code in single backticks.
default_role = "code"
autodoc_typehints = "none"
autodoc_member_order = "bysource"

html_theme = "pydata_sphinx_theme"
html_title = "promo-mypy"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# No copies of the sources, no buttons to them: the site does not know where its repository is.
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": False,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 5,
    "navbar_align": "left",
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# The first page has no sidebar: it would be empty.
html_sidebars: dict[str, list[str]] = {"index": []}

#: The pages whose lists of links are the navigation.
NAVIGATION = ("index", "tutorials", "how-to", "reference", "explanation")

#: The titles of sections that become tabs.
TABS = ("NumPy", "JAX", "PyTorch")

_ITEM = re.compile(r"^- \[[^\]]+\]\(([\w/-]+)\.md\)", re.MULTILINE)
_TAB = r"(?m)^### .*$"
_TABS = re.compile("".join(rf"^### {name}\n(?:(?!#).*\n|# .*\n)*?" for name in TABS) + r"(?=^## |\Z)", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)\)")


def with_navigation(name: str, text: str) -> str:
    """A page with a hidden table of contents: the pages that its lists link to, in order."""
    if name == "reference":
        text += "\n".join(["", *(f"- [{title}]({FOLDER}/{page}.md)" for page, title in TITLES.items()), ""])
    pages = dict.fromkeys(_ITEM.findall(text))
    return text + "\n".join(["", "```{toctree}", ":hidden:", "", *pages, "```", ""])


def without_folders(text: str, page: Path) -> str:
    """The text without links to folders of the repository, for which a site has no page."""

    def replaced(link: re.Match[str]) -> str:
        target = page.parent / link[2]
        return link[1] if ".." in link[2] and not target.suffix else link[0]

    return _LINK.sub(replaced, text)


def with_tabs(text: str) -> str:
    """The text with the examples of one library each as tabs: neighbouring sections that have the titles in `TABS`."""

    def tabs(found: re.Match[str]) -> str:
        bodies = re.split(_TAB, found[0])[1:]
        heads = [
            f'<input type="radio" name="tabs" id="tab-{name}"{" checked" if name == TABS[0] else ""}>'
            f'<label for="tab-{name}">{name}</label>'
            for name in TABS
        ]
        blocks = [f'<div class="tab">\n\n{body.strip()}\n\n</div>' for body in bodies]
        # The heads follow without a blank line: they belong to the same block of HTML.
        return "\n\n".join(["\n".join(['<div class="tabs">', *heads]), *blocks, "</div>"]) + "\n\n"

    return _TABS.sub(tabs, text)


def on_source_read(app: Sphinx, name: str, content: list[str]) -> None:
    """Add the navigation to a page that has been read."""
    text = with_tabs(without_folders(content[0], Path(app.srcdir, f"{name}.md")))
    content[0] = with_navigation(name, text) if name in NAVIGATION else text


def on_start(app: Sphinx, _: object) -> None:
    """Write the reference pages, which Sphinx then finds among the others."""
    write_pages(Path(app.srcdir, FOLDER))


def setup(app: Sphinx) -> None:
    """Sphinx calls this once."""
    app.connect("config-inited", on_start)
    app.connect("source-read", on_source_read)
