"""Which findings are reported: codes, the baseline, the changed lines; and the explanation of a code."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from promo_mypy.cli.app import COMMANDS, app_of
from promo_mypy.cli.check.changed_lines import RevisionError, changed_since, in_changes
from promo_mypy.linting import baseline
from promo_mypy.linting.baseline import BaselineError
from promo_mypy.rules.findings import Finding, Span
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, Diagnostic, selected
from promo_mypy.rules.wording.examples import EXAMPLES
from tests.cli.check.checks import MISTAKE, check, check_json
from tests.cli.check.outcomes import MISMATCH, OVERFLOW

DEFAULT = {row.code for row in DIAGNOSTICS if row.enabled}


def test_codes_are_selected_and_ignored() -> None:
    everything = {row.code for row in DIAGNOSTICS}
    assert selected((), ()) == DEFAULT < everything
    assert selected(["all"], ()) == everything
    assert selected(["promo-widening"], ()) == {"promo-widening"}
    assert selected(["promo-widening", "promo-overflow"], ["promo-overflow"]) == {"promo-widening"}
    assert selected((), ["promo-mismatch"]) == DEFAULT - {"promo-mismatch"}
    assert selected(["all"], ["all"]) == frozenset()
    assert selected(["promo"], ()) == everything
    assert selected(["promo-wi", "promo-overflow"], ()) == {"promo-widening", "promo-overflow"}
    assert selected(["promo"], ["promo-p"]) == everything - {"promo-precision", "promo-portability"}


def test_the_flags_and_the_counts(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(f"{MISTAKE}\n\ndef wide(x: NDArray[np.uint8]) -> None:\n    x / 2\n    x + 300\n")
    assert check_json(tmp_path, check_cache).codes == [(7, "promo-mismatch"), (12, "promo-overflow")]
    flags = ("--select", "promo-widening,promo-mismatch", "--ignore", "promo-mismatch")
    chosen = check_json(tmp_path, check_cache, *flags)
    assert chosen.codes == [(11, "promo-widening")]
    counted = check(tmp_path, check_cache, "--select", "all", "-f", "concise", "--statistics")
    assert counted.status == 1
    assert {(line.split()[0], line.split()[1]) for line in counted.output.splitlines()} == {
        ("1", "promo-mismatch"), ("1", "promo-overflow"), ("1", "promo-widening"),
    }  # fmt: skip


@pytest.mark.parametrize("row", DIAGNOSTICS, ids=lambda row: row.code)
def test_a_code_is_explained(row: Diagnostic) -> None:
    result = CliRunner().invoke(app_of(COMMANDS), ["check", "--explain", row.code])
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert row.meaning in words
    assert EXAMPLES[row.code].why in words
    assert f"# promo: ignore[{row.code}]" in result.stdout
    assert all(line in result.stdout for line in EXAMPLES[row.code].program.splitlines())


# The baseline.


def findings_in(folder: Path) -> list[Finding]:
    return [replace(each, path=str(folder / each.path)) for each in (OVERFLOW, MISMATCH)]


def test_what_is_in_the_baseline_is_not_new(tmp_path: Path) -> None:
    file, found = tmp_path / "baseline.json", findings_in(tmp_path)
    baseline.write(found, file)
    assert baseline.compare(found, file) == baseline.Compared((), 2, 0)
    other = replace(found[0], code="promo-inplace")
    assert baseline.compare([*found, other], file) == baseline.Compared((other,), 2, 0)


def test_moved_lines_are_known_and_changed_ones_are_not(tmp_path: Path) -> None:
    file, found = tmp_path / "baseline.json", findings_in(tmp_path)
    baseline.write(found, file)
    moved = [replace(each, span=Span(each.span.line + 40, 9, each.span.end_line + 40, 29)) for each in found]
    assert baseline.compare(moved, file).known == 2
    changed = replace(found[1], source="return (image - mean) / 3.0")
    assert baseline.compare([found[0], changed], file) == baseline.Compared((changed,), 1, 1)


def test_equal_findings_are_counted(tmp_path: Path) -> None:
    file, (_, found) = tmp_path / "baseline.json", findings_in(tmp_path)
    baseline.write([found, found], file)
    assert baseline.compare([found, found], file).known == 2
    assert len(baseline.compare([found, found, found], file).new) == 1
    assert baseline.compare([found], file).gone == 1


def test_paths_are_relative_to_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "baseline.json"
    baseline.write(findings_in(tmp_path), file)
    (entry, _) = json.loads(file.read_text())["findings"]
    assert entry["path"] == "src/model.py"
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert baseline.compare([replace(OVERFLOW, path="model.py")], file).known == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not JSON"),
        ('<<<<<<< HEAD\n{"version": 1}\n', "it has conflict markers of a merge"),
        ("[]", "is no baseline of version 1"),
        ('{"version": 2}', "is no baseline of version 1"),
        ('{"version": 1, "findings": [{"path": 3}]}', "is no list of entries"),
    ],
)
def test_a_faulty_baseline_is_one_message(content: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "baseline.json").write_text(content)
    with pytest.raises(BaselineError, match=told):
        baseline.compare([MISMATCH], tmp_path / "baseline.json")


@pytest.mark.slow
def test_the_baseline_of_a_repository(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    assert check(tmp_path, check_cache, "--write-baseline").status == 2
    written = check(tmp_path, check_cache, "--baseline", "b.json", "--write-baseline")
    assert (written.status, written.output, written.errors) == (0, "Wrote 1 finding into b.json.\n", "")
    (tmp_path / "a.py").write_text(MISTAKE.replace("\n\n\ndef", "\n\nONE = 1\n\n\ndef"))
    known = check(tmp_path, check_cache, "--baseline", "b.json")
    assert (known.status, known.output) == (0, "No dtype mistakes in 1 file; 1 finding in the baseline.\n")
    (tmp_path / "a.py").write_text("import numpy\n")
    assert (
        "1 entry of the baseline matches no finding any more"
        in check(tmp_path, check_cache, "--baseline", "b.json").errors
    )


# Changed lines.


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with one commit, as the current folder."""
    monkeypatch.chdir(tmp_path)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.org")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "model.py").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    git("init", "--quiet", "--initial-branch", "main")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    return tmp_path


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def test_only_findings_in_changed_lines_are_kept(repository: Path) -> None:
    model = repository / "src" / "model.py"
    assert in_changes([OVERFLOW, MISMATCH], changed_since("HEAD")) == ()
    model.write_text(model.read_text().replace("line 7\n", "LINE 7\n"))
    assert in_changes([OVERFLOW, MISMATCH], changed_since("HEAD")) == (MISMATCH,)
    # A finding over several lines counts if one of them has changed.
    wide = replace(OVERFLOW, span=Span(5, 1, 9, 2))
    assert in_changes([wide], changed_since("HEAD")) == (wide,)
    git("commit", "--quiet", "--all", "--message", "second")
    assert in_changes([MISMATCH], changed_since("HEAD")) == ()
    assert in_changes([MISMATCH], changed_since("HEAD~1")) == (MISMATCH,)


def test_what_has_changed_on_the_other_branch_does_not_count(repository: Path) -> None:
    model = repository / "src" / "model.py"
    git("switch", "--quiet", "--create", "topic")
    git("switch", "--quiet", "main")
    model.write_text(model.read_text().replace("line 7\n", "LINE 7\n"))
    git("commit", "--quiet", "--all", "--message", "on main")
    git("switch", "--quiet", "topic")
    assert in_changes([MISMATCH], changed_since("main")) == ()


def test_in_the_middle_of_a_merge(repository: Path) -> None:
    model = repository / "src" / "model.py"
    git("switch", "--quiet", "--create", "topic")
    model.write_text(model.read_text().replace("line 7\n", "topic\n"))
    git("commit", "--quiet", "--all", "--message", "on the topic")
    git("switch", "--quiet", "main")
    model.write_text(model.read_text().replace("line 7\n", "main\n"))
    git("commit", "--quiet", "--all", "--message", "on main")
    assert subprocess.run(["git", "merge", "topic"], capture_output=True, check=False).returncode == 1
    conflict = replace(MISMATCH, span=Span(8, 1, 8, 5))
    assert in_changes([conflict], changed_since("HEAD")) == (conflict,)


def test_deleted_lines_change_no_other_line(repository: Path) -> None:
    model = repository / "src" / "model.py"
    model.write_text(model.read_text().replace("line 9\n", ""))
    assert in_changes([OVERFLOW, MISMATCH], changed_since("HEAD")) == ()


@pytest.mark.parametrize("name", ["new file.py", "größe.py", 'quo"te.py', "日本.py"])
def test_files_with_any_name(name: str, repository: Path) -> None:
    finding = replace(MISMATCH, path=f"src/{name}")
    (repository / "src" / name).write_text("x\n" * 9)
    assert in_changes([finding], changed_since("HEAD")) == (finding,)  # git does not track it
    git("add", ".")
    assert in_changes([finding], changed_since("HEAD")) == (finding,)
    git("commit", "--quiet", "--message", "second")
    assert in_changes([finding], changed_since("HEAD")) == ()


def test_the_folder_may_be_below_the_root(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "src")
    Path("model.py").write_text("x\n" * 10)
    finding = replace(MISMATCH, path="model.py")
    assert in_changes([finding], changed_since("HEAD")) == (finding,)


def test_settings_of_git_do_not_matter(repository: Path) -> None:
    for key, value in (("diff.noprefix", "true"), ("diff.external", "false"), ("color.ui", "always")):
        git("config", key, value)
    (repository / "src" / "model.py").write_text("x\n" * 10)
    assert in_changes([MISMATCH], changed_since("HEAD")) == (MISMATCH,)


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("revision", ["nosuch", "--output=x", ""])
def test_an_unknown_revision_is_one_message(revision: str) -> None:
    with pytest.raises(RevisionError) as told:
        changed_since(revision)
    assert "\n" not in str(told.value)
    assert not Path("x").exists()


def test_without_a_repository_there_is_one_message(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = check(tmp_path, check_cache, "--diff", "HEAD", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith("promo-mypy: error: git: not a git repository")
    assert len(done.errors.splitlines()) == 1
