"""Check some files for dtype mistakes. All other errors of mypy are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.python_files import python_files
from promo_mypy.checking.run_facts import Watch
from promo_mypy.config import Config
from promo_mypy.linting import kept
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.kept_files import FileResult, KeptFiles, united
from promo_mypy.linting.notebooks import in_cells, is_notebook, put_notebooks
from promo_mypy.linting.packages import unseen_packages
from promo_mypy.linting.reading import FileReader
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.values import FileValues
from promo_mypy.linting.x64 import switches_x64_on
from promo_mypy.notebooks.modules import NotebookModule
from promo_mypy.notebooks.reading import MISSING
from promo_mypy.plugin.interface.bodies import bodies_of
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.plugin.interface.trees import reported
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.program.passed.passed_dtypes import PassedFinding, passed_findings
from promo_mypy.program.syntax.written import Source
from promo_mypy.rules.wording import diagnostics

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
    check = _Check.begun(files, notebooks, request, python, file_system)
    done = check.run(check.kept, progress)
    if done is None:
        check = _Check.begun(files, notebooks, request, python, file_system)
        done = check.run(check.kept.forgotten(), progress)
    assert done is not None, "mypy has checked every module"
    build, unparsed = check.build, {each.path for each in done.left_out}
    findings = [finding for result in done.results for finding in result.findings]
    if any(result.has_x64 for result in done.results):  # what asks for 64 bits gets them in some runs
        findings = [each for each in findings if each.code != diagnostics.TRUNCATION.code]
    left_out += [_without_conflict(each, file_system) for each in done.left_out]
    report = Report(
        tuple(sorted(Path(str(each.path)).as_posix() for each in build.sources if each.path not in unparsed)),
        tuple(sorted(sorted(findings), key=lambda each: (each.path, each.cell or 0))),
        tuple(sorted(left_out)),
        united(done.results),
        str(python),
    )
    if kept.is_kept(request) and not any(each.reason == MISSING for each in left_out):
        others = [*check.config.files(build.options.config_file), *filter(is_notebook, found)]
        facts = watch.facts(build, others, earlier=kept.earlier_facts(request))
        if facts is not None:
            kept.keep(request, found, report, facts)
    return report


@dataclass(frozen=True, slots=True)
class _Done:
    """A finished run: what it found in each file that could be checked, and the files that were left out."""

    results: tuple[FileResult, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class _Check:
    """A check that begins.

    Attributes:
        request: the request.
        build: the run of mypy.
        config: the user's options.
        kept: the results of the last check.
        notebooks: those of the files that are notebooks.
    """

    request: LintRequest
    build: runs.Request
    config: Config
    kept: KeptFiles
    notebooks: Mapping[str, NotebookModule]

    @classmethod
    def begun(
        cls,
        files: Sequence[Path],
        notebooks: Mapping[str, NotebookModule],
        request: LintRequest,
        python: Path,
        file_system: Files,
    ) -> "_Check":
        """The check of some files."""
        build = build_request(files, request, python, file_system)
        config = Config.load(build.options.config_file).with_names(build.names)
        configure(build, request, config)
        return cls(request, build, config, KeptFiles.of(request, build, config), notebooks)

    def run(self, known: KeptFiles, progress: runs.Progress) -> _Done | None:
        """Run mypy. None if a kept result turns out to be about another state of the program."""
        trees: dict[str, tuple[TreeFacts, Sequence[PassedFinding]]] = {}

        def keep(tree: MypyFile, plugin: PromoPlugin) -> None:
            # mypy empties the tree soon after.
            passed = passed_findings(tree, bodies_of(plugin, tree.fullname))
            trees[tree.fullname] = TreeFacts.of(tree, self.config), passed

        settings = RunSettings(
            self.build.modules,
            lambda options: options.with_names(self.build.names),
            finished=keep,
            only_named_ignores=not self.request.respect_type_ignore,
            known=known.known,
        )
        with reported():
            checked = runs.run(self.build, settings, progress)
        left_out = {each.path for each in checked.left_out}
        results: dict[str, FileResult] = {}
        for source in self.build.sources:
            if source.path in left_out:
                continue
            read = trees.get(source.module)
            result = self._read(source, *read, checked) if read else known.result(source.module, checked)
            if result is None:
                return None
            results[source.module] = result
        if kept.is_kept(self.request):
            known.keep(results, [(source.module, str(source.path)) for source in self.build.sources], checked)
        return _Done(tuple(results.values()), checked.left_out)

    def _read(
        self, source: BuildSource, tree: TreeFacts, passed: Sequence[PassedFinding], checked: runs.Checked
    ) -> FileResult:
        """What mypy has found in a module that it has checked."""
        errors, path = checked.result.manager.errors, str(source.path)
        name, notebook = Path(path).as_posix(), self.notebooks.get(path)
        content = self.build.file_system.read(path)
        text = FileText(Source.of(path, content), notebook.named if notebook is not None else None)
        options = self.config.for_module(source.module)
        values = FileValues(source.module, tree, text, checked.result.types, self.build.options.platform, options)
        reader = FileReader(name, values, errors.ignored_lines.get(path, {}))
        of_file = errors.error_info_map.get(path, [])
        wanted = self.request.selection.in_file(Path(name), source.module, self.config, self.request.home)
        left = without_accepted(reader.findings(of_file, passed), name, text.whole_text, wanted)
        findings = in_cells(left, notebook) if notebook is not None else left
        return FileResult(tuple(findings), unseen_packages(of_file), switches_x64_on(text.tree))


def _files(request: LintRequest, file_system: Files) -> list[Path]:
    """The files to check. The text from standard input takes the place of its file."""
    if request.stdin is None:
        return python_files(request.paths, request.leaves_out, notebooks=request.notebooks)
    path = request.stdin_path or Path("stdin.py")
    file_system.put(str(path), request.stdin.encode())
    return [path]


def _without_conflict(left_out: LeftOut, file_system: Files) -> LeftOut:
    """A file that was left out. In the middle of a merge the conflict is the reason, not the syntax."""
    try:
        lines = file_system.read(left_out.path).splitlines()
    except OSError:  # a link to nothing
        lines = []
    marker = next((number for number, line in enumerate(lines, start=1) if line.startswith(_CONFLICT)), None)
    return left_out if marker is None else LeftOut(left_out.path, f"it has conflict markers of a merge, line {marker}")
