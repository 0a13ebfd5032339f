"""The settings of a check, as they are typed."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

#: The path that stands for standard input.
STDIN: Final = Path("-")


class Format(StrEnum):
    """How the findings are written."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    GITHUB = "github"
    GITLAB = "gitlab"
    SARIF = "sarif"
    JUNIT = "junit"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The code to check, and its surroundings."""

    paths: tuple[Path, ...]
    exclude: tuple[str, ...]
    stdin_filename: Path | None
    python: Path | None
    config_file: Path | None
    cache_dir: Path | None
    no_cache: bool
    notebooks: bool | None = None

    @property
    def is_stdin(self) -> bool:
        """Whether the code comes from standard input."""
        return self.paths == (STDIN,) or (not self.paths and self.stdin_filename is not None)


@dataclass(frozen=True, slots=True)
class Changes:
    """What to compare with, and what to change."""

    baseline: Path | None
    write_baseline: bool
    since: str | None
    fix: bool
    show_fixes: bool


@dataclass(frozen=True, slots=True)
class Outputs:
    """How to report."""

    form: Format
    file: Path | None
    statistics: bool
    watch: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a check. `select` and `ignore` are codes of diagnostics, or beginnings of codes."""

    inputs: Inputs
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    changes: Changes
    outputs: Outputs
    report_unused: bool = False
    respect_type_ignore: bool = False
    fail_on_unseen: bool = False

    @property
    def conflict(self) -> str | None:
        """Two settings that do not go together, in one sentence, if there are such settings."""
        inputs, changes, outputs = self.inputs, self.changes, self.outputs
        if len(inputs.paths) > 1 and STDIN in inputs.paths:
            return "- stands for standard input and takes no paths beside it"
        if inputs.stdin_filename is not None and not inputs.is_stdin:
            return "--stdin-filename needs the code on standard input: write - in place of the paths"
        if inputs.is_stdin and (changes.fix or outputs.watch):
            return f"{'--fix' if changes.fix else '--watch'} needs files, not standard input"
        if changes.fix and changes.show_fixes:
            return "--fix changes the files and --show-fixes does not: give one of them"
        if outputs.watch and (changes.fix or changes.show_fixes or changes.write_baseline or outputs.file is not None):
            return "--watch only reports: leave out --fix, --show-fixes, --write-baseline and --output"
        if outputs.watch and outputs.form not in (Format.TEXT, Format.CONCISE):
            return "--watch writes text or concise"
        if outputs.statistics and outputs.form not in (Format.TEXT, Format.CONCISE, Format.JSON):
            return f"--statistics goes with text, concise and json, not with {outputs.form}"
        return None
