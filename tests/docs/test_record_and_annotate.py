"""The page "Record and annotate": its commands, in their order, print what it shows."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import BLOCK, blocks, page
from tests.mypy_runs import ROOT, environment
from tests.needed import needs

pytestmark = pytest.mark.slow

needs("libcst")

PAGE = page("docs/record-and-annotate.md")
_SECONDS = re.compile(r"\d+\.\d+ s\b")


def commands() -> Iterator[tuple[str, str, bool]]:
    """Each command with the output that is shown, and whether the profile is in the options by then."""
    profile = blocks(PAGE, "toml")[1]
    has_profile, command = False, ""
    for language, text in BLOCK.findall(PAGE):
        has_profile = has_profile or text == profile
        if language == "bash":
            command = text.strip()
        elif command:
            yield command, text, has_profile
            command = ""


def lines(text: str) -> list[str]:
    """The lines of an output, without what differs from run to run."""
    return [_SECONDS.sub("", line).rstrip() for line in text.splitlines() if line.strip()]


def test_the_commands_print_what_is_shown(tmp_path: Path, plugin_cache: Path) -> None:
    module, tests = blocks(PAGE, "python")
    configuration, profile = blocks(PAGE, "toml")
    for name, text in (("spectra/peaks.py", module), ("tests/test_peaks.py", tests), ("spectra/__init__.py", "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    variables = environment() | {"MYPY_CACHE_DIR": str(plugin_cache), "COLUMNS": "100", "NO_COLOR": "1"}
    variables["PYTHONPATH"] = os.pathsep.join([variables["PYTHONPATH"], str(ROOT / "runtime")])
    found = list(commands())
    assert [command.split()[0] for command, *_ in found] == [
        *("promo-mypy", "pytest", "promo-mypy", "promo-mypy", "promo-mypy", "mypy", "pytest", "promo-mypy"),
        "promo-mypy",
    ]
    for command, output, has_profile in found:
        (tmp_path / "pyproject.toml").write_text(f"{configuration}\n{profile}" if has_profile else configuration)
        name, *words = command.split()
        program = {"promo-mypy": "promo_mypy.cli"}.get(name, name)
        options = ["-p", "promo_pytest", "-p", "no:cacheprovider"] if name == "pytest" else []
        run = subprocess.run(
            [sys.executable, "-m", program, *options, *words],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, command + run.stdout + run.stderr
        printed = lines(run.stdout)
        if name == "pytest":
            printed = [line for line in printed if line.startswith("promo-")]
        assert printed[: len(lines(output))] == lines(output), command
