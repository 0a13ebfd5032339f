"""Methods of objects that a library without types makes. A stand-in takes the place of scikit-learn, which no extra
installs.
"""

from pathlib import Path

import pytest

from tests.mypy_runs import configuration
from tests.program.executed import differences, infer_json

STAND_IN = """\
import numbers

import numpy as np


def check_random_state(seed):
    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    if isinstance(seed, numbers.Integral):
        return np.random.RandomState(seed)
    if isinstance(seed, np.random.RandomState):
        return seed
    raise ValueError(seed)
"""
PROGRAM = """\
import numpy as np
from sklearn.utils import check_random_state


class Model:
    def __init__(self, seed):
        self.seed = seed
        self.rng = check_random_state(seed)
        self.other = check_random_state(seed)

    def change(self, other):
        self.other = other

    def use(self, n, p):
        rng = check_random_state(self.seed)
        rng.randn(n, 2)  # float64
        rng.normal(p, size=2) * 2  # float64
        rng.randint(0, 9, size=(n,))  # int64
        rng.uniform(size=3).astype(np.float32)  # float32
        self.rng.rand(n)[0]  # float64
        rng.rand()
        rng.normal(p)
        rng.choice(np.atleast_1d(p), size=2)
        self.other.normal(size=n)


def rebound(seed, n):
    seed = check_random_state(seed)
    seed.normal(size=(n, 2))  # float64


def swapped(seed, n):
    old = new = check_random_state(seed)
    for _ in range(2):
        old, new = new, old
    old.normal(size=(n, 2))


def either(seed, n):
    rng = seed if n else check_random_state(seed)
    rng.normal(size=n)


class Drawn:
    def normal(self, size):
        return np.ones(size, np.float16)


model = Model(1)
model.use(2, 0.5)
model.use(2, np.array([0.5, 0.25], np.float32))
model.change(Drawn())
model.use(2, 1)
rebound(1, 2)
swapped(1, 2)
either(Drawn(), 1)
"""


@pytest.mark.slow
def test_they_have_the_dtypes_of_their_class(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "sklearn").mkdir()
    (tmp_path / "sklearn" / "__init__.py").write_text("")
    (tmp_path / "sklearn" / "utils.py").write_text(STAND_IN)
    skipped = '[[tool.mypy.overrides]]\nmodule = "sklearn.*"\nfollow_imports = "skip"\n'
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache, "check_untyped_defs = true") + skipped)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    expressions = infer_json(tmp_path, "program.py")["expressions"]
    assert differences(program, expressions) == []
    whole: dict[int, tuple[int, object]] = {}
    for each in expressions:
        width = each["end_column"] - each["column"]
        whole[each["line"]] = max(
            whole.get(each["line"], (0, None)), (width, each["dtype"]), key=lambda found: found[0]
        )
    lines = PROGRAM.splitlines()
    told = {
        number: dtype
        for number, (_, dtype) in whole.items()
        if "rng." in lines[number - 1] or "seed." in lines[number - 1]
    }
    wanted = {number: line.partition("  # ")[2] for number, line in enumerate(lines, 1) if "  # " in line}
    assert {number: dtype for number, dtype in told.items() if dtype is not None} == wanted
