"""Functions in methods: a body that is checked aside binds attributes of the class around it."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.plugin.inferred.provenance.programs import UNTYPED

PROGRAM = """\
import math

import numpy as np


class Base:
    label = ""


class Plot(Base):
    def draw(self, count):
        def marked(step):
            self.step = math.floor(1 / step)
            return np.ones(3) * step

        reveal_type(marked(2))
        reveal_type(marked(count))


def outer(count):
    class Inner(Base):
        def draw(self):
            def marked(step):
                def bound():
                    self.step = len(self.label)

                bound()
                return np.ones(3, np.float32) * step

            reveal_type(marked(2))
"""


def test_the_body_has_the_class_of_the_method(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "plots.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "plots.py", cache=plugin_cache, settings=UNTYPED)
    assert run.errors() == []
    shown = [message.revealed for message in run.messages if message.revealed]
    found = ["float64" in typ for typ in shown if "float" in typ]
    assert found == [True, False]  # the second one is numpy.floating of 32 bits
