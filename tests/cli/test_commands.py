"""The commands as people type them: examples, help, completion, errors, files."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from promo_mypy.cli.app import COMMANDS, GROUPS, Command, app_of
from promo_mypy.cli.names import OPERATIONS
from promo_mypy.rules.systems import SYSTEM_NAMES
from tests.mypy_runs import ROOT
from tests.needed import needs

#: What `promo-mypy coverage --format json` writes of a program without arrays, as far as `--against` reads it.
COVERAGE = '{"version": 2, "expressions": 0, "percent": 100.0, "causes": [], "files": []}'

#: Files that an example reads: name -> content.
FILES: dict[str, str] = {
    "mine.toml": 'extends = "jax"\nfloors = ["float beside int32 -> float64"]\n',
    "before.json": COVERAGE,
    "pyproject.toml": '[tool.promo-mypy.systems.mine]\nextends = "jax"\nrefuse = ["float16 + bfloat16"]\n',
    "src/module.py": "x = 1\n",
    "train.py": "import numpy as np\n\nprint(np.ones(3).dtype)\n",
    "models/train.py": "import numpy as np\n\nprint(np.ones(3).dtype)\n",
    "one.json": '{"version": 1, "modules": {}}',
    "two.json": '{"version": 1, "modules": {}}',
}

EXAMPLES = [example for command in COMMANDS for example in command.examples]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with the files of the examples, and a terminal of 80 columns without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def typed(line: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command line."""
    words = line.split()
    assert words[0] == "promo-mypy"
    result = CliRunner().invoke(app_of(COMMANDS), words[1:], prog_name="promo-mypy")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def words_of(text: str) -> str:
    """A text without boxes and line ends."""
    return " ".join(re.sub(r"[─│╭╮╰╯]", " ", text).split())


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_run(example: str, here: Path) -> None:
    if example == "promo-mypy lsp --check":
        needs("pygls")
    status, out, err = typed(example)
    assert (status, err) == (0, "")
    written = re.search(r"--output (\S+)", example)
    assert (here / written[1]).read_text(encoding="utf-8") if written else out.strip()
    assert max(map(len, out.splitlines()), default=0) <= 80 or "--format" in example


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: f"{row.group} {row.name}".strip())
def test_help_shows_the_examples(row: Command) -> None:
    assert len(row.examples) >= 2
    status, out, _ = typed(" ".join(filter(None, ["promo-mypy", row.group, row.name, "--help"])))
    assert status == 0
    lines = [line.strip() for line in out.splitlines()]
    assert all(example in lines for example in row.examples)
    assert all(example.startswith(f"promo-mypy {f'{row.group} {row.name}'.strip()} ") for example in row.examples)
    assert (row.function.__doc__ or "").splitlines()[0] in words_of(out)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", ["", " lattice", " lattice show", " infer", " table"])
def test_help_has_a_short_name(words: str) -> None:
    short, long = typed(f"promo-mypy{words} -h"), typed(f"promo-mypy{words} --help")
    assert short == long
    assert short[0] == 0
    assert f"Usage: promo-mypy{words} " in words_of(short[1])


@pytest.mark.usefixtures("here")
def test_the_version() -> None:
    status, out, err = typed("promo-mypy --version")
    python = ".".join(map(str, sys.version_info[:3]))
    assert (status, out, err) == (
        0,
        f"promo-mypy {version('promo-mypy')} (mypy {version('mypy')}, Python {python})\n",
        "",
    )


def test_the_version_does_not_load_mypy() -> None:
    """mypy takes long to load, and may fail to load."""
    program = (
        "import sys; sys.modules['mypy'] = None\nfrom promo_mypy.cli import main\nsys.argv[1:] = ['--version']\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("promo-mypy ")


@pytest.mark.usefixtures("here")
def test_help_lists_every_command() -> None:
    _, top, _ = typed("promo-mypy --help")
    for command in COMMANDS:
        listed = typed(f"promo-mypy {command.group} --help")[1] if command.group else top
        assert re.search(rf"^│ {command.name} ", listed, re.MULTILINE)
    assert all(f"│ {group} " in top for group in GROUPS)
    purposes = [*dict.fromkeys(command.purpose for command in COMMANDS)]
    assert len(purposes) == 3
    assert re.findall(r"^╭─ (.*?) ─+╮$", top, re.MULTILINE) == ["Options", *purposes]


def test_every_command_is_one_module_with_one_function() -> None:
    files = {file.stem for file in (ROOT / "promo_mypy" / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert {f"{command.group}_{command.name}".strip("_") for command in COMMANDS} == files
    for command in COMMANDS:
        assert command.function.__module__ == f"promo_mypy.cli.commands.{f'{command.group}_{command.name}'.strip('_')}"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("promo-mypy table jaxx", "no promotion system is called 'jaxx'; did you mean jax"),
        ("promo-mypy table jax --versus nunpy", "'nunpy'; did you mean numpy"),
        ("promo-mypy table jax --operation truedivv", "'truedivv'; did you mean truediv"),
        ("promo-mypy table jax --format htlm", "htlm"),
        ("promo-mypy lattice show torhc", "'torhc'; did you mean torch"),
        ("promo-mypy lattice show jax --highlight int32,flaot16", "'flaot16'; did you mean float16"),
        ("promo-mypy explain int32 flaot32", "'flaot32'; did you mean float32"),
        ("promo-mypy explain int32 Float", "Float is a category of dtypes"),
        ("promo-mypy explain int32", "name at least two dtypes"),
        ("promo-mypy explain int8 int8 int8 --operation add", "add takes two dtypes, not 3"),
        ("promo-mypy explain int8 int8 --system jaxx", "'jaxx'; did you mean jax"),
        ("promo-mypy lattice shwo jax", "shwo"),
        ("promo-mypy lattice show numpy --highlight bfloat16,int8", "bfloat16 has no place in the order of numpy"),
        ("promo-mypy table jax --output missing/table.txt", "missing/table.txt: cannot be written: No such file"),
    ],
)
def test_a_mistake_is_one_clear_error(line: str, expected: str) -> None:
    status, out, err = typed(line)
    assert (status, out) == (2, "")
    assert expected in words_of(err)
    assert "Traceback" not in err
    assert len(re.findall(r"[Ee]rror", err)) == 1 + err.count("Value error")


@pytest.mark.usefixtures("here")
def test_no_arguments_show_the_help() -> None:
    for line in ("promo-mypy", "promo-mypy lattice", "promo-mypy table"):
        _, out, err = typed(line)
        assert "Usage: promo-mypy" in out + err


def completed(line: str) -> list[str]:
    """The completions of the last word in bash."""
    words = line.split(" ")
    environment = os.environ | {
        "_PROMO_MYPY_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    run = subprocess.run(
        [sys.executable, "-m", "promo_mypy.cli"], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    return run.stdout.split()


def test_commands_and_options_are_completed() -> None:
    assert completed("promo-mypy ch") == ["check"]
    assert completed("promo-mypy lattice s") == ["show"]
    assert completed("promo-mypy check --form") == ["--format"]
    assert completed("promo-mypy check --select promo-ov") == ["promo-overflow"]


@pytest.mark.slow
def test_names_are_completed() -> None:
    assert completed("promo-mypy table ja") == [name for name in SYSTEM_NAMES if name.startswith("ja")]
    assert completed("promo-mypy table jax --versus tor") == ["torch"]
    assert completed("promo-mypy explain bfl") == ["bfloat16"]
    assert completed("promo-mypy lattice show jax --highlight int32,float3") == ["int32,float32", "int32,float32*"]
    assert completed("promo-mypy table jax --operation true") == ["truediv"]
    assert "truediv" in OPERATIONS


def test_the_script_is_this_command_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["scripts"]["promo-mypy"].partition(":")
    assert getattr(sys.modules[module], name).__module__ == "promo_mypy.cli"


def test_a_file_has_no_colours_and_all_of_the_text(here: Path) -> None:
    _, out, _ = typed("promo-mypy table jax --versus numpy")
    assert typed("promo-mypy table jax --versus numpy --output table.txt") == (0, "", "")
    assert (here / "table.txt").read_text(encoding="utf-8") == out
    assert "\x1b" not in out


@pytest.mark.usefixtures("here")
def test_explanations_as_json() -> None:
    status, out, _ = typed("promo-mypy explain int32 float16 --system jax --system torch --format json")
    assert status == 0
    assert [(each["system"], each["result"]) for each in json.loads(out)] == [("jax", "float16"), ("torch", "float16")]


@pytest.mark.usefixtures("here")
def test_short_names_are_accepted() -> None:
    names = {"long": "int32 float16 float32*", "short": "i32 f16 f*"}
    long, short = (typed(f"promo-mypy explain {each} --system jax")[1] for each in names.values())
    assert "jax: float16" in long
    assert "jax: float16" in short
