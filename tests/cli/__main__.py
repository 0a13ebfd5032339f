"""`python -m tests.cli`: write the README's figures, table, explanation and diagram anew, from its own commands."""

import os

from tests.cli.readme import README, update
from tests.mypy_runs import ROOT

os.chdir(ROOT)
README.write_text(update(ROOT), encoding="utf-8")
