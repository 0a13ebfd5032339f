"""`python -m tests.runtime.recording.packages [name ...]`: what profiles know of published packages.

The tests of each package run twice: with `--promo-record`, then, after `promo-mypy infer` has used the profile,
with `--promo-confirm`. Of the array expressions that they execute at least 95 % must have a dtype, and none may differ.
Counted apart are expressions that were not always arrays of a dtype of the rules: lists, numbers, strings or objects.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.profiles import EXPRESSION, Observations, Profile, lines_of, read_profile
from promo_mypy.rules.recorded_functions import recorded_functions
from tests.mypy_runs import ROOT, environment

_SHARE: Final = 95.0
_CONFIGURATION: Final = (
    '[tool.mypy]\nplugins = ["promo_mypy.plugin"]\n\n[tool.promo-mypy]\nprofile = "promo-profile.json"\n'
)


#: Of random numbers some dtypes differ from run to run: those of `np.linalg.eig` depend on the values.
_SEEDED: Final = "import sys, numpy, pytest\n\nnumpy.random.seed(0)\nsys.exit(pytest.main(sys.argv[1:]))\n"


@dataclass(frozen=True, slots=True)
class Package:
    """A release whose tests are inside its import package.

    Attributes:
        name: its name, which is that of the import package, too.
        version: its version.
        tests: the tests to run, as arguments of pytest; without any, all of them.
        needs: what the tests need beside the array libraries.
    """

    name: str
    version: str
    tests: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


PACKAGES: Final = (
    # One test fails by chance: it seeds nothing.
    Package("transforms3d", "0.4.2", ("transforms3d", "-k", "not test_random_unit_vector")),
    Package("emcee", "3.1.6", ("emcee/tests/unit",)),
    # One test passes strings for a parameter that is declared as an array.
    Package(
        "chex",
        "0.1.92",
        ("chex", "-k", "not test_assert_axis_dimension_string_tensor"),
        needs=("absl-py==2.3.1", "toolz==1.0.0"),
    ),
    Package("entmax", "1.0"),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The executed array expressions of a package.

    Attributes:
        executed: how many there are.
        known: how many of them have a dtype.
        others: how many more held something else at times.
        confirmed: the summary of the comparison.
    """

    executed: int
    known: int
    others: int
    confirmed: str

    @property
    def percent(self) -> float:
        """The share of known dtypes."""
        return 100 * self.known / max(self.executed, 1)

    @property
    def passed(self) -> bool:
        """Whether enough is known, and none of it is wrong."""
        return self.percent >= _SHARE and " 0 differ" in self.confirmed


def main() -> int:
    """0 if every package passes, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.runtime.recording.packages", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="without any: all of them")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "recorded", help="sources and caches stay here")
    options = parser.parse_args()
    passed = True
    for package in PACKAGES:
        if package.name in options.names or not options.names:
            found = measured(package, options.work.resolve())
            passed &= found.passed
            share = f"{found.known} of {found.executed} executed array expressions are known ({found.percent:.1f} %)"
            others = f"; {found.others} more were not always such arrays" if found.others else ""
            sys.stdout.write(f"{package.name} {package.version}: {share}{others}\n  {found.confirmed}\n")
    return 0 if passed else 1


def measured(package: Package, work: Path) -> Figures:
    """Record, infer and confirm. Raises subprocess.CalledProcessError."""
    folder = work / f"{package.name}-{package.version}"
    if not folder.exists():
        work.mkdir(parents=True, exist_ok=True)
        wanted = (f"{package.name}=={package.version}", *package.needs)
        _run(work, "pip", "install", "-q", "--no-deps", "-t", str(folder), *wanted)
    (folder / "pyproject.toml").write_text(_CONFIGURATION)
    session = ("seeded", "-q", "-p", "promo_pytest", "-p", "no:cacheprovider", *(package.tests or (package.name,)))
    (folder / "seeded.py").write_text(_SEEDED)
    _run(folder, *session, f"--promo-record={package.name}")
    _run(folder, "promo_mypy.cli", "infer", package.name, "--format", "json", "--output", "inferred.json")
    printed = _run(folder, *session, f"--promo-confirm={package.name}", "--promo-confirm-from=inferred.json")
    (summary,) = re.findall(r"^promo-confirm: (.*)$", printed, re.MULTILINE)
    executed = dict(_executed(read_profile((folder / "promo-profile.json").read_text(encoding="utf-8")), folder))
    places = {place for place, found in executed.items() if _holds_arrays(found)}
    expressions = json.loads((folder / "inferred.json").read_text(encoding="utf-8"))["expressions"]
    keys = ("path", "line", "column", "end_line", "end_column")
    known = {tuple(each[key] for key in keys) for each in expressions if each["dtype"]}
    return Figures(len(places), len(places & known), len(executed) - len(places), summary)


def _holds_arrays(found: Observations) -> bool:
    """Whether every value was an array of a dtype of the rules, or `None`."""
    return all(each.dtype in DTYPES for each in found.seen) and found.others.keys() <= {"NoneType"}


def _executed(profile: Profile, folder: Path) -> Iterator[tuple[tuple[object, ...], Observations]]:
    """Path and place of each array expression that was executed, and what it held."""
    for module, functions in profile.modules.items():
        path = Path(*module.split("."))
        file = path.with_suffix(".py") if (folder / path.with_suffix(".py")).exists() else path / "__init__.py"
        text = (folder / file).read_text(encoding="utf-8")
        every = recorded_functions(ast.parse(text), lines_of(text))
        first = {each.function: each.first for each in every}
        for function, places in functions.items():
            for place, found in places.items():
                if place.kind == EXPRESSION and found.seen:
                    start = first.get(function, 1)
                    line, column, end_line, end_column = place.span
                    yield (file.as_posix(), line + start, column, end_line + start, end_column), found


def _run(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
