"""`python -m tests.docs`: write anew the page of findings, and the output on the pages that can be followed.

Before that, the recipes of all pages for a release or for none (docs/release.toml).
"""

import tempfile
from pathlib import Path

from tests.docs import finds_page, release
from tests.docs.pages import PAGES
from tests.docs.walkthrough import WALKTHROUGHS, Place, followed

for page in PAGES:
    page.write_text(release.written(page.read_text(encoding="utf-8")), encoding="utf-8")

with tempfile.TemporaryDirectory() as scratch:
    finds = [finds_page.read(name) for name in finds_page.NAMES]
    folder = Path(scratch, "finds")
    folder.mkdir()
    told = finds_page.messages(finds, folder, Path(scratch, "cache-plugin"))
    finds_page.PAGE.write_text(finds_page.page(told), encoding="utf-8")
    for page in WALKTHROUGHS:
        place = Place(Path(scratch, page.stem), Path(scratch, "cache-pages"), Path(scratch, "cache-check"))
        place.folder.mkdir()
        page.write_text(followed(page.read_text(encoding="utf-8"), place), encoding="utf-8")
