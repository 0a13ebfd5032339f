"""Only a file outside of packages gets a name that no program can write for its `from . import name`."""

from pathlib import Path

import pytest
from mypy.fscache import FileSystemCache
from mypy.options import Options

from promo_mypy.checking.layout.imports import Imports
from promo_mypy.checking.layout.modules import Modules


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("pack/__init__.py", "from . import inner", "pack"),
        ("pack/__init__.py", "from . import (inner,\n  other)", "pack"),
        ("pack/inner.py", "from . import other", "pack.inner"),
        ("pack/deep/__init__.py", "from .. import inner", "pack.deep"),
        ("pack/inner.py", "from .other import x", "pack.inner"),
        ("script.py", "import os", "script"),
        ("script.py", "from . import other", None),
        ("pack/__init__.py", "from .. import other", None),
    ],
)
def test_the_name(file: str, text: str, name: str | None, tmp_path: Path) -> None:
    for each in (
        "pack/__init__.py",
        "pack/inner.py",
        "pack/other.py",
        "pack/deep/__init__.py",
        "script.py",
        "other.py",
    ):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text(text if each == file else "", encoding="utf-8")
    path = str(tmp_path / file)
    modules = Modules(str(tmp_path), [path], Options(), FileSystemCache())
    Imports(modules).reached([path], lambda file: Path(file).read_bytes())
    found = modules.module(path)
    assert found == name if name is not None else not all(part.isidentifier() for part in found.split("."))
