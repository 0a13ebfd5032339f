"""Check some files for dtype mistakes. All other errors of mypy are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mypy.nodes import MypyFile

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.checking.python_files import python_files
from promo_mypy.checking.run_facts import Watch
from promo_mypy.config import Config
from promo_mypy.linting import kept
from promo_mypy.linting.elsewhere import PassedByModule, with_elsewhere
from promo_mypy.linting.environment import interpreter
from promo_mypy.linting.files_read import FilesRead
from promo_mypy.linting.kept_files import FileResult, KeptFiles
from promo_mypy.linting.notebooks import is_notebook, put_notebooks
from promo_mypy.linting.packages import united
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.settings import build_request, configure
from promo_mypy.linting.texts import FileText
from promo_mypy.notebooks.modules import NotebookModule
from promo_mypy.notebooks.reading import MISSING
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.plugin.interface.trees import nodes_as_written, reported
from promo_mypy.program.checked.tree_facts import TreeFacts
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
    done, stale = check.run(progress), frozenset[str]()
    while not isinstance(done, _Done):
        assert not done <= stale, "mypy has checked every module"
        stale |= done
        check = _Check.begun(files, notebooks, request, python, file_system, stale)
        done = check.run(progress)
    build, unparsed = check.build, {each.path for each in done.left_out}
    findings = with_elsewhere(done.results, lambda path: FileText(Source.of(path, file_system.read(path))).whole_text)
    if any(result.has_x64 for result in done.results):  # what asks for 64 bits gets them in some runs
        findings = [each for each in findings if each.code != diagnostics.TRUNCATION.code]
    left_out += [_without_conflict(each, file_system) for each in done.left_out]
    report = Report(
        tuple(sorted(Path(str(each.path)).as_posix() for each in build.sources if each.path not in unparsed)),
        tuple(sorted(sorted(findings), key=lambda each: (each.path, each.cell or 0))),
        tuple(sorted(left_out)),
        united(each for result in done.results for each in result.unseen),
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
    """A check that begins. `kept`: the results of the last one."""

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
        stale: frozenset[str] = frozenset(),
    ) -> "_Check":
        """The check of some files. `stale`: the modules whose kept results do not hold."""
        build = build_request(files, request, python, file_system)
        config = Config.load(build.options.config_file).with_names(build.names)
        configure(build, request, config)
        return cls(request, build, config, KeptFiles.of(request, build, config).without(stale), notebooks)

    def run(self, progress: runs.Progress) -> _Done | frozenset[str]:
        """Run mypy. The modules whose kept results do not hold, if there are any: then another run is needed."""
        trees: dict[str, TreeFacts] = {}
        known, passed = self.kept, PassedByModule()

        def keep(tree: MypyFile, plugin: PromoPlugin) -> None:
            trees[tree.fullname] = TreeFacts.of(tree, nodes_as_written(tree), self.config)
            passed.read(tree, plugin)  # after that the tree has no statements

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
        sources = [source for source in self.build.sources if source.path not in left_out]
        # mypy may have checked again what did not change: a whole import cycle.
        results = {source.module: known.result(source.module, checked) for source in sources}
        changed = [source for source in sources if results[source.module] is None]
        if not all(source.module in trees for source in changed):
            return known.known
        stale = known.known & passed.others(source.module for source in changed) - trees.keys()
        if stale:
            return stale
        read = FilesRead(self.build, self.config, trees, passed, checked, self.notebooks, self.request)
        results |= {source.module: read.result(source) for source in changed}
        found = {module: result for module, result in results.items() if result is not None}
        if kept.is_kept(self.request):
            known.keep(found, [(source.module, str(source.path)) for source in self.build.sources], checked)
        return _Done(tuple(found.values()), checked.left_out)


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
