"""Make promo-mypy's classes available if mypy and the checked code are in different environments.

This is so with pipx, pre-commit and `--python-executable`. mypy finds modules in the environment of the checked code,
where promo-mypy need not be installed. Then a copy of the few modules that occur in types, and of the stubs, is added
to the search path. It is a copy, because their own folder also has everything else that is installed beside mypy.

This is outside mypy's plugin surface: mypy computes the search path before it creates plugins, and does not pass it on.
(tests/plugin/annotations/test_environments.py)
"""

import contextlib
import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from mypy.modulefinder import SearchPaths, get_search_dirs
from mypy.options import Options

from promo_mypy import config

_ROOT: Final = Path(config.__file__).parents[1]
_MODULES: Final = ("__init__.py", "py.typed", "rules/__init__.py", "rules/dtypes.py", "rules/ranks.py")
_STUBS: Final = ("ml_dtypes-stubs", "cupy-stubs")

MISSING: Final = (
    "mypy cannot see the dtype classes of promo-mypy in the environment of {executable}; "
    'install it there, too: {executable} -m pip install "promo-mypy"'
)


def reach(options: Options) -> str | None:
    """Add promo-mypy's modules to the search path of this run. Return a message for the user if that is impossible."""
    executable = options.python_executable
    if executable is None or executable == sys.executable:
        return None
    _, site_packages = get_search_dirs(executable)
    if any(_holds_us(folder) for folder in site_packages):
        return None
    current = search_paths()
    if not current:
        return MISSING.format(executable=executable)
    folder = str(_copy(Path(options.cache_dir)))
    for paths in current:
        if folder not in paths.package_path:
            paths.package_path = (*paths.package_path, folder)
    # mypy caches these lists, and the daemon computes its search path from them again.
    site_packages.append(folder)
    return None


def search_paths() -> list[SearchPaths]:
    """The search paths of the runs of mypy in this process: mypy passes its own to no plugin."""
    return [found for found in gc.get_objects() if type(found) is SearchPaths]


def _holds_us(folder: str) -> bool:
    return (Path(folder) / "promo_mypy" / "py.typed").is_file()


def _sources() -> Iterator[tuple[Path, bytes]]:
    for module in _MODULES:
        yield Path("promo_mypy") / module, (_ROOT / module).read_bytes()
    for place in (_ROOT.parent, _ROOT.parent / "stubs"):  # installed, or in a checkout
        for package in _STUBS:
            folder = place / package
            for file in sorted([*folder.glob("*.pyi"), *folder.glob("py.typed")]):
                yield Path(package) / file.name, file.read_bytes()


def _copy(cache: Path) -> Path:
    """A folder in mypy's cache with only promo-mypy's modules. Existing files are not written again."""
    sources = dict(_sources())
    digest = sha256(b"".join(str(path).encode() + source for path, source in sources.items())).hexdigest()
    parent = Path(tempfile.gettempdir()) if str(cache) == os.devnull else cache
    folder = (parent / "promo-mypy" / digest[:16]).resolve()
    for path, source in sources.items():
        target = folder / path
        if target.is_file() and target.read_bytes() == source:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # Workers may write at the same time, but the same bytes.
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            file.write(source)
        with contextlib.suppress(PermissionError):  # Windows: another process is reading the same file
            Path(file.name).replace(target)
    return folder
