"""Check some files for dtype mistakes. All other errors of mypy are left out."""

from pathlib import Path
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.run_facts import Watch
from promo_mypy.config import Config
from promo_mypy.inference.checked.nodes import Nodes, nodes_of
from promo_mypy.inference.syntax.written import Source
from promo_mypy.linting import kept
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.findings import Finding, Report
from promo_mypy.linting.notebooks import in_cells, is_notebook, put_notebooks
from promo_mypy.linting.packages import unseen_packages
from promo_mypy.linting.python_files import python_files
from promo_mypy.linting.reading import FileReader
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.values import FileValues
from promo_mypy.notebooks.reading import MISSING
from promo_mypy.plugin.trees import accepted_lines
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions

#: The first line of a conflict that git has written into a file.
_CONFLICT: Final = b"<<<<<<< "


def lint(request: LintRequest, progress: runs.Progress = runs.unheard) -> Report:
    """Check the files of a request.

    Raises:
        CheckError: there are no files, or mypy stops before it has checked them.
    """
    file_system = Files()
    try:
        return _linted(request, file_system, progress)
    finally:
        file_system.discard_all()


def _linted(request: LintRequest, file_system: Files, progress: runs.Progress) -> Report:
    watch = Watch()
    python = request.python or interpreter(Path.cwd())
    found = _files(request, file_system)
    if not found:
        raise runs.CheckError(f"there are no Python files in {', '.join(map(str, request.paths))}")
    notebooks, left_out = put_notebooks(found, file_system)
    files = [file for file in found if not is_notebook(file) or str(file) in notebooks]
    if not files:
        return Report((), (), tuple(left_out), (), str(python))
    build = build_request(files, request, python, file_system)
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
    left_out += [_without_conflict(each, file_system) for each in checked.left_out]
    findings: list[Finding] = []
    read: list[ErrorInfo] = []
    for source in build.sources:
        path, tree = str(source.path), trees.get(source.module)
        if tree is None:
            continue
        name, notebook = Path(path).as_posix(), notebooks.get(path)
        text = FileText(Source.of(path, file_system.read(path)), notebook.named if notebook is not None else None)
        values = FileValues(*tree, text, checked.result.types, build.options.platform)
        jax_x64 = config.for_module(source.module).jax_x64
        reader = FileReader(name, values, errors.ignored_lines.get(path, {}), jax_x64)
        of_file = errors.error_info_map.get(path, [])
        read += of_file
        wanted = request.selection.in_file(Path(name), source.module, config, request.home)
        left = without_accepted(reader.findings(of_file), name, text.whole_text, wanted)
        findings += in_cells(left, notebook) if notebook is not None else left
    names = {str(source.path) for source in build.sources} - {each.path for each in checked.left_out}
    report = Report(
        tuple(sorted(Path(name).as_posix() for name in names)),
        tuple(sorted(sorted(findings), key=lambda each: (each.path, each.cell or 0))),
        tuple(sorted(left_out)),
        unseen_packages(read),
        str(python),
    )
    if kept.is_kept(request) and not any(each.reason == MISSING for each in left_out):
        others = [*config.files(build.options.config_file), *filter(is_notebook, found)]
        facts = watch.facts([build], others, earlier=kept.earlier_facts(request))
        if facts is not None:
            kept.keep(request, found, report, facts)
    return report


def _files(request: LintRequest, file_system: Files) -> list[Path]:
    """The files to check. The text from standard input takes the place of its file."""
    if request.stdin is None:
        return python_files(request.paths, request.exclude, notebooks=request.notebooks)
    path = request.stdin_path or Path("stdin.py")
    file_system.put(str(path), request.stdin.encode())
    return [path]


def _without_conflict(left_out: LeftOut, file_system: Files) -> LeftOut:
    """A file that was left out. In the middle of a merge the conflict is the reason, not the syntax."""
    lines = file_system.read(left_out.path).splitlines()
    marker = next((number for number, line in enumerate(lines, start=1) if line.startswith(_CONFLICT)), None)
    return left_out if marker is None else LeftOut(left_out.path, f"it has conflict markers of a merge, line {marker}")
