"""The matrix of versions: `nox` runs it, `nox -l` lists it, `nox -s "mypy(1.19)"` is one session.

A session installs the package with one library at one version and the others at their newest, runs the tests of a
profile, and writes its result to tests/versions/results. `nox -s table` writes these into the README.

    nox -- full                 the profile "full" in every session; without it, "fast" (tests/versions/profiles.py)
    nox -s "mypy(1.19)" -- -x   what else follows `--` goes to pytest

All sessions but those of other Pythons share one environment, in which pip exchanges what differs. PyTorch is the build
for CPUs at the version whose rules were measured. Where pip would choose a build for GPUs, name PyTorch's own index for
CPUs in PIP_EXTRA_INDEX_URL.

A build of PyTorch for another Python is a download of gigabytes. mypy needs only the types, and nothing in the profile
"fast" executes PyTorch. So the sessions of other versions of PyTorch, and of other Pythons, read the types of the
smallest wheel, which is the one for macOS, without its dependencies.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["mypy", "numpy", "jax", "torch", "python", "debian"]

SHARED = Path(".nox") / "shared"
EXTRAS = ".[test,jax,dask,array-api,tensorflow]"
TORCH_MINOR = "2.13"
TORCH = f"torch=={TORCH_MINOR}.0"
#: The versions of which only the types are tested; see above.
TORCH_TYPES = ("2.10", "2.11", "2.12")

#: JAX -> jaxtyping and Equinox of its time.
JAX = {"0.8": ("0.3.3", "0.13.2"), "0.9": ("0.3.5", "0.13.4"), "0.10": ("0.3.*", "0.13.*")}
MYPY = ("1.19", "1.20", "2.0", "2.1", "2.2", "2.3", "2.4")
NUMPY = ("2.2", "2.3", "2.4")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

#: Debian's releases with Python 3.13 and 3.14.
DEBIAN = ("trixie", "forky")


def _pins(mypy: str = MYPY[-1], numpy: str = NUMPY[-1], jax: str = [*JAX][-1]) -> list[str]:
    jaxtyping, equinox = JAX[jax]
    versions = {"mypy": f"{mypy}.*", "numpy": f"{numpy}.*", "jax": f"{jax}.*", "jaxlib": f"{jax}.*"}
    return [f"{name}=={version}" for name, version in {**versions, "jaxtyping": jaxtyping, "equinox": equinox}.items()]


def _shared() -> str:
    """The Python of the environment that most sessions share."""
    if not SHARED.exists():
        subprocess.run([sys.executable, "-m", "venv", str(SHARED)], check=True)
    return str((SHARED / ("Scripts" if sys.platform == "win32" else "bin") / "python").absolute())


def _check(session: nox.Session, name: str, pins: list[str], **variables: str) -> None:
    """In the shared environment: install, then run a profile. A failed test is named at the end, and in the result."""
    session.run(_shared(), "-m", "pip", "install", "--quiet", EXTRAS, TORCH, *pins, external=True)
    command = [_shared(), "-m", "tests.versions", "run", name, *session.posargs]
    session.run(*command, env=variables, external=True)


def _types_of_torch(session: nox.Session, version: str, folder: Path) -> str:
    """The absolute path of a folder with the types of that version, for PYTHONPATH."""
    if not folder.exists():
        wheel = ["--platform", "macosx_15_0_arm64", "--only-binary=:all:", "--no-deps", f"torch=={version}.*"]
        session.run(_shared(), "-m", "pip", "install", "--quiet", "--target", str(folder), *wheel, external=True)
    return str(folder.absolute())


@nox.session(venv_backend="none")
@nox.parametrize("version", MYPY, ids=MYPY)
def mypy(session: nox.Session, version: str) -> None:
    """One minor version of mypy."""
    _check(session, f"mypy {version}", _pins(mypy=version))


@nox.session(venv_backend="none")
@nox.parametrize("version", NUMPY, ids=NUMPY)
def numpy(session: nox.Session, version: str) -> None:
    """One minor version of NumPy."""
    _check(session, f"NumPy {version}", _pins(numpy=version))


@nox.session(venv_backend="none")
@nox.parametrize("version", list(JAX), ids=list(JAX))
def jax(session: nox.Session, version: str) -> None:
    """One minor version of JAX, with jaxtyping and Equinox of its time."""
    _check(session, f"JAX {version}", _pins(jax=version))


@nox.session(venv_backend="none")
@nox.parametrize("version", TORCH_TYPES, ids=TORCH_TYPES)
def torch(session: nox.Session, version: str) -> None:
    """The types of one minor version of PyTorch."""
    if "full" in session.posargs:
        session.skip("the profile full executes PyTorch, and only its types are installed")
    folder = _types_of_torch(session, version, Path(".nox") / f"torch-{version}")
    _check(session, f"PyTorch {version}", _pins(), PYTHONPATH=folder)


@nox.session(python=PYTHONS)
def python(session: nox.Session) -> None:
    """One version of Python; skipped where the machine has none."""
    variables = {}
    if "full" in session.posargs:
        session.install("--quiet", EXTRAS, TORCH, *_pins())
    else:
        session.install("--quiet", EXTRAS, *_pins())
        variables["PYTHONPATH"] = _types_of_torch(session, TORCH_MINOR, Path(".nox") / f"torch-{TORCH_MINOR}")
    command = ["python", "-m", "tests.versions", "run", f"Python {session.python}", *session.posargs]
    session.run(*command, env=variables)


@nox.session(venv_backend="none")
@nox.parametrize("release", DEBIAN, ids=DEBIAN)
def debian(session: nox.Session, release: str) -> None:
    """The newest libraries under the Python of Debian's own packages, in a folder.

    Skipped without root, debootstrap, or a way to Debian's archive.
    """
    bootstrap = shutil.which("debootstrap")
    if bootstrap is None or os.geteuid():
        session.skip("needs root, and debootstrap: apt-get install debootstrap")
    folder = Path(".nox") / release
    if not (folder / "usr" / "bin" / "python3").exists():
        packages = "--include=python3,python3-venv,ca-certificates"
        # The script serves every newer release, too: an older debootstrap does not know their names.
        source = [release, str(folder), "", "sid"]
        if subprocess.run([bootstrap, "--variant=minbase", packages, *source], check=False).returncode:
            shutil.rmtree(folder, ignore_errors=True)
            session.skip("debootstrap could not unpack Debian: see its output")
    if "full" not in session.posargs:
        _types_of_torch(session, TORCH_MINOR, folder / "torch")
    session.run(sys.executable, "-m", "tests.versions.debian", str(folder), *session.posargs, external=True)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """The site of the documentation, in docs/_build/html."""
    session.run(_shared(), "-m", "pip", "install", "--quiet", ".[docs]", external=True)
    session.run(_shared(), "-m", "sphinx", "-W", "-b", "html", "docs", "docs/_build/html", external=True)


@nox.session(venv_backend="none")
def table(session: nox.Session) -> None:
    """Write the results into the table of the README."""
    session.run(sys.executable, "-m", "tests.versions", "table", external=True)
