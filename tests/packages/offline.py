"""Run commands as on a machine that reaches no package index."""

import os
import subprocess
import sys

from tests.mypy_runs import ROOT


def run_without_index(module: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `python -m module arguments`, with every index hidden from pip."""
    variables = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
    for name in ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        variables.pop(name, None)
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
