"""`python -m tests.cli`: write the figures, tables and diagrams of the documentation anew, from its own commands.

Before that, the manual page.
"""

import os

from tests.cli import man_page
from tests.cli.shown_output import PAGES, updated
from tests.mypy_runs import ROOT

os.chdir(ROOT)
man_page.PAGE.write_text(man_page.man_page(), encoding="utf-8")
for page in PAGES:
    page.write_text(updated(page.read_text(encoding="utf-8"), ROOT), encoding="utf-8")
