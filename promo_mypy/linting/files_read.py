"""Turn what mypy has found in the files of a run into the results of these files."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mypy.modulefinder import BuildSource

from promo_mypy.checking import runs
from promo_mypy.config import Config
from promo_mypy.linting.elsewhere import PassedByModule
from promo_mypy.linting.kept_files import FileResult
from promo_mypy.linting.notebooks import in_cells
from promo_mypy.linting.packages import unseen_packages
from promo_mypy.linting.reading import FileReader
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.suppressing import without_accepted
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.values import FileValues
from promo_mypy.linting.x64 import switches_x64_on
from promo_mypy.notebooks.modules import NotebookModule
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.program.passed.passed_dtypes import PassedFinding
from promo_mypy.program.syntax.written import Source
from promo_mypy.rules.findings import Finding


@dataclass(frozen=True, slots=True)
class FilesRead:
    """What mypy has found in the files that it has checked."""

    build: runs.Request
    config: Config
    trees: Mapping[str, TreeFacts]
    passed: PassedByModule
    checked: runs.Checked
    notebooks: Mapping[str, NotebookModule]
    request: LintRequest
    _readers: dict[str, FileReader] = field(default_factory=dict)

    def result(self, source: BuildSource) -> FileResult:
        """The result of a file."""
        errors, path = self.checked.result.manager.errors, str(source.path)
        name, notebook, reader = Path(path).as_posix(), self.notebooks.get(path), self._reader(source)
        of_file = errors.error_info_map.get(path, [])
        passed = self.passed.of(source.module)
        own = [each for each in passed.findings if each.module == source.module]
        wanted = self.request.selection.in_file(Path(name), source.module, self.config, self.request.home)
        left = without_accepted(reader.findings(of_file, own), name, reader.values.text.whole_text, wanted)
        return FileResult(
            tuple(in_cells(left, notebook) if notebook is not None else left),
            tuple(self._elsewhere(each for each in passed.findings if each.module != source.module)),
            tuple(sorted(passed.others & self.build.modules)),
            unseen_packages(of_file),
            switches_x64_on(reader.values.text.tree),
        )

    def _elsewhere(self, passed: Iterable[PassedFinding]) -> Iterator[Finding]:
        """The findings in other files that are wanted there."""
        by_module: defaultdict[str, list[PassedFinding]] = defaultdict(list)
        for each in passed:
            by_module[each.module].append(each)
        for source in self.build.sources:
            if source.module in by_module:
                path = Path(str(source.path))
                wanted = self.request.selection.in_file(path, source.module, self.config, self.request.home)
                found = self._reader(source).findings((), by_module[source.module])
                yield from (each for each in found if each.code in wanted)

    def _reader(self, source: BuildSource) -> FileReader:
        if source.module not in self._readers:
            self._readers[source.module] = self._new_reader(source)
        return self._readers[source.module]

    def _new_reader(self, source: BuildSource) -> FileReader:
        result, path = self.checked.result, str(source.path)
        notebook, content = self.notebooks.get(path), self.build.file_system.read(path)
        text = FileText(Source.of(path, content), notebook.named if notebook is not None else None)
        options = self.config.for_module(source.module)
        tree, platform = self.trees[source.module], self.build.options.platform
        values = FileValues(source.module, tree, text, result.types, platform, options)
        ignored = result.manager.errors.ignored_lines.get(path, {})
        return FileReader(Path(path).as_posix(), values, ignored, self._place)

    def _place(self, path: str, line: int) -> tuple[str, str]:
        notebook = self.notebooks.get(path)
        return (notebook.named(line) if notebook is not None else f"line {line}"), Path(path).as_posix()
