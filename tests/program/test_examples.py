"""Every array expression of the examples has a known dtype, thanks to features that other tests check."""

import json
from pathlib import Path

from tests.mypy_runs import ROOT, configuration
from tests.needed import needs
from tests.program.executed import run_command

#: The libraries that the examples need.
NEEDS = ("dask", "jax", "jaxtyping", "torch")


def test_every_dtype_is_known(tmp_path: Path, plugin_cache: Path) -> None:
    needs(*NEEDS)
    configured = tmp_path / "pyproject.toml"
    configured.write_text(configuration(plugin_cache))
    done = run_command(ROOT, "coverage", "examples", "--format", "json", "--config-file", str(configured))
    found = json.loads(done.stdout)
    assert found["causes"] == []
    assert {each["percent"] for each in found["files"]} == {100}
    assert (found["percent"], found["annotated"]["percent"]) == (100, 100)
    assert found["expressions"] > 400
    assert found["annotated"]["expressions"] > 200


def test_an_unknown_dtype_is_found(tmp_path: Path, plugin_cache: Path) -> None:
    """The companion test: the same examples without the annotation of one parameter."""
    text = (ROOT / "examples" / "numpy_signal.py").read_text()
    source = tmp_path / "numpy_signal.py"
    source.write_text(text.replace("npt.NDArray[np.float32]", "npt.NDArray[Any]").replace("import ", "import ", 1))
    configured = tmp_path / "pyproject.toml"
    configured.write_text(configuration(plugin_cache))
    done = run_command(ROOT, "coverage", str(source), "--format", "json", "--config-file", str(configured))
    assert json.loads(done.stdout)["percent"] < 100
