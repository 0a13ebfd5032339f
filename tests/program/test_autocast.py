"""A region of `torch.autocast` changes what functions of the program compute that are called there."""

from pathlib import Path

from tests.mypy_runs import configuration
from tests.needed import needs
from tests.program.executed import infer_json

PROGRAM = """
import torch

def _squared(n):
    a = torch.ones(n, n)
    return a @ a

def _counted(n):
    return torch.ones(n, n).argmax(0)

class Model:
    def __init__(self):
        self.weight = torch.ones(3, 3)

    @property
    def squared(self):
        return self.weight @ self.weight

    def _product(self):
        a = torch.ones(3, 3)
        return a @ a

def used(model: Model):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _squared(3)
        model._product()
        model.squared
        _counted(3)
        model.weight
"""


def test_results_of_functions_are_those_of_the_region_or_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    needs("torch")
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache, "check_untyped_defs = true", "cast"))
    (tmp_path / "cast.py").write_text(PROGRAM)
    lines = PROGRAM.splitlines()
    begin = lines.index("        _squared(3)") + 1
    found = {lines[each["line"] - 1].strip(): each["dtype"] for each in infer_json(tmp_path, "cast.py")["expressions"]}
    known = {text: dtype for text, dtype in found.items() if text in map(str.strip, lines[begin - 1 :])}
    found = {text: dtype for text, dtype in known.items() if dtype is not None}
    assert found == {"_squared(3)": "bfloat16", "_counted(3)": "int64", "model.weight": "float32"}
