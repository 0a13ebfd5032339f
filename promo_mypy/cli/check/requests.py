"""Turn the settings into what should be checked. Raises typer.BadParameter or ends with a message for bad paths."""

import io
import sys
import tokenize
from pathlib import Path

import typer

from promo_mypy.checking.kept import cache_folder
from promo_mypy.checking.project import Project
from promo_mypy.cli import output
from promo_mypy.cli.check.settings import STDIN, Settings
from promo_mypy.linting.environment import in_environment
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.rules.wording.near_matches import meant


def request_of(settings: Settings, project: Project) -> LintRequest:
    """The check that the settings and the options of the project ask for; the settings count more."""
    options = project.options
    stdin, stdin_path = None, None
    paths = project.paths(settings.paths)
    if settings.is_stdin:
        stdin, stdin_path, paths = _standard_input(), settings.stdin_filename or Path("stdin.py"), ()
    for path in paths:
        if not path.exists():
            output.fail(f"{path}: there is no such file or folder{_near_path(path)}")
    python = project.path(settings.python, options.python)
    return LintRequest(
        paths=paths,
        exclude=(*settings.exclude, *options.exclude),
        stdin=stdin,
        stdin_path=stdin_path,
        python=None if python is None else _interpreter(python),
        cache=None if settings.no_cache else _cache(settings, project),
        selection=Selection(settings.select, settings.ignore, with_unused=settings.report_unused),
        notebooks=options.notebooks if settings.notebooks is None else settings.notebooks,
        respect_type_ignore=settings.respect_type_ignore or options.respect_type_ignore,
        pyproject=project.file,
    )


def _cache(settings: Settings, project: Project) -> Path | None:
    home = Path.cwd() if project.file is None else project.home
    folder = project.path(settings.cache_dir, project.options.cache_dir)
    return cache_folder.usable(folder or cache_folder.beside(home), output.note)


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        output.note("reading the code from standard input; end it with Ctrl-D")
    content = sys.stdin.buffer.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content.decode(encoding).removeprefix("\ufeff")
    except (UnicodeDecodeError, SyntaxError, LookupError) as error:
        output.fail(f"standard input cannot be decoded: {error}")


def _interpreter(path: Path) -> Path:
    found = in_environment(path)
    if found is None:
        raise typer.BadParameter(f"{path} is no interpreter and no environment with one", param_hint="'--python'")
    return found


def _near_path(path: Path) -> str:
    if path == STDIN or not path.parent.is_dir():
        return ""
    return meant(path.name, [each.name for each in path.parent.iterdir()])
