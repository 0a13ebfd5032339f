"""The quick start of the README, word for word: `python -m tests.packaging.quick_start` runs its first two commands.

Each runs in a fresh clone of the checkout, including uncommitted changes, and in a fresh virtual environment.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

#: Variables that lead Python, mypy or pytest out of the fresh environment, or tell the tests which libraries to expect.
_OF_OTHERS: Final = (
    "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "MYPYPATH", "MYPY_CACHE_DIR", "MYPY_CONFIG_FILE_DIR",
    "PYTEST_ADDOPTS", "PROMO_MYPY_LIBRARIES",
)  # fmt: skip


def commands(readme: str) -> list[str]:
    """The first two blocks of bash in the section that is called Quick start. Raises ValueError if there are fewer."""
    section = re.search(r"^## Quick start\n(.*?)(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```bash\n(.*?)^```$", section[1] if section else "", re.MULTILINE | re.DOTALL)
    if len(blocks) < 2:
        raise ValueError(f"the quick start has {len(blocks)} blocks of bash in place of two")
    return blocks[:2]


def clone(checkout: Path, target: Path) -> None:
    """Clone a checkout, and apply its uncommitted changes in the clone."""
    subprocess.run(["git", "clone", "--quiet", str(checkout), str(target)], check=True)
    changed = ["git", "ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"]
    names = subprocess.run(changed, cwd=checkout, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        (target / name).unlink(missing_ok=True)
        if (checkout / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, target / name)


def run(command: str, checkout: Path) -> int:
    """The exit status of a command in a fresh clone and a fresh virtual environment."""
    with tempfile.TemporaryDirectory(prefix="promo-quick-start-") as scratch:
        folder, environment = Path(scratch, "clone"), Path(scratch, "environment")
        clone(checkout, folder)
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        variables = {name: value for name, value in os.environ.items() if name not in _OF_OTHERS}
        variables["VIRTUAL_ENV"] = str(environment)
        variables["PATH"] = os.pathsep.join([str(environment / "bin"), variables["PATH"]])
        return subprocess.run(["bash", "-c", command], cwd=folder, env=variables, check=False).returncode


def main(checkouts: Sequence[str]) -> int:
    """Run the commands of a checkout, of this one if none is named; the status of the first that fails, or 0."""
    checkout = Path(*checkouts) if checkouts else ROOT
    for command in commands((checkout / "README.md").read_text(encoding="utf-8")):
        sys.stdout.write(f"$ {command}")
        sys.stdout.flush()
        started = time.monotonic()
        status = run(command, checkout)
        sys.stdout.write(f"exit status {status} after {time.monotonic() - started:.0f} s\n")
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
