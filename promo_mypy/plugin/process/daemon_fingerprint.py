"""Restart mypy's daemon after a change of the user's options, by a change of the version of the plugin's module.

Before every run the daemon creates a new plugin object, keeps the old one, and restarts if the file or `__version__` of
the plugin's module has changed since its start. Plain runs write both to mypy's cache, and a change of either drops the
whole cache; for options `report_config_data` does this per module. So the first plugin object of a process keeps the
version, and only a later one with other options changes it. (tests/plugin/runs/test_own_systems.py)
"""

import json
import sys
from hashlib import sha256
from typing import Final

from promo_mypy.config import Config

_MODULE: Final = "promo_mypy.plugin"
_first: Final[list[str]] = []


def record(config: Config, fault: str | None) -> None:
    """Record the options of a new plugin object, or the fault that it found in them."""
    everything = json.dumps([config.fingerprint(), fault], sort_keys=True)
    digest = sha256(everything.encode()).hexdigest()
    if not _first:
        _first.append(digest)
    module = sys.modules[_MODULE]
    if digest != _first[0]:
        module.__dict__["__version__"] = digest
    else:
        module.__dict__.pop("__version__", None)
