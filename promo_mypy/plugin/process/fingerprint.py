"""The plugin's own source to one digest: mypy's cache has to know when rules or features change.

mypy compares the file that `plugins` names and what `report_config_data` answers, nothing else of a plugin.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from promo_mypy import config

_ROOT: Final = Path(config.__file__).parents[1]
#: What decides a type: folders of the package. The command line is none of it.
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
    # Every build waits for this, those without arrays too: pathlib takes four times as long.
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _modules(entry.path)
