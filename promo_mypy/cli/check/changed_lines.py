"""Ask git which lines have changed since a revision, and keep the findings in them."""

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from promo_mypy.rules.findings import Finding

#: Nothing that a repository configures is executed: no pager, no external diff, no watcher of the file system.
_GIT: Final = ("git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false")
_DIFF: Final = (
    "diff", "--merge-base", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
_HUNK: Final = re.compile(r"^@@ -\S+ \+(?P<first>\d+)(?:,(?P<count>\d+))? @@")

#: File -> its changed lines; None for all of them.
Changes = Mapping[Path, Sequence[range] | None]


class RevisionError(Exception):
    """There is no git, no repository, or no such revision. The message is one line."""


def changed_since(revision: str) -> Changes:
    """The lines below the current folder that differ from a revision.

    If the revision has gone on since the current branch left it, the lines are compared with the commit where they
    parted. A file that git does not track, or that has conflicts, is all new.

    Raises:
        RevisionError: git does not know the revision, or there is no repository.
    """
    if revision.startswith("-"):
        raise RevisionError(f"{revision} is no revision of git")
    _git("rev-parse", "--show-toplevel")  # its message is clear if there is no repository
    changes: dict[Path, list[range] | None] = {}
    lines: list[range] = []
    for line in _git(*_DIFF, revision, "--").splitlines():
        if line.startswith("+++ "):
            lines = []
            changes[Path(_unquoted(line.removeprefix("+++ ").rstrip("\t")).removeprefix("b/")).resolve()] = lines
        elif hunk := _HUNK.match(line):
            first = int(hunk["first"])
            lines.append(range(first, first + int(hunk["count"] or 1)))
    whole = [*_git("ls-files", "--others", "--exclude-standard", "-z").split("\0"), *_unmerged()]
    changes.update((Path(path).resolve(), None) for path in whole if path)
    return changes


def _unmerged() -> list[str]:
    """The files with conflicts. git does not compare them with one revision."""
    return [entry.partition("\t")[2] for entry in _git("ls-files", "--unmerged", "-z").split("\0")]


def in_changes(findings: Iterable[Finding], changes: Changes) -> tuple[Finding, ...]:
    """The findings with a changed line, and all findings in notebooks that have changed."""
    return tuple(finding for finding in findings if _is_changed(finding, changes))


def _is_changed(finding: Finding, changes: Changes) -> bool:
    path = Path(finding.path).resolve()
    if path not in changes:
        return False
    lines = changes[path]
    if finding.cell is not None:  # git knows the lines of the JSON
        return True
    span = range(finding.span.line, finding.span.end_line + 1)
    return lines is None or any(max(each.start, span.start) < min(each.stop, span.stop) for each in lines)


def _unquoted(path: str) -> str:
    """A path as git prints it: with quotes and escapes if it has a quote, a backslash or a control character."""
    if not path.startswith('"'):
        return path
    return path[1:-1].encode("utf-8", "surrogateescape").decode("unicode_escape").encode("latin-1").decode("utf-8")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run([*_GIT, *arguments], capture_output=True, check=False)
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RevisionError(f"git: {errors[0].removeprefix('fatal: ')}" if errors else "git fails")
    return done.stdout.decode("utf-8", "surrogateescape")
