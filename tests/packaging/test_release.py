"""A release: both files pass the checks of a package index, have the same content, install, and work elsewhere."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from tests.docs.pages import page
from tests.module_runs import ROOT
from tests.needed import needs

pytestmark = pytest.mark.packaging

_LINK = re.compile(r"\]\((?!https://)")


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed and does not see the checkout."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(
        command, cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of `python -m build`: the sdist from the checkout, and the wheel from the sdist."""
    needs("build")
    folder = tmp_path_factory.mktemp("release")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (file,) = folder.glob(pattern)
    return file


def test_a_package_index_accepts_both(release: Path) -> None:
    needs("twine")
    output = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", *release.iterdir(), cwd=release)
    assert output.count("PASSED") == 2


def test_the_sdist_builds_the_wheel_of_the_checkout(release: Path, wheel_file: Path) -> None:
    with zipfile.ZipFile(only(release, "*.whl")) as from_sdist, zipfile.ZipFile(wheel_file) as from_checkout:
        assert from_sdist.namelist() == from_checkout.namelist()
        assert [n for n in from_sdist.namelist() if from_sdist.read(n) != from_checkout.read(n)] == []


def test_the_sdist_has_the_files_that_the_description_names(release: Path) -> None:
    with tarfile.open(only(release, "*.tar.gz")) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "docs/index.md", "examples/quickstart/exposure.py"):
        assert name in files
    assert {"tests/test_readme.py", "promo_mypy/plugin/__init__.py", "stubs/ml_dtypes-stubs/__init__.pyi"} <= files


def test_the_description_is_the_readme_without_links(wheel_file: Path) -> None:
    with zipfile.ZipFile(wheel_file) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        text = wheel.read(name).decode()
    description = str(HeaderParser().parsestr(text).get_payload())
    readme = page("README.md")
    assert _LINK.search(readme), "the check can fail"
    assert not _LINK.search(description)
    assert re.findall(r"^#+ .*$", description, re.MULTILINE) == re.findall(r"^#+ .*$", readme, re.MULTILINE)
    assert "[a small program](examples/quickstart/exposure.py)" in readme
    assert "a small program (`examples/quickstart/exposure.py`)" in description
    assert "[CHANGELOG.md](CHANGELOG.md)" in readme
    assert " CHANGELOG.md," in description


def test_the_installed_wheel_passes_the_quick_start_elsewhere(wheel_file: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    binaries = tmp_path / "venv" / "bin"
    run(binaries / "python", "-m", "pip", "install", "--quiet", wheel_file, cwd=tmp_path)
    shutil.copytree(ROOT / "examples" / "quickstart", tmp_path / "quickstart", ignore=shutil.ignore_patterns("__*__"))
    (tmp_path / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["promo_mypy.plugin"]\n')
    output = run(binaries / "mypy", "quickstart", cwd=tmp_path)
    assert output.count("Revealed type is") == 4
    assert output.endswith("Success: no issues found in 1 source file\n")
    assert "float16" in run(binaries / "promo-mypy", "explain", "int32", "float16", "--system", "jax", cwd=tmp_path)
    run(binaries / "python", "-c", "import promo_runtime", cwd=tmp_path)


def test_every_extra_resolves(wheel_file: Path, tmp_path: Path) -> None:
    """From wheels only; PyTorch, which pip would have to download, is installed by `.ci/run`."""
    extras = set(tomllib.loads(page("pyproject.toml"))["project"]["optional-dependencies"]) - {"torch"}
    wanted = f"{wheel_file}[{','.join(sorted(extras))}]"
    command = ("install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:", wanted)
    run(sys.executable, "-m", "pip", *command, cwd=tmp_path)
