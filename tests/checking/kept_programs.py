"""A small program with an environment of its own, and its reports: kept, computed, and computed with an empty cache."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from mypy.modulefinder import get_search_dirs

from promo_mypy.checking.project import project_of
from promo_mypy.cli.check.requests import request_of
from promo_mypy.cli.check.settings import Settings
from promo_mypy.linting.kept import kept_report
from promo_mypy.linting.lint import lint
from promo_mypy.linting.report import Report
from promo_mypy.linting.request import LintRequest
from tests.copied_caches import copy_cache
from tests.mypy_runs import ROOT

MAIN = """\
import numpy as np
from numpy.typing import NDArray

from helper import table
from library import made
from linked import grid
from missing import absent
from missing_elsewhere import distant
from missing_package import installed
from package.inside import inner


def of_helper() -> NDArray[np.float32]:
    return table


def of_library() -> NDArray[np.float32]:
    return made()


def of_link() -> NDArray[np.float32]:
    return grid


def of_missing(number: int) -> NDArray[np.float32]:
    if number:
        return absent
    if number > 1:
        return installed
    return distant


def of_package() -> NDArray[np.float32]:
    return inner


def widened(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    return image / 255
"""


def array(name: str, dtype: str = "float64") -> str:
    """A module with one array."""
    return f"import numpy as np\n\n{name} = np.zeros(3, np.{dtype})\n"


def stub(dtype: str = "float64") -> str:
    """The types of the library."""
    return f"import numpy as np\nfrom numpy.typing import NDArray\n\ndef made() -> NDArray[np.{dtype}]: ...\n"


@dataclass(frozen=True)
class Repository:
    """A program in a folder, and the environment beside it. The current folder is the program's."""

    folder: Path
    packages: Path
    python: Path
    libraries: Path
    """A cache that knows NumPy, and nothing of the program."""

    @classmethod
    def written(cls, home: Path, libraries: Path) -> "Repository":
        """A new one below that folder."""
        folder, python = home / "program", home / "environment"
        made = cls(folder, environment(python, stub()), python, libraries)
        copy_cache(libraries, home / "cache")
        for path, content in {
            "main.py": MAIN,
            "helper.py": array("table"),
            "package/__init__.py": "",
            "package/inside.py": array("inner"),
            "pyproject.toml": "[tool.promo-mypy]\n",
        }.items():
            write(folder / path, content)
        write(home / "first.py", array("grid"))
        write(home / "second.py", array("grid", "float32"))
        (folder / "linked.py").symlink_to(home / "first.py")
        return made

    def request(
        self, select: tuple[str, ...] = (), python: Path | None = None, cache: Path | None = None
    ) -> LintRequest:
        """The request of `promo-mypy check` in the folder."""
        get_search_dirs.cache_clear()  # a command is a process of its own
        cache = cache or self.folder.parent / "cache"
        settings = Settings(python=python or self.python, cache_dir=cache, select=select)
        return request_of(settings, project_of(Path.cwd(), None))

    def check(self, request: LintRequest) -> Report:
        """The report, kept or not."""
        return kept_report(request) or lint(request)

    def fresh(self, request: LintRequest) -> Report:
        """The report of a run whose cache knows nothing of the program."""
        cache = self.folder.parent / "fresh"
        shutil.rmtree(cache, ignore_errors=True)
        copy_cache(self.libraries, cache)
        return lint(replace(request, cache=cache))


def environment(folder: Path, types: str) -> Path:
    """Make an environment with NumPy, promo-mypy and a small typed library; the folder of its packages."""
    packages = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    write(folder / "pyvenv.cfg", f"home = {Path(sys.executable).resolve().parent}\n")
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    write(packages / "library" / "__init__.pyi", types)
    write(packages / "library" / "py.typed", "")
    import numpy as np

    write(packages / "beside.pth", f"{Path(np.__file__).parents[1]}\n{ROOT}\n{ROOT / 'stubs'}\n")
    return packages


def write(file: Path, content: str) -> None:
    """Write a file, and the folders around it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")


def rewritten(file: Path, old: str, new: str) -> None:
    """Replace a text of the same length, and set the time of the file back."""
    before, content = file.stat(), file.read_text(encoding="utf-8")
    assert old in content
    assert len(old) == len(new)
    file.write_text(content.replace(old, new), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


#: Changes a repository.
Change = Callable[[Repository], None]
