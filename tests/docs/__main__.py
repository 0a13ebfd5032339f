"""`python -m tests.docs`: write the pages anew that are made from small programs."""

import tempfile
from pathlib import Path

from tests.docs import finds_page

with tempfile.TemporaryDirectory() as scratch:
    finds = [finds_page.read(name) for name in finds_page.NAMES]
    told = finds_page.messages(finds, Path(scratch), Path(scratch) / "cache")
    finds_page.PAGE.write_text(finds_page.page(told), encoding="utf-8")
