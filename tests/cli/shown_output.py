"""Run the commands in the documentation: their output on the page, and the pictures that they write."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from promo_mypy.cli.app import COMMANDS, app_of
from tests.mypy_runs import ROOT
from tests.program.executed import run_command

#: The pages with commands, relative to the root.
PAGES = (Path("docs/coverage.md"), Path("docs/lattice-pictures.md"))
_COMMANDS = re.compile(r"^```bash\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A command of a page with what follows it: its output, or the picture that it writes."""

    command: str
    output: str
    picture: str | None


def shown(text: str) -> Iterator[Shown]:
    """The commands of a page, in order; an output ends at the next block, a picture is named by its option."""
    for match in _COMMANDS.finditer(text):
        picture = re.search(r"--output (\S+)", match[1])
        begin = match.end() + 1
        if picture:
            output = ""
        elif text.startswith("```text\n", begin):
            output = text[begin + len("```text\n") : text.index("\n```\n", begin) + 1]
        else:
            output = text[begin : text.index("<!-- end of the output -->", begin)]
        yield Shown(match[1].strip(), output, picture[1] if picture else None)


def run(command: str) -> str:
    """The output of a command in a terminal of 80 columns, relative to the current folder.

    Commands that check code with mypy use the examples here, in a process of their own.
    """
    words = command.split()[1:]
    if words[0] in ("coverage", "infer"):
        done = run_command(ROOT, *words, COLUMNS="80")
        assert done.returncode == 0, done.stderr
        return done.stdout
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app_of(COMMANDS), words)
    assert result.exit_code == 0, result.output
    return result.stdout


def updated(text: str, folder: Path) -> str:
    """Run every command of a page in `folder`, where it writes its pictures; return the page with the new outputs."""
    for each in shown(text):
        if each.picture is not None:
            (folder / each.picture).parent.mkdir(parents=True, exist_ok=True)
        printed = run(each.command)
        if each.picture is None:
            text = text.replace(each.output, printed)
    return text
