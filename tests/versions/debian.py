"""`python -m tests.versions.debian FOLDER [ARGUMENTS]`: a session under the Python of a Debian that lies in a folder.

The project's files are copied into it, the package is installed there without PyTorch, whose build for GPUs pip would
choose, and the result is copied back. Needs root, for `chroot`.
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
_SCRIPT: Final = f"""\
set -eu
cd {_CHECKOUT}
test -d /environment || python3 -m venv /environment
/environment/bin/python -m pip install --quiet '.[test,jax,dask,array-api,tensorflow]'
name="Python $(/environment/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
exec /environment/bin/python -m tests.versions run "$name" "$@"
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
    shutil.copyfile("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    shutil.copyfile("/etc/hosts", folder / "etc" / "hosts")
    variables = dict(os.environ) | {"PATH": "/usr/bin:/bin", "HOME": "/root"}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        variables.pop(name, None)
    command = ["/usr/sbin/chroot", str(folder), "/bin/sh", "-c", _SCRIPT, "sh", *arguments]
    done = subprocess.run(command, env=variables, check=False)
    for result in (checkout / "tests" / "versions" / "results").glob("python-*.json"):
        shutil.copyfile(result, RESULTS / result.name)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
