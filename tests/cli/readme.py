"""What the README shows of the command line: its commands, their output in it, and the pictures they write."""

import re
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from promo_mypy.cli.app import app
from tests.inference.executed import run_command
from tests.mypy_runs import ROOT

README = ROOT / "README.md"
SECTION = re.compile(r"^## (?:Looking at a lattice|How much is known)\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
_COMMANDS = re.compile(r"^```bash\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A command of the README with what stands after it: its output, or the picture that it writes."""

    command: str
    output: str
    picture: str | None


def shown(text: str) -> list[Shown]:
    """The commands of the sections, in order; an output goes up to the next block, a picture is named by its option."""
    found = []
    for section in SECTION.findall(text):
        for match in _COMMANDS.finditer(section):
            picture = re.search(r"--output (\S+)", match[1])
            begin = match.end() + 1
            if picture:
                output = ""
            elif section.startswith("```text\n", begin):
                output = section[begin + len("```text\n") : section.index("\n```\n", begin) + 1]
            else:
                output = section[begin : section.index("<!-- end of the output -->", begin)]
            found.append(Shown(match[1].strip(), output, picture[1] if picture else None))
    return found


def run(command: str) -> str:
    """What a command prints in a terminal of 80 columns, relative to the current folder.

    Those that check code with mypy look at the examples here, in a process of their own.
    """
    words = command.split()[1:]
    if words[0] in ("coverage", "infer"):
        done = run_command(ROOT, *words, COLUMNS="80")
        assert done.returncode == 0, done.stderr
        return done.stdout
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, words)
    assert result.exit_code == 0, result.output
    return result.stdout


def update(folder: Path) -> str:
    """Run every command in `folder`, where it writes its pictures; the README's text with the new outputs."""
    text = README.read_text(encoding="utf-8")
    for each in shown(text):
        if each.picture is not None:
            (folder / each.picture).parent.mkdir(parents=True, exist_ok=True)
        printed = run(each.command)
        if each.picture is None:
            text = text.replace(each.output, printed)
    return text
