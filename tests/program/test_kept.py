"""`infer` and `coverage` keep their answers as long as a new run would give the same."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from promo_mypy.checking.runs import read
from promo_mypy.program.counts import Coverage
from promo_mypy.program.coverage import coverage
from promo_mypy.program.expressions import Inference
from promo_mypy.program.infer import infer
from promo_mypy.program.kept import kept_answer

MAIN = """\
import numpy as np
from helper import table


def doubled():
    return table + table


shifted = table + np.float16(1)
"""
HELPER = "import numpy as np\n\ntable = np.zeros(3, np.float32)\n"
STUB = "import numpy as np\nfrom numpy.typing import NDArray\n\ntable: NDArray[np.int8]\n"
#: For one module: an option for all would have mypy read NumPy again.
OVERRIDE = '[[tool.promo-mypy.overrides]]\nmodule = "main"\n'


def _write(name: str, text: str) -> Callable[[], object]:
    return lambda: Path(name).write_text(text, encoding="utf-8")


#: Each changes what `infer` answers.
CHANGES = {
    "a file": _write("main.py", f"# comment\n{MAIN}"),
    "an imported file": _write("helper.py", HELPER.replace("float32", "float64")),
    "a stub beside it": _write(
        "helper.pyi", "import numpy as np\nfrom numpy.typing import NDArray\ntable: NDArray[np.int8]\n"
    ),
    "an option": _write(
        "pyproject.toml", '[[tool.promo-mypy.overrides]]\nmodule = "main"\nuntyped_functions = "skip"\n'
    ),
    "an option of mypy": _write("mypy.ini", "[mypy]\ncheck_untyped_defs = true\n"),
    "the configuration is another file": _write(".mypy.ini", "[mypy]\n"),
}


@pytest.mark.slow
def test_a_change_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write("main.py", MAIN)()
    _write("helper.py", HELPER)()
    paths = [Path("main.py")]

    def kept(of: type[Inference] | type[Coverage]) -> object:
        return kept_answer(of, read(paths, None))

    last: object = None
    for name, change in {"nothing": lambda: None, **CHANGES}.items():
        change()
        if name == "the configuration is another file":
            Path("mypy.ini").unlink()
        assert kept(Inference) is None, name
        found = infer(paths)
        assert found != last, name
        assert kept(Inference) == found == infer(paths)
        shutil.rmtree(".mypy_cache/kept")
        assert infer(paths) == found, name
        last = found
    assert kept(Coverage) is None
    counted = coverage(paths)
    assert kept(Coverage) == counted == coverage(paths)
    _write("main.py", MAIN)()
    assert kept(Coverage) is None
    assert coverage(paths) != counted  # the places are others


def test_without_a_cache_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write("plain.py", "x = 1\n")()
    _write("mypy.ini", "[mypy]\ncache_dir = /dev/null\n")()
    infer([Path("plain.py")])
    assert kept_answer(Inference, read([Path("plain.py")], None)) is None
    assert {file.name for file in tmp_path.iterdir()} == {"plain.py", "mypy.ini"}
