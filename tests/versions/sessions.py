"""A profile's tests, run in the active environment, to their result."""

import datetime
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.module_runs import ROOT
from tests.versions.profiles import PROFILES
from tests.versions.results import Result
from tests.versions.table import LIBRARIES


def run(session: str, profile: str, arguments: Sequence[str], begin: Callable[[str], None]) -> Result:
    """Run the rounds of a profile, each announced by `begin`; pytest prints as it goes."""
    chosen = PROFILES[profile]
    passed, skipped, failed = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="promo-versions-") as scratch:
        for name in chosen.rounds:
            begin(name)
            report = Path(scratch, f"{name}.xml")
            caches = f"--mypy-caches={Path(scratch, 'caches')}"
            options = ["--all", "-q", "-n", chosen.workers, caches, f"--junitxml={report}", *arguments]
            status = subprocess.run([sys.executable, "-m", "pytest", *options, *chosen.tests], cwd=ROOT, check=False)
            outcomes = _outcomes(report)
            passed += outcomes.count("passed")
            skipped += outcomes.count("skipped")
            failed += [f"{outcome} ({name})" for outcome in outcomes if outcome not in ("passed", "skipped")]
            if status.returncode and not failed:
                failed.append(f"pytest exits with status {status.returncode} ({name})")
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return Result(session, profile, today, installed(), passed, skipped, tuple(failed))


def installed() -> dict[str, str]:
    """Library -> version, of those in the table."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library).partition("+")[0]
        except PackageNotFoundError:
            continue
    return found


def _outcomes(report: Path) -> list[str]:
    """For each test "passed", "skipped", or its name."""
    if not report.exists():
        return []
    outcomes = []
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            outcomes.append(f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}")
        else:
            outcomes.append("skipped" if "skipped" in kinds else "passed")
    return outcomes
