"""What the last check found in each file, for the files that mypy need not check again.

A check reads mypy's errors, syntax trees and types, which mypy has only for the modules that it checks in this run. So
the findings of a module are kept, and mypy may take the module from its own cache if they are still about the same
text, options and code of promo-mypy (`KeptFiles.known`). Whether they are also about the same interfaces of imported
modules is known after the run: mypy checks again what depends on a change, and `KeptFiles.result` compares the state
that mypy has taken from its cache with the state of the findings. If they differ, as after a run that was ended while
it wrote, the caller checks everything again.

A new or removed file makes all kept findings invalid: mypy's cache does not note that a name which was a variable is a
module now.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from promo_mypy.checking import runs
from promo_mypy.checking.kept.facts import Facts
from promo_mypy.checking.kept.plain import plain
from promo_mypy.checking.kept.questions import question_of
from promo_mypy.checking.kept.stamps import digest_of
from promo_mypy.checking.kept.store import Question, Store
from promo_mypy.config import Config
from promo_mypy.linting.report import Unseen
from promo_mypy.linting.request import LintRequest
from promo_mypy.plugin.interface.runs import mypy_versions, source_digest, state_digest
from promo_mypy.rules.findings import Finding

#: The folders of the package that decide what a check finds, beside those that decide types.
_DECIDING = ("checking", "program", "linting", "notebooks")


@dataclass(frozen=True, slots=True)
class FileResult:
    """What a check found in one file.

    Attributes:
        findings: the findings to report.
        elsewhere: those in functions of other files for the dtypes that the calls of this one pass.
        others: the modules of these functions, and the further ones to which the calls pass arrays.
        unseen: the packages whose types mypy does not see.
        has_x64: whether the file switches JAX's 64-bit dtypes on.
    """

    findings: tuple[Finding, ...]
    elsewhere: tuple[Finding, ...]
    others: tuple[str, ...]
    unseen: tuple[Unseen, ...]
    has_x64: bool


@dataclass(frozen=True, slots=True)
class KeptFile:
    """The result for one file, with digests of its text and of the interfaces of the modules that it depends on."""

    content: str
    state: str
    result: FileResult


@dataclass(frozen=True, slots=True)
class _Kept:
    """The results of a check, with a digest of what they have in common: options, code, and names of modules."""

    settings: str = ""
    files: Mapping[str, KeptFile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The results of the last check, as far as they are about the same texts and options.

    `settings` and `contents` are digests: of what the results of this check have in common, and of each text before it.
    """

    store: Store
    question: Question
    settings: str
    contents: Mapping[str, str]
    files: Mapping[str, KeptFile]

    @classmethod
    def of(cls, request: LintRequest, build: runs.Request, config: Config) -> "KeptFiles":
        """Those of a check that begins."""
        store = Store(request.cache)
        asked = [request.selection, request.respect_type_ignore, request.pyproject]
        question = question_of("files", asked=plain(asked), python=str(build.options.python_executable))
        contents = {source.module: digest_of(str(source.path)) or "" for source in build.sources}
        settings = repr(
            (
                source_digest(),
                source_digest(_DECIDING),
                sorted((source.module, str(source.path)) for source in build.sources),
                [(str(file), digest_of(str(file))) for file in config.files(build.options.config_file)],
            )
        )
        # An older mypy does not tell which modules it has checked: it checks all of them.
        may_know = request.stdin is None and mypy_versions.TELLS_OF_CHECKED_FILES
        kept = (store.read(question, _Kept) if may_know else None) or _Kept()
        same = kept.files if kept.settings == settings else {}
        files = {module: file for module, file in same.items() if file.content == contents.get(module)}
        return cls(store, question, settings, contents, _complete(same, files))

    def without(self, modules: Container[str]) -> "KeptFiles":
        """The same without the results of some modules."""
        files = {module: file for module, file in self.files.items() if module not in modules}
        return replace(self, files=files)

    @property
    def known(self) -> frozenset[str]:
        """The modules that mypy may take from its cache."""
        return frozenset(self.files)

    def result(self, module: str, checked: runs.Checked) -> FileResult | None:
        """The result for a module that mypy has taken from its cache; None if it is about another state."""
        kept = self.files.get(module)
        return kept.result if kept is not None and kept.state == _state(kept.result, module, checked) else None

    def keep(self, results: Mapping[str, FileResult], paths: Iterable[tuple[str, str]], checked: runs.Checked) -> None:
        """Keep the results for some files of a run, but those that have changed since the beginning."""
        files = {
            module: KeptFile(self.contents[module], _state(results[module], module, checked), results[module])
            for module, path in paths
            if module in results and digest_of(path) == self.contents[module]
        }
        if files != self.files:
            self.store.keep(self.question, Facts({}, {}), plain(_Kept(self.settings, files)))


def _complete(before: Mapping[str, KeptFile], same: Mapping[str, KeptFile]) -> dict[str, KeptFile]:
    """The results that hold, without those of files whose functions the calls of changed files pass arrays to.

    These files are read again: mypy's cache has no bodies of functions.
    """
    kept = {module: file for module, file in same.items() if all(map(same.__contains__, file.result.others))}
    read_again = {other for module, file in before.items() if module not in kept for other in file.result.others}
    return {module: file for module, file in kept.items() if module not in read_again}


def _state(result: FileResult, module: str, checked: runs.Checked) -> str:
    """A digest over what a result depends on beside the text of the file, and of those that its calls reach."""
    graph = checked.result.graph
    return " ".join(state_digest(graph, each) for each in (module, *result.others) if each in graph)
