"""Copy a cache of mypy for a test that changes it."""

import subprocess
import sys
from pathlib import Path


def copy_cache(source: Path, target: Path) -> None:
    """Copy a cache to a folder that does not exist yet, in a process of its own.

    A process that closes a file loses its locks on it. SQLite then takes a database for unused that this process still
    has open, as after a run of mypy that stopped, and the next run finds it malformed.
    """
    command = "import shutil, sys; shutil.copytree(*sys.argv[1:])"
    subprocess.run([sys.executable, "-S", "-c", command, str(source), str(target)], check=True)
