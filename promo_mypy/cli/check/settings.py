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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a check, under the names of its options. None and empty ones leave it to the options in files."""

    paths: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    notebooks: bool | None = None
    stdin_filename: Path | None = None
    python: Path | None = None
    config_file: Path | None = None
    cache_dir: Path | None = None
    no_cache: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    report_unused: bool = False
    respect_type_ignore: bool = False
    fail_on_unseen: bool = False
    baseline: Path | None = None
    write_baseline: bool = False
    diff: str | None = None
    fix: bool = False
    show_fixes: bool = False
    form: Format = Format.TEXT
    output: Path | None = None
    statistics: bool = False
    watch: bool = False

    @property
    def is_stdin(self) -> bool:
        """Whether the code comes from standard input."""
        return self.paths == (STDIN,) or (not self.paths and self.stdin_filename is not None)

    @property
    def only_reads(self) -> bool:
        """Whether the check only reads the code, compares it with nothing, and writes to the terminal alone."""
        compares = self.baseline is not None or self.diff is not None
        return not (compares or self.fix or self.show_fixes or self.watch or self.output is not None)

    @property
    def conflict(self) -> str | None:
        """Two settings that do not go together, in one sentence, if there are such settings."""
        if len(self.paths) > 1 and STDIN in self.paths:
            return "- stands for standard input and takes no paths beside it"
        if self.stdin_filename is not None and not self.is_stdin:
            return "--stdin-filename needs the code on standard input: write - in place of the paths"
        if self.is_stdin and (self.fix or self.watch):
            return f"{'--fix' if self.fix else '--watch'} needs files, not standard input"
        if self.fix and self.show_fixes:
            return "--fix changes the files and --show-fixes does not: give one of them"
        if self.watch and (self.fix or self.show_fixes or self.write_baseline or self.output is not None):
            return "--watch only reports: leave out --fix, --show-fixes, --write-baseline and --output"
        if self.watch and self.form not in (Format.TEXT, Format.CONCISE):
            return "--watch writes text or concise"
        if self.statistics and self.form not in (Format.TEXT, Format.CONCISE, Format.JSON):
            return f"--statistics goes with text, concise and json, not with {self.form}"
        return None
