"""`python -m tests.versions.debian FOLDER [ARGUMENTS]`: a session under the Python of a Debian that lies in a folder.

The project's files are copied into it, the package is installed there, and the result is copied back. PyTorch is not
installed, as pip would choose its build for GPUs. The profile "fast" finds its types in the folder /torch; the tests of
the profile "full" that need it are skipped. Needs root, for `unshare`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.module_runs import ROOT
from tests.versions.results import FOLDER as RESULTS

_CHECKOUT: Final = "/checkout"
_TYPES_OF_TORCH: Final = "/torch"
_SCRIPT: Final = f"""\
set -eu
types=$1
shift
cd {_CHECKOUT}
test -d /environment || python3 -m venv /environment
/environment/bin/python -m pip install --quiet '.[test,jax,dask,array-api,tensorflow]'
session="Debian $(. /etc/os-release; echo "$VERSION_CODENAME")"
PYTHONPATH=$types exec /environment/bin/python -m tests.versions run "$session" "$@"
"""


def _copy_files(target: Path) -> None:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    for name in filter(None, map(bytes.decode, files)):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)


def main(folder: Path, arguments: Sequence[str]) -> int:
    """The exit status of the session."""
    checkout = folder / _CHECKOUT.lstrip("/")
    shutil.rmtree(checkout, ignore_errors=True)
    _copy_files(checkout)
    for file in filter(None, ["/etc/resolv.conf", "/etc/hosts", os.environ.get("PIP_CERT")]):
        shutil.copyfile(file, folder / file.lstrip("/"))
    variables = dict(os.environ) | {"PATH": "/usr/bin:/bin", "HOME": "/root", "TMPDIR": "/tmp"}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        variables.pop(name, None)
    types = "" if "full" in arguments else _TYPES_OF_TORCH
    # mypy counts the processors in /proc.
    chroot = ["/usr/bin/unshare", "--mount-proc", "--root", str(folder)]
    command = [*chroot, "/bin/sh", "-c", _SCRIPT, "sh", types, *arguments]
    done = subprocess.run(command, env=variables, check=False)
    for result in (checkout / "tests" / "versions" / "results").glob("debian-*.json"):
        shutil.copyfile(result, RESULTS / result.name)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
