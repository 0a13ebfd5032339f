"""Programs whose comments say what the longest expression of a line is: relative to a parameter, or unknown."""

import json
from pathlib import Path

from tests.program.executed import run_command


def labels(folder: Path, text: str) -> dict[int, str]:
    """Line with a comment -> "unknown", or "relative" for others."""
    (folder / "program.py").write_text(text)
    done = run_command(folder, "coverage", "program.py", "--format", "json")
    assert done.returncode == 0, done.stderr
    (file,) = json.loads(done.stdout)["files"]
    lines = text.splitlines()
    told = {number: "relative" for number, line in enumerate(lines, 1) if "  # " in line}
    for cause in file["causes"]:
        for line, start, _, end in cause["places"]:
            longest = lines[line - 1].partition("  # ")[0].strip()
            if lines[line - 1][start:end] == longest:
                told[line] = "unknown"
    return told


def assert_labelled(found: dict[int, str], text: str) -> None:
    """Each line is what its comment says."""
    lines = text.splitlines()
    wanted = {number: line.partition("  # ")[2] for number, line in enumerate(lines, 1) if "  # " in line}
    assert {lines[n - 1].strip(): found[n] for n in wanted} == {
        lines[n - 1].strip(): label for n, label in wanted.items()
    }
