"""The check of the quick start, on a small checkout: it passes and fails as the commands do, in the right folder."""

import subprocess
from pathlib import Path

import pytest

from tests.packaging.quick_start import ROOT, commands, main

README = """\
# A project

```bash
exit 1
```

## Quick start

```toml
exit 2
```

```bash
{first}
```

```bash
{second}
```

```bash
exit 3
```

## More

```bash
exit 4
```
"""
IS_FRESH = 'python -c "import sys; assert sys.prefix != sys.base_prefix; import changed, new"'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a modified file, a deleted one and a new one, all uncommitted."""
    for name in ("changed.py", "deleted.py"):
        (tmp_path / name).write_text("raise ImportError\n")
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "first"]):
        subprocess.run([*git, *arguments], cwd=tmp_path, check=True)
    (tmp_path / "changed.py").write_text("")
    (tmp_path / "deleted.py").unlink()
    (tmp_path / "new.py").write_text("")
    return tmp_path


def test_the_commands_are_those_of_the_readme() -> None:
    first, second = commands((ROOT / "README.md").read_text(encoding="utf-8"))
    assert (first, second) == (
        "python -m pip install . && mypy examples/quickstart\n",
        'python -m pip install ".[test]" && pytest\n',
    )
    assert commands(README.format(first="one", second="two")) == ["one\n", "two\n"]
    with pytest.raises(ValueError, match="0 blocks"):
        commands("# Title\n\n```bash\nexit 1\n```\n")


@pytest.mark.slow
def test_commands_run_in_a_fresh_clone_and_environment(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(checkout / "elsewhere"))
    leaves = 'test -z "${PYTHONPATH:-}" && test ! -e deleted.py && touch left'
    (checkout / "README.md").write_text(README.format(first=f"{leaves} && {IS_FRESH}", second="test ! -e left"))
    assert main([str(checkout)]) == 0
    assert capfd.readouterr().out.count("exit status 0 after") == 2
    assert not (checkout / "left").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "runs"), [("exit 5", "exit 6", 1), ("exit 0", "exit 5", 2)])
def test_a_failing_command_is_a_failure(
    first: str, second: str, runs: int, checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (checkout / "README.md").write_text(README.format(first=first, second=second))
    assert main([str(checkout)]) == 5
    assert capfd.readouterr().out.count("exit status") == runs
