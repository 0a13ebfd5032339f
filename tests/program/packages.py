"""`python -m tests.program.packages [name ...]`: the share of known dtypes in packages.

The packages are those of `python -m tests.packages`, from their released sources, checked as it checks them. The
figures are printed, and written to `--output` if that is given.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.mypy_runs import ROOT, environment
from tests.packages.comparison import SETTINGS
from tests.packages.sources import FetchError, Package, fetch, foreign, table

_GROUPS = ("expressions", "exact", "several", "relative", "no_dtype", "unknown")
_LIBRARIES = ("mypy", "numpy", "jax", "torch")
_HEADER = (
    "| package | known | exact | array expressions | where annotated | array expressions |",
    "|---|---|---|---|---|---|",
)
#: Figures of the packages and the commonest causes, from a process of its own.
_PROGRAM = """\
import json, sys
from pathlib import Path
from promo_mypy.cli.formats.coverage import coverage_json
from promo_mypy.program.coverage import coverage
paths, configuration = json.loads(sys.argv[1]), Path(sys.argv[2])
print(coverage_json(coverage(map(Path, paths), config_file=configuration)))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """0, or 2 if the packages could not be fetched or checked."""
    packages = {package.name: package for package in table()}
    parser = argparse.ArgumentParser(prog="python -m tests.program.packages", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(packages)}; without any: all of them")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "packages", help="sources and caches stay here")
    parser.add_argument("--output", type=Path, help="folder for the figures, as JSON and Markdown named by the date")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(packages))
    if unknown:
        parser.error(f"not in the table: {', '.join(unknown)}")
    chosen = [packages[name] for name in options.names or packages]
    try:
        found = measure(chosen, options.work.resolve())
    except (FetchError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n{getattr(error, 'stderr', '')}\n")
        return 2
    text = report(found)
    sys.stdout.write(text)
    if options.output is not None:
        name = datetime.now(UTC).strftime("%Y-%m-%dT%H%MZ")
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / f"{name}.md").write_text(text, encoding="utf-8")
        (options.output / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(packages: Sequence[Package], work: Path) -> dict[str, Any]:
    """The figures of each package, and the causes of most unknown dtypes.

    Raises:
        FetchError: a package could not be fetched.
        CalledProcessError: mypy did not finish.
    """
    sources = work / "sources"
    fetch(packages, sources)
    skipped = "".join(f"[mypy-{name},{name}.*]\nfollow_imports = skip\n" for name in sorted(foreign(packages, sources)))
    configuration = work / "coverage.ini"
    configuration.write_text(f"[mypy]\ncache_dir = {work / 'cache-coverage'}\n{SETTINGS}{skipped}", encoding="utf-8")
    run = _run(packages, sources, configuration)
    return {
        "versions": {name: version(name) for name in _LIBRARIES},
        "packages": [
            {"package": f"{package.name} {package.version}", **_sum(run, sources / package.folder)}
            for package in packages
        ],
        "causes": [{key: each[key] for key in ("text", "count")} for each in run["causes"][:40]],
    }


def report(found: dict[str, Any]) -> str:
    """The figures as a table in Markdown, and the commonest causes."""
    lines = [", ".join(f"{name} {release}" for name, release in found["versions"].items()), "", *_HEADER]
    for row in found["packages"]:
        cells = [f"{_share(row, 'known')} %", f"{_share(row, 'exact')} %", str(row["expressions"])]
        annotated = row["annotated"]
        cells += [f"{_share(annotated, 'known')} %", str(annotated["expressions"])]
        lines.append(f"| {row['package']} | {' | '.join(cells)} |")
    lines += ["", "What unknown dtypes come from most:", ""]
    lines += [f"- {each['count']}: {each['text']}" for each in found["causes"][:25]]
    return "\n".join(lines) + "\n"


def _share(counts: dict[str, Any], what: str) -> str:
    part = counts["expressions"] - counts["unknown"] if what == "known" else counts["exact"]
    return f"{100 * part / counts['expressions']:.1f}" if counts["expressions"] else "100.0"


def _sum(run: dict[str, Any], folder: Path) -> dict[str, Any]:
    files = [each for each in run["files"] if (ROOT / each["path"]).resolve().is_relative_to(folder)]
    return _added(files) | {"annotated": _added([each["annotated"] for each in files])}


def _added(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    return {
        key: sum(each[key] for each in counts)
        for key in ("expressions", "exact", "several", "relative", "no_dtype", "unknown")
    }


def _run(packages: Sequence[Package], sources: Path, configuration: Path) -> dict[str, Any]:
    paths = [str(sources / package.folder / package.name) for package in packages]
    variables = environment()
    roots = [str(sources / package.folder) for package in packages]
    variables["MYPYPATH"] = os.pathsep.join([*roots, variables["MYPYPATH"]])
    command = [sys.executable, "-c", _PROGRAM, json.dumps(paths), str(configuration)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
