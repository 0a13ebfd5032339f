"""Find the operations in some files whose dtype differs under another system.

mypy's configuration and the user's options apply as in any other run. Their settings about promotion systems are
replaced by the two systems of the survey.
"""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.plugin.interface.runs import CODES, PARENT_CODE, Difference, dtypes_text
from promo_mypy.plugin.interface.runs import Place as Position
from promo_mypy.port.findings import Cause, Survey, grouped
from promo_mypy.port.options import ported
from promo_mypy.program.expressions import Place
from promo_mypy.rules.wording import diagnostics

_CODE: Final = CODES[diagnostics.PORTABILITY]


def survey(
    paths: Sequence[Path],
    source: str,
    target: str,
    *,
    config_file: Path | None = None,
    progress: runs.Progress = runs.unheard,
) -> Survey:
    """Check files and folders as code that follows `source`, and find the operations that differ under `target`.

    An operation whose error is ignored, in its line or by mypy's configuration, is not a finding. Without paths, those
    count that mypy's configuration names. If `source` is the system of a library, only its arrays follow it; else all.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
    """
    request = runs.read(paths, config_file)
    # Only for these modules: mypy's cache of the libraries serves other commands, too.
    for module in request.modules:
        changes = request.options.per_module_options.setdefault(module, {})
        codes = changes.get("enable_error_code", [])
        assert isinstance(codes, list)
        changes["enable_error_code"] = [*codes, _CODE.code, PARENT_CODE.code]
    listener = _Listener(source)
    options = partial(ported, source=source, target=target, modules=request.modules)
    checked = runs.run(request, RunSettings(request.modules, options, listener.hear), progress)
    return listener.survey(source, target, len(request.files), checked.left_out)


class _Listener:
    """Collects the plugin's answers for operations that follow one system, one for each place."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._operations: set[Position] = set()
        self._found: dict[Position, Difference] = {}

    def hear(self, position: Position, system: str, difference: Difference | None) -> None:
        """Record an operation of known dtype. mypy may check it more than once."""
        if system != self._system:
            return
        self._operations.add(position)
        if difference is not None:
            self._found.setdefault(position, difference)

    def survey(self, source: str, target: str, files: int, left_out: Collection[LeftOut]) -> Survey:
        """All recorded operations."""
        found = [
            (Path(at.path), _cause(difference), Place(at.line, at.column, at.end_line, at.end_column))
            for at, difference in self._found.items()
        ]
        checked = files - len(left_out)
        return Survey(source, target, checked, len(self._operations), grouped(found), tuple(sorted(left_out)))


def _cause(difference: Difference) -> Cause:
    (elsewhere,) = difference.elsewhere
    ported = dtypes_text(elsewhere.results)
    reason = "" if ported else elsewhere.reason or ""
    return Cause(difference.symbol, difference.operands, difference.result, ported, reason, difference.remedy)
