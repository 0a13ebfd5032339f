"""Check some files for dtype mistakes. All other errors of mypy are left out."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.run_facts import Watch
from promo_mypy.config import Config
from promo_mypy.inference.checked.nodes import Nodes, nodes_of
from promo_mypy.linting import kept
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.findings import Finding, Report
from promo_mypy.linting.packages import unseen_packages
from promo_mypy.linting.python_files import python_files
from promo_mypy.linting.reading import FileReader
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import read_text
from promo_mypy.linting.values import FileValues
from promo_mypy.plugin.trees import accepted_lines
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions

#: The first line of a conflict that git has written into a file.
_CONFLICT: Final = b"<<<<<<< "


def lint(request: LintRequest, progress: runs.Progress = runs.unheard) -> Report:
    """Check the files of a request.

    Raises:
        CheckError: there are no files, or mypy stops before it has checked them.
    """
    watch = Watch()
    python = request.python or interpreter(Path.cwd())
    with _files(request) as (files, shown):
        if not files:
            raise runs.CheckError(f"there are no Python files in {', '.join(map(str, request.paths))}")
        build = build_request(files, shown, request, python)
        config = Config.load(build.options.config_file).with_names(build.names)
        configure(build, request, config)
        trees: dict[str, tuple[Nodes, FileDefinitions]] = {}

        def keep(tree: MypyFile) -> None:
            # mypy empties the tree soon after.
            trees[tree.fullname] = nodes_of(tree), definitions(tree)

        settings = RunSettings(
            build.modules,
            lambda options: options.with_names(build.names),
            finished=keep,
            only_named_ignores=not request.respect_type_ignore,
        )
        with accepted_lines.reported():
            checked = runs.run(build, settings, progress)
        errors = checked.result.manager.errors
        left_out = tuple(_shown(each, shown) for each in checked.left_out)
        findings: list[Finding] = []
        read: list[ErrorInfo] = []
        for source in build.sources:
            path, tree = str(source.path), trees.get(source.module)
            if tree is None:
                continue
            text, name = read_text(Path(path)), _shown_path(path, shown)
            values = FileValues(*tree, text, checked.result.types, build.options.platform)
            jax_x64 = config.for_module(source.module).jax_x64
            reader = FileReader(name, values, errors.ignored_lines.get(path, {}), jax_x64)
            of_file = errors.error_info_map.get(path, [])
            read += of_file
            wanted = request.selection.in_file(Path(name), source.module, config, request.home)
            findings += without_accepted(reader.findings(of_file), name, text.whole_text, wanted)
    names = {str(source.path) for source in build.sources} - {each.path for each in checked.left_out}
    report = Report(
        tuple(sorted(_shown_path(name, shown) for name in names)),
        tuple(sorted(findings)),
        tuple(sorted(left_out)),
        unseen_packages(read),
        str(python),
    )
    if kept.is_kept(request):
        facts = watch.facts([build], config.files(build.options.config_file), earlier=kept.earlier_facts(request))
        if facts is not None:
            kept.keep(request, files, report, facts)
    return report


@contextmanager
def _files(request: LintRequest) -> Iterator[tuple[Sequence[Path], dict[str, str]]]:
    """The files to check, and for a temporary file the path that the user sees.

    Text from standard input becomes a temporary file, because mypy and the plugin both read files.
    """
    if request.stdin is None:
        yield python_files(request.paths, request.exclude), {}
        return
    path = request.stdin_path or Path("stdin.py")
    with tempfile.TemporaryDirectory(prefix="promo-mypy-") as folder:
        file = Path(folder, path.name)
        file.write_text(request.stdin, encoding="utf-8")
        yield [file], {str(file): str(path)}


def _shown_path(path: str, shown: Mapping[str, str]) -> str:
    return Path(shown.get(path, path)).as_posix()


def _shown(left_out: LeftOut, shown: Mapping[str, str]) -> LeftOut:
    """A file under the path to show. In the middle of a merge the conflict is the reason, not the syntax."""
    lines = Path(left_out.path).read_bytes().splitlines()
    marker = next((number for number, line in enumerate(lines, start=1) if line.startswith(_CONFLICT)), None)
    reason = left_out.reason if marker is None else f"it has conflict markers of a merge, line {marker}"
    return LeftOut(shown.get(left_out.path, left_out.path), reason)
