"""The plugin's own source to one digest: mypy's cache has to know when rules or features change.

mypy compares the file that `plugins` names and what `report_config_data` answers, nothing else of a plugin.
"""

import hashlib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[1]
#: What decides a type: files and folders of the package. The command line is none of it.
_DECIDING = ("config.py", "plugin", "rules")


@cache
def source_digest() -> str:
    """A digest over every module that decides a type, in hexadecimal."""
    digest = hashlib.sha256()
    for path in (_ROOT / name for name in _DECIDING):
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(module.relative_to(_ROOT).as_posix().encode())
            digest.update(module.read_bytes())
    return digest.hexdigest()
