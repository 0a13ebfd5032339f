"""Compute one digest of the plugin's own source: mypy's cache depends on the rules and features.

mypy compares only the file that `plugins` names, and the result of `report_config_data`.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from promo_mypy import config

_ROOT: Final = Path(config.__file__).parents[1]
#: The folders of the package that decide types. The command line does not.
_DECIDING: Final = ("config", "plugin", "rules")


@cache
def source_digest() -> str:
    """A digest over every module that decides a type, in hexadecimal."""
    digest = hashlib.sha256()
    modules = [module for name in _DECIDING for module in _modules(str(_ROOT / name))]
    for module in sorted(modules):
        digest.update(module.removeprefix(str(_ROOT)).replace(os.sep, "/").encode())
        with open(module, "rb", buffering=0) as file:  # noqa: PTH123 (see below)
            digest.update(file.read())
    return digest.hexdigest()


def _modules(folder: str) -> Iterator[str]:
    # Every build runs this, even without arrays: pathlib takes four times as long.
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _modules(entry.path)
