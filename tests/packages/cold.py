"""Check one package with and without the plugin, each time with the cache of the libraries alone, and measure both."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.mypy_runs import Message
from tests.on_and_off import check
from tests.packages.comparison import SETTINGS, skipped
from tests.packages.sources import Package, followed, with_needed

_VARIANTS = {"stock": False, "plugin": True}


@dataclass(slots=True)
class Measured:
    """Run modules in processes of their own, as `run_module` does, and keep the processor time of the last one."""

    seconds: float = field(default=0.0, init=False)

    def __call__(
        self, module: str, *arguments: str, folder: Path, variables: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """What `python -m module arguments` prints in a folder."""
        command = [sys.executable, "-m", module, *arguments]
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(command, cwd=folder, env=dict(variables), stdout=output, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            texts = output.read(), errors.read()
        self.seconds = usage.ru_utime + usage.ru_stime
        return subprocess.CompletedProcess(command, process.returncode, *texts)


@dataclass(frozen=True, slots=True)
class Checked:
    """The errors of a package, and the seconds of user and system time that mypy took, by variant."""

    errors: Mapping[str, tuple[Message, ...]]
    seconds: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """The time with the plugin against stock mypy's."""
        return self.seconds["plugin"] / self.seconds["stock"]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Folders with the sources, and with a cache of the libraries for each variant."""

    work: Path
    caches: Mapping[str, Path]

    def check(self, package: Package) -> Checked:
        """Check a package with both variants at the same time, so that a busy machine slows both."""
        with ThreadPoolExecutor(len(_VARIANTS)) as pool:
            found = dict(
                zip(_VARIANTS, pool.map(lambda variant: self._check(package, variant), _VARIANTS), strict=True)
            )
        return Checked(
            {variant: errors for variant, (errors, _) in found.items()},
            {variant: seconds for variant, (_, seconds) in found.items()},
        )

    def _check(self, package: Package, variant: str) -> tuple[tuple[Message, ...], float]:
        with tempfile.TemporaryDirectory(prefix="promo-packages-") as scratch:
            cache = Path(scratch) / "cache"
            shutil.copytree(self.caches[variant], cache)
            if package.needs:
                modules = [name for needed in with_needed([package])[:-1] for name in ("-p", needed.module)]
                _run(self.work, with_needed([package])[:-1], modules, cache, variant, Measured())
            measured = Measured()
            errors = _run(self.work, with_needed([package]), ["-p", package.module], cache, variant, measured)
        return errors, measured.seconds


@contextmanager
def laboratory(packages: Sequence[Package], work: Path) -> Iterator[Laboratory]:
    """Read the libraries that the packages import into a cache for each variant, which is removed at the end.

    The sources of the packages must be in `work`.
    """
    sources = work / "sources"
    program = work / "libraries.py"
    modules = sorted(followed(packages, sources))
    program.write_text("".join(f"import {module}\n" for module in modules), encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="promo-libraries-") as scratch:
        caches = {variant: Path(scratch) / variant for variant in _VARIANTS}
        with ThreadPoolExecutor(len(_VARIANTS)) as pool:
            list(
                pool.map(
                    lambda variant: _run(work, (), [program.name], caches[variant], variant, Measured()), _VARIANTS
                )
            )
        yield Laboratory(work, caches)


def _run(
    work: Path, packages: Sequence[Package], arguments: Sequence[str], cache: Path, variant: str, run: Measured
) -> tuple[Message, ...]:
    sources = work / "sources"
    return check(
        work,
        arguments,
        cache=cache,
        plugin=_VARIANTS[variant],
        settings=SETTINGS + skipped(packages, sources),
        paths=[sources / package.folder for package in packages],
        run=run,
    )
