"""Findings in a file that the calls of another one cause."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from mypy.nodes import MypyFile

from promo_mypy.linting.kept_files import FileResult
from promo_mypy.plugin.interface.bodies import KeptTrees, bodies_of
from promo_mypy.plugin.interface.runs import PromoPlugin
from promo_mypy.program.passed.passed_dtypes import Passed, PassedFindings
from promo_mypy.rules.findings import Finding
from promo_mypy.rules.suppressions import suppressions
from promo_mypy.rules.wording.diagnostics import UNUSED


class PassedByModule:
    """What the calls of each module of a run pass."""

    def __init__(self) -> None:
        self._findings: Final = PassedFindings()
        self._trees: Final = KeptTrees()
        self._passed: Final[dict[str, Passed]] = {}

    def read(self, tree: MypyFile, plugin: PromoPlugin) -> None:
        """Read a module that mypy has checked, after those that it imports. mypy does not empty the functions in it."""
        bodies = bodies_of(plugin, tree.fullname, self._trees)
        nodes = self._findings.add(tree, bodies)
        self._passed[tree.fullname] = self._findings.of(tree, nodes, bodies)
        self._trees.keep(tree)

    def of(self, module: str) -> Passed:
        """What the calls of a module pass."""
        return self._passed.get(module, Passed())

    def others(self, modules: Iterable[str]) -> frozenset[str]:
        """The other modules to which the calls of some modules pass arrays."""
        return frozenset().union(*(self.of(module).others for module in modules))


def with_elsewhere(results: Iterable[FileResult], text_of: Callable[[str], str]) -> list[Finding]:
    """All findings of a check, each place once.

    A comment accepts a finding whichever file causes it, so it is no unused one. `text_of` gives the text of a file.
    """
    results = list(results)
    found = [finding for result in results for finding in result.findings]
    places = {(each.path, each.span, each.code) for each in found}
    for finding in chain.from_iterable(result.elsewhere for result in results):
        if (finding.path, finding.span, finding.code) in places:
            continue
        places.add((finding.path, finding.span, finding.code))
        lines = {
            comment.line
            for comment in suppressions(text_of(finding.path))
            if comment.covers(finding.code, finding.span.line, finding.span.end_line)
        }
        if lines:
            found = [each for each in found if not _is_about_comment(each, finding.path, lines)]
        else:
            found.append(finding)
    return found


def _is_about_comment(finding: Finding, path: str, lines: set[int]) -> bool:
    return finding.code == UNUSED.code and finding.path == path and finding.span.line in lines
