"""Bad input and bad surroundings: one clear message, the right exit status, nothing lost."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.check.checks import MISTAKE, check, check_json
from tests.mypy_runs import environment
from tests.needed import imported


def words(text: str) -> str:
    """A text without boxes and line ends."""
    return " ".join("".join(each if each not in "│╭╮╰╯─" else " " for each in text).split())


USAGE = {
    "a missing path": (("nosuch.py",), "nosuch.py: there is no such file or folder"),
    "a near path": (("mdoel.py",), "mdoel.py: there is no such file or folder; did you mean model.py?"),
    "an unknown code": (("--select", "promo-wideningg"), "has the code 'promo-wideningg'; did you mean promo-widening"),
    "a code without promo": (("--ignore", "widening"), "has the code 'widening'; did you mean promo-widening"),
    "a code to explain": (("--explain", "promo-carri"), "has the code 'promo-carri'; did you mean promo-carry"),
    "an unknown format": (("--format", "sarrif"), "sarrif"),
    "an unknown option": (("--selct", "all"), "--selct"),
    "no environment": (("--python", "src"), "src is no interpreter and no environment with one"),
    "two kinds of fixes": (("--fix", "--show-fixes"), "--fix changes the files and --show-fixes does not"),
    "standard input beside a path": (("-", "model.py"), "- stands for standard input and takes no paths beside it"),
    "fixes of standard input": (("-", "--fix"), "--fix needs files, not standard input"),
    "a name without standard input": (("model.py", "--stdin-filename", "x.py"), "--stdin-filename needs the code"),
    "a watch that writes": (("--watch", "--fix"), "--watch only reports"),
    "counts of another format": (("--statistics", "-f", "sarif"), "--statistics goes with text, concise and json"),
    "a baseline without a name": (("--write-baseline",), "name the file with --baseline"),
    "a missing baseline": (("--baseline", "nosuch.json"), "nosuch.json: cannot be read: No such file"),
    "an output that cannot be written": (("--output", "no/such/file"), "no/such/file: cannot be written"),
    "no Python files": (("src",), "there are no Python files in src"),
}


@pytest.mark.parametrize("name", USAGE)
def test_wrong_usage_is_one_message(name: str, tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "model.py").write_text("x = 1\n")
    (tmp_path / "src").mkdir()
    arguments, told = USAGE[name]
    done = check(tmp_path, check_cache, *arguments)
    assert (done.status, done.output) == (2, "")
    assert told in words(done.errors)
    assert "Traceback" not in done.errors


OPTIONS = {
    "an unknown key": ("[tool.promo-mypy.check]\nslect = []\n", 'check.slect: no such option, did you mean "select"?'),
    "an unknown code": (
        '[tool.promo-mypy.check]\nselect = ["promo-mismach"]\n',
        'check.select: "promo-mismach" is no code, did you mean "promo-mismatch"?',
    ),
    "a wrong type": ("[tool.promo-mypy.check]\npaths = 3\n", "check.paths: expected an array of strings, not 3 (int)"),
    "a wrong text": ("[tool.promo-mypy.check]\nbaseline = []\n", "check.baseline: expected a string, not an array"),
    "no table": ("[tool.promo-mypy]\ncheck = true\n", "check: expected a table, not true"),
    "an unknown system": ('[tool.promo-mypy]\nportable_to = ["jaxx"]\n', '"jaxx" is not allowed, did you mean "jax"?'),
    "an unknown option": ("[tool.promo-mypy]\nforbidd = []\n", 'forbidd: no such option, did you mean "forbid"?'),
    "no TOML": ("[tool.promo-mypy\n", "is not valid TOML"),
    "a merge": ("<<<<<<< HEAD\n[tool]\n=======\n>>>>>>> x\n", "is not valid TOML"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_faulty_configuration_is_one_message(name: str, tmp_path: Path, check_cache: Path) -> None:
    content, told = OPTIONS[name]
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text(content)
    done = check(tmp_path, check_cache)
    assert (done.status, done.output) == (2, "")
    assert told in done.errors
    assert len(done.errors.splitlines()) == 1


@pytest.mark.slow
def test_the_options_are_read(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "src" / "old").mkdir(parents=True)
    wide = "\n\ndef wide(x: NDArray[np.uint8]) -> None:\n    x / 2\n"
    for place in ("src/a.py", "src/old/b.py", "other.py"):
        (tmp_path / place).write_text(MISTAKE + wide)
    options = 'select = ["promo-widening"]\npaths = ["src"]\nexclude = ["old"]\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.promo-mypy.check]\n{options}")
    done = check_json(tmp_path, check_cache)
    assert [(each["path"], each["code"]) for each in done.findings] == [("src/a.py", "promo-widening")]
    # From a folder below, and from a file of its own; a flag replaces an option.
    assert [each["path"] for each in check_json(tmp_path / "src", check_cache).findings] == ["a.py"]
    (tmp_path / "pyproject.toml").rename(tmp_path / "other.toml")
    (tmp_path / "promo-mypy.toml").write_text(f"[check]\n{options}")
    assert check_json(tmp_path, check_cache).codes == [(11, "promo-widening")]
    named = check_json(tmp_path, check_cache, "other.py", "--select", "promo-mismatch")
    assert named.codes == [(7, "promo-mismatch")]


# The cache.


@pytest.mark.slow
def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    cache = tmp_path / "cache"
    whole = check_json(tmp_path, cache)
    files = [
        file for file in (cache / "promo-mypy-runs").rglob("*") if file.is_file() and file.suffix in (".db", ".ff")
    ]
    assert files
    for file in files:
        file.write_bytes(b"broken" * 1000)
    done = check_json(tmp_path, cache)
    assert (done.findings, done.status) == (whole.findings, 1)
    assert "Traceback" not in done.errors
    assert check_json(tmp_path, cache).findings == whole.findings


@pytest.mark.slow
@pytest.mark.parametrize("is_file", [True, False])
def test_a_cache_that_cannot_be_written_is_no_obstacle(is_file: bool, tmp_path: Path) -> None:
    imported("numpy")
    (tmp_path / "a.py").write_text("def f(x: int) -> str:\n    return x\n")
    cache = tmp_path / "locked"
    if is_file:
        cache.write_text("")
    else:
        cache.mkdir()
        cache.chmod(0o500)
        if os.access(cache, os.W_OK):
            cache = Path("/proc/locked")  # root may write anywhere but there
    done = check(tmp_path, cache)
    assert (done.status, done.output) == (0, "No dtype mistakes in 1 file.\n")
    (note,) = done.errors.splitlines()
    assert note.startswith(f"promo-mypy: the cache {cache} cannot be written (")


# Signals and pipes.


@contextlib.contextmanager
def running(folder: Path, cache: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The command while it runs. Ctrl-C reaches it even if the tests run in the background, where it is ignored."""
    start = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from promo_mypy.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", start, "check", *arguments, "--cache-dir", str(cache)]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_ctrl_c_ends_a_check_with_one_line(tmp_path: Path) -> None:
    """The cache is empty, so NumPy is read for some seconds."""
    (tmp_path / "a.py").write_text(MISTAKE)
    cache = tmp_path / "cache"
    with running(tmp_path, cache, "a.py") as process:
        deadline = time.monotonic() + 60
        while not (cache / "promo-mypy-runs").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, "", "promo-mypy: interrupted\n")
    assert check_json(tmp_path, cache).codes == [(7, "promo-mismatch")]


@pytest.mark.slow
def test_watching_checks_again_after_a_change_and_ends_with_ctrl_c(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with running(tmp_path, check_cache, "--watch", "-f", "text") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "No dtype mistakes in 1 file.\n"
        time.sleep(0.1)
        (tmp_path / "a.py").write_text(MISTAKE)
        assert process.stdout.readline().startswith("a.py:7:12: promo-mismatch")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "promo-mypy: interrupted\n")


@pytest.mark.slow
def test_a_closed_pipe_keeps_the_exit_status(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    for form in ("text", "json"):
        with running(tmp_path, check_cache, "a.py", "-f", form) as process:
            assert process.stdout is not None
            process.stdout.close()
            assert process.wait(timeout=120) == 1
            assert process.stderr is not None
            assert process.stderr.read() == ""


# Size and names.


@pytest.mark.slow
def test_a_file_of_ten_thousand_lines(tmp_path: Path, check_cache: Path) -> None:
    body = "".join(f"    y{number} = x * {number}\n" for number in range(9_990))
    source = MISTAKE.replace("    mean =", f"    x = image\n{body}    mean =")
    (tmp_path / "long.py").write_text(source)
    (finding,) = check_json(tmp_path, check_cache).findings
    assert (finding["line"], finding["code"]) == (len(source.splitlines()), "promo-mismatch")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["with space.py", "größe.py", "日本.py", "مرحبا.py", "-dash.py", "quo'te.py", "a.b.py", "e\u0301.py"]
)
def test_files_with_any_name(name: str, tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "sub dir" / name).write_text(MISTAKE, encoding="utf-8")
    (finding,) = check_json(tmp_path, check_cache).findings
    assert finding["path"] == f"sub dir/{name}"
    named = check(tmp_path, check_cache, "-f", "concise", f"sub dir/{name}")
    assert named.output.startswith(f"sub dir/{name}:7:12: promo-mismatch") or not name.isprintable()


@pytest.mark.slow
def test_the_output_goes_into_a_file(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    done = check(tmp_path, check_cache, "-f", "sarif", "--output", "a.sarif")
    assert (done.status, done.output) == (1, "")
    assert json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_the_summary_of_a_github_job(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    summary = tmp_path / "summary.md"
    summary.write_text("# Before\n")
    done = check(tmp_path, check_cache, "-f", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert done.output.startswith("::error file=a.py,line=7,")
    assert summary.read_text().startswith("# Before\n### promo-mypy\n\n1 finding in 1 file")
    check(tmp_path, check_cache, "-f", "text", GITHUB_STEP_SUMMARY=str(summary))
    assert summary.read_text().count("### promo-mypy") == 1
