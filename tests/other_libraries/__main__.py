"""`python -m tests.other_libraries [paddle] [tensorflow]`: the tests of this folder with the libraries themselves.

They are too large for every run of the tests. The command makes an environment of its own, installs the versions whose
rules were measured, runs the tests there, and removes it. It skips nothing: a missing library is a failure. With
--here it uses the active environment as it is.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mypy_runs import ROOT
from tests.needed import PROMISED

#: Library -> what to install, and the modules that it brings.
LIBRARIES = {
    "paddle": (("paddlepaddle==3.3.1",), ("paddle",)),
    "tensorflow": (("tensorflow-cpu==2.21.0", "types-tensorflow==2.18.*"), ("tensorflow", "tensorflow-stubs")),
}

#: Further packages for the tests here: Paddle is incompatible with one package of the extra `test` (opt_einsum).
_TOOLS = ("pytest>=8.4", "pytest-xdist>=3.6", "hypothesis>=6.130", "jaxtyping>=0.3")


def main() -> int:
    """pytest's exit status, or pip's."""
    parser = argparse.ArgumentParser(prog="python -m tests.other_libraries", description=__doc__)
    parser.add_argument("libraries", nargs="*", metavar="library", help=f"of {', '.join(LIBRARIES)}; without any: all")
    parser.add_argument("--here", action="store_true", help="use the active environment")
    given = parser.parse_args()
    chosen = given.libraries or list(LIBRARIES)
    if not set(chosen) <= set(LIBRARIES):
        parser.error(f"the libraries are {', '.join(LIBRARIES)}")
    if given.here:
        return run_tests(sys.executable, chosen)
    with tempfile.TemporaryDirectory(prefix="promo-libraries-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
        needed = [requirement for name in chosen for requirement in LIBRARIES[name][0]]
        install = [python, "-m", "pip", "install", "--quiet", str(ROOT), *_TOOLS, *needed]
        status = subprocess.run(install, check=False).returncode
        return status or run_tests(python, chosen)


def run_tests(python: str, chosen: list[str]) -> int:
    """Run the tests that concern these libraries."""
    promised = ["jaxtyping", *(module for name in chosen for module in LIBRARIES[name][1])]
    command = [python, "-m", "pytest", "--all", "-q", "tests/other_libraries", "-k", " or ".join(chosen)]
    variables = os.environ | {PROMISED: ",".join(promised)}
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
