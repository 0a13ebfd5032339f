"""What a check should look at, and how, as plain values."""

from dataclasses import dataclass, field
from pathlib import Path

from promo_mypy.linting.exclusions import is_excluded, is_excluded_below
from promo_mypy.linting.selection import Selection


@dataclass(frozen=True, slots=True)
class LintRequest:
    """One check.

    Attributes:
        paths: files and folders.
        exclude: patterns of paths to leave out, as in `fnmatch`, with `/` between folders.
        stdin: the content of the file that comes from standard input, if one does.
        stdin_path: its path.
        python: the interpreter whose packages the code uses; None to look for one.
        cache: the folder of the cache; None for no cache.
        selection: the codes that are asked for; an optional diagnostic is only computed if its code is wanted.
        respect_type_ignore: whether `# type: ignore` without a code accepts findings.
        notebooks: whether folders include their notebooks.
        pyproject: the file with the options of promo-mypy; None without such a file.
    """

    paths: tuple[Path, ...]
    exclude: tuple[str, ...] = ()
    stdin: str | None = None
    stdin_path: Path | None = None
    python: Path | None = None
    cache: Path | None = None
    selection: Selection = field(default_factory=Selection)
    respect_type_ignore: bool = False
    notebooks: bool = True
    pyproject: Path | None = None

    @property
    def home(self) -> Path:
        """The folder that patterns of files are relative to: the one of the options, or the current one."""
        return self.pyproject.parent if self.pyproject is not None else Path()

    def leaves_out(self, path: Path) -> bool:
        """Whether a pattern leaves out a file or folder that is found in one of the paths."""
        return is_excluded(path, self.exclude)

    def excludes(self, file: Path) -> bool:
        """Whether a pattern leaves out a file, or a folder around it that is beside the options."""
        return is_excluded_below(self.home.absolute(), file.absolute(), self.exclude)
