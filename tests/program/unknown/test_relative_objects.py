"""What is relative to a parameter through `self`, `cls` and other objects: see `test_relative`."""

from pathlib import Path

from tests.mypy_runs import configuration
from tests.program.unknown.labelled import assert_labelled, labels

PROGRAM = """\
from typing import Any, Literal
import numpy as np
import elsewhere
import program

def opaque_of(x):
    return elsewhere.opaque()

def name_of(x: Any) -> str:
    return str(x.dtype)

doubled = np.vectorize(np.multiply)
changed = np.vectorize(opaque_of)

def variables_of_modules(a):
    np.sin(program.doubled(a))  # relative
    np.sin(program.changed(a))  # unknown

def texts(a):
    np.zeros(3, dtype=name_of(a))  # relative
    np.zeros(3, dtype=name_of(elsewhere.opaque()))  # unknown

def methods_that_arrays_have_otherwise(tree, a):
    np.sin(tree.unflatten(a))  # relative
    np.sin(tree.unflatten(elsewhere.opaque()))  # unknown

# mypy skips what is below `if`.
class Skipped:
    kind: Literal["x"] = "x"

    def __init__(self, a):
        self.a = a
        self.b = elsewhere.opaque()

    def known(self):
        if self.kind == "y":
            return self.a * 2
        return self.a

    def unknown(self):
        if self.kind == "y":
            return self.b * 2
        return self.a

    def use(self):
        np.sin(self.known())  # relative
        np.sin(self.unknown())  # unknown

class Chained:
    def __init__(self, a):
        self.a = a

    def same(self):
        return self

    def other(self):
        return elsewhere.opaque()

    @classmethod
    def made(cls, a):
        return cls(a)

    def use(self, x):
        np.sin(self.same().a)  # relative
        np.sin(self.other().a)  # unknown
        np.sin(type(self).made(x).a)  # relative
        np.sin(type(self).made(elsewhere.opaque()).a)  # unknown

class Called:
    def __call__(self, x):
        return x * 2

    def use(self, a):
        np.sin(self(a))  # relative
        np.sin(self(elsewhere.opaque()))  # unknown

class Listed:
    instances = []

    def __init__(self, a):
        self.a = a
        self.instances.append(self)

    @classmethod
    def first(cls, x):
        np.sin(cls.instances[0].a + x)  # relative

class ListedOtherwise:
    instances = []

    def __init__(self, c):
        self.c = c
        self.b = elsewhere.opaque()
        self.instances.append(self)

    @classmethod
    def first(cls, x):
        np.sin(cls.instances[0].c + x)  # unknown
"""


def test_objects(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache, "ignore_missing_imports = true", "elsewhere"))
    assert_labelled(labels(tmp_path, PROGRAM), PROGRAM)
