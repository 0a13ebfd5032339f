"""What `promo-mypy record` writes about a program is found under the names that the layout gives its files."""

import subprocess
import sys
from pathlib import Path

import pytest
from mypy.fscache import FileSystemCache
from mypy.options import Options

from promo_mypy.checking.layout.modules import Modules
from promo_mypy.rules.profiles import read_profile
from tests.mypy_runs import environment

_FUNCTION = "def kept(x):\n    return x\n"
_CALL = "import numpy as np\nkept(np.ones(3))\n"
#: Layout -> its files, and the command that runs one of them. Each file has one function.
LAYOUTS = {
    "flat scripts": (
        {"train.py": f"from helper import kept\n{_CALL}", "helper.py": _FUNCTION},
        ["python", "train.py"],
    ),
    "folders without __init__.py": (
        {"run-it.py": f"from models.deep.net import kept\n{_CALL}", "models/deep/net.py": _FUNCTION},
        ["python", "run-it.py"],
    ),
    "a script in a folder": (
        {
            "scripts/train.py": f"from beside import kept\n{_CALL}",
            "scripts/beside.py": _FUNCTION,
            "setup.py": "",
        },
        ["python", "scripts/train.py"],
    ),
    "a package in src": (
        {
            "src/pack/__init__.py": "",
            "src/pack/inner.py": _FUNCTION,
            "tools/go.py": f"import sys\nsys.path.insert(0, 'src')\nfrom pack.inner import kept\n{_CALL}",
        },
        ["--package", "pack", "--", "python", "tools/go.py"],
    ),
    "a module that is run by its name": (
        {"pack/__init__.py": "", "pack/inner.py": _FUNCTION, "pack/go.py": f"from pack.inner import kept\n{_CALL}"},
        ["python", "-m", "pack.go"],
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_function_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, words = LAYOUTS[name]
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    options = words if "--" in words else ["--", *words]
    command = [sys.executable, "-m", "promo_mypy.cli", "record", *options]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    profile = read_profile((tmp_path / "promo-profile.json").read_text(encoding="utf-8"))
    modules = Modules(str(tmp_path), [str(tmp_path / path) for path in files], Options(), FileSystemCache())
    for path, content in files.items():
        found = {function.name for function in profile.of_module(modules.module(str(tmp_path / path)))}
        assert ("kept" in found) == (content == _FUNCTION), path
