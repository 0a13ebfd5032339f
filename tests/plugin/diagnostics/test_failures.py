"""A failing feature gives one error and an unknown dtype; with --show-traceback mypy crashes."""

from pathlib import Path

import pytest
from mypy import api

from promo_mypy.plugin.annotations import dtype_annotations
from promo_mypy.plugin.calls import overloads
from promo_mypy.plugin.inferred.false_positives.hidden_errors import HiddenErrors
from promo_mypy.plugin.inferred.variables import RebindableVariables
from promo_mypy.plugin.operators import operator_results
from tests.copied_caches import copy_cache
from tests.mypy_runs import environment, run_mypy
from tests.needed import needs
from tests.plugin_failures import BEGINNING, reject_failures

pytestmark = pytest.mark.broken_plugin

PROGRAM = """\
import numpy as np
import numpy.typing as npt
def f(x: npt.NDArray[np.float32], y: npt.NDArray[np.float64]) -> None:
    reveal_type(x + y)
    reveal_type(2 * y.astype(np.float32))
    x.T
"""


def _broken(*_arguments: object, **_keywords: object) -> None:
    raise LookupError("no such thing")


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin_cache: Path) -> list[str]:
    """The arguments of a run in this process, with the libraries in a cache of its own."""
    (tmp_path / "libraries.py").write_text("import numpy as np\nimport jaxtyping as jaxtyping\n")
    run_mypy(tmp_path, "libraries.py", cache=plugin_cache)  # also writes the configuration
    copy_cache(plugin_cache, tmp_path / "cache")
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPYPATH", environment()["MYPYPATH"])
    monkeypatch.setattr(operator_results, "infer", _broken)
    return ["--cache-dir", "cache", "program.py"]


def test_a_failing_function_hook(arguments: list[str]) -> None:
    shown, crash, status = api.run(arguments)
    words = "Internal error in promo-mypy; the dtype of this expression is unknown (LookupError: no such thing)"
    assert words.startswith(BEGINNING)
    with pytest.raises(AssertionError, match="the plugin failed"):
        reject_failures(shown)
    lines = [line for line in shown.splitlines() if words in line]
    assert [line.split(":")[1] for line in lines] == ["4", "5"]
    assert all(line.endswith("[promo-failure]") for line in lines)
    assert shown.count('Revealed type is "Any"') == 2
    assert (crash, status) == ("", 1)


@pytest.mark.slow
def test_a_failing_signature_hook(arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(overloads, "_result", _broken)
    (tmp_path / "program.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\ndef f(x: npt.NDArray[np.float32]) -> None:\n"
        "    np.where(x > 0, x, x)\n    np.add(x, x)\n"
    )
    shown, crash, status = api.run(arguments)
    lines = [line.split(":")[1] for line in shown.splitlines() if "[promo-failure]" in line]
    assert lines == ["4", "5"]
    assert (crash, status) == ("", 1)


@pytest.mark.slow
def test_a_failing_variable(arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(RebindableVariables, "open_type", _broken)
    (tmp_path / "program.py").write_text("import numpy as np\nx = np.ones(3)\nx = np.ones(3, np.int8)\n")
    shown, crash, status = api.run(arguments)
    assert "program.py:2: error: Internal error in promo-mypy" in shown
    assert (crash, status) == ("", 1)


@pytest.mark.slow
def test_a_failing_filter(arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(HiddenErrors, "hides", _broken)
    (tmp_path / "program.py").write_text('import numpy as np\nx: int = "text"\nnp.ones(3)\ny: int = "text"\n')
    shown, crash, status = api.run(arguments)
    assert shown.count("[assignment]") == 2
    assert "program.py:4: error: Internal error in promo-mypy" in shown
    assert (crash, status) == ("", 1)


def test_a_failing_annotation(arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    needs("jaxtyping")
    monkeypatch.setattr(dtype_annotations, "claim_of", _broken)
    (tmp_path / "program.py").write_text(
        "import numpy as np\nfrom jaxtyping import Float32\ndef f(x: Float32[np.ndarray, 'n']) -> None:\n"
        "    reveal_type(x)\n"
    )
    shown, crash, status = api.run(arguments)
    assert [line.split(":")[1] for line in shown.splitlines() if "[promo-failure]" in line] == ["3"]
    assert "numpy.ndarray[" in shown
    assert (crash, status) == ("", 1)


#: A plugin of somebody else that fails when a function is checked once more.
OTHER_PLUGIN = """\
from mypy.plugin import Plugin

class Once(Plugin):
    seen = 0

    def get_function_hook(self, fullname):
        return self.check if fullname == "program.odd" else None

    def check(self, ctx):
        self.seen += 1
        if self.seen > 1:
            raise LookupError("no such thing")
        return ctx.default_return_type

def plugin(version):
    return Once
"""


@pytest.mark.slow
def test_a_crash_of_mypy_in_a_check_aside(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(OTHER_PLUGIN)
    config = tmp_path / "pyproject.toml"
    config.write_text(config.read_text().replace("'promo_mypy.plugin'", "'promo_mypy.plugin', 'once.py'", 1))
    (tmp_path / "program.py").write_text(
        "import numpy as np\ndef odd(x: int) -> int:\n    return x\ndef f() -> None:\n    odd(1)\n"
        "    text: str = np.ones(3)[0]\ny: int = 'text'\n"
    )
    shown, crash, status = api.run(arguments)
    assert [line.split(":")[1] for line in shown.splitlines() if "[promo-failure]" in line] == ["6"]
    assert "program.py:7: error: Incompatible types" in shown
    assert (crash, status) == ("", 1)


@pytest.mark.slow
def test_mypy_crashes_with_show_traceback(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    *_, status = api.run(["--show-traceback", *arguments])
    assert status == 2
    printed = capfd.readouterr()
    assert "LookupError: no such thing" in printed.out + printed.err
