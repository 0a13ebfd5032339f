"""The project's own source to one digest: mypy's cache has to know when rules or features change.

mypy compares the file that `plugins` names and what `report_config_data` answers, nothing else of a plugin.
"""

import hashlib
from functools import cache
from pathlib import Path


@cache
def source_digest() -> str:
    """A digest over every module of the package, in hexadecimal."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for module in sorted(root.rglob("*.py")):
        digest.update(module.relative_to(root).as_posix().encode())
        digest.update(module.read_bytes())
    return digest.hexdigest()
