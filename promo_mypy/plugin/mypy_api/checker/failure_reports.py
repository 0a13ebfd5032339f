"""Report a defect of the plugin as one error. mypy goes on. (tests/plugin/diagnostics/test_failures.py)

With `--show-traceback` the exception ends the run, like an exception in mypy itself, and users can report the
traceback. The tests run that way.
"""

from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.reports.fatal import CompileError
from promo_mypy.rules.findings import Finding, finding
from promo_mypy.rules.wording import diagnostics


def report_defect(api: CheckerPluginInterface, defect: Exception, context: Context) -> None:
    """Report an exception of the plugin at a place.

    Raises:
        Exception: the same one, with `--show-traceback`, or if it ends the run.
    """
    if isinstance(defect, CompileError) or type_checker.shows_traceback(api):
        raise defect
    type_checker.report(api, finding_about(defect), context)


def finding_about(defect: Exception) -> Finding:
    """The finding about a defect of the plugin."""
    problem = f"{type(defect).__name__}: {defect}"
    return finding(diagnostics.FAILURE, diagnostics.REPORT_DEFECT, problem=problem)
