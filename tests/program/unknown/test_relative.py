"""What is relative to a parameter, form by form. Comments say what the longest expression of a line is."""

from pathlib import Path

from tests.mypy_runs import configuration
from tests.program.unknown.labelled import assert_labelled, labels

PROGRAM = """\
import functools
import operator
from dataclasses import dataclass
from typing import Any, cast, overload
import numpy as np
import elsewhere
from array_api_compat import array_namespace

def loops(a, b, c, fun):
    x, y = c * 1, b * 1
    for _ in range(3):
        x, y = y, x + y
    np.sin(x)  # relative
    z = elsewhere.opaque()
    np.sin(z)  # unknown
    a = elsewhere.opaque()
    np.sin(a)  # unknown
    np.cos(fun(b))  # relative
    np.cos(fun(elsewhere.opaque()))  # unknown

def defaults(a, b=elsewhere.opaque(), *, c=None, d=elsewhere.opaque()):
    np.sin(a)  # relative
    np.sin(b)  # unknown
    np.sin(c)  # relative
    np.sin(d)  # unknown

def methods(x: np.ndarray, y):
    x.reshape(-1)  # relative
    x.sum(axis=0)[1:]  # relative
    x.astype(y.dtype)  # relative
    x.dot(elsewhere.opaque())  # unknown
    x.base  # unknown

def joined(a, n):
    np.r_[0, a, 1.0]  # relative
    np.c_[a, a]  # relative
    np.r_[0:n]  # relative
    np.r_[a, elsewhere.opaque()]  # unknown

def passed_on(a, **options):
    return np.sum(a, **options)  # relative

def changed(a, **options):
    options.update(elsewhere.opaque())
    np.sum(a, **options)  # unknown

def replaced(a, **options):
    options = elsewhere.opaque()
    np.sum(a, **options)  # unknown

def handed_out(a, **options):
    elsewhere.fill(options)
    np.sum(a, **options)  # unknown

def written(a):
    options = dict(axis=0)
    np.sum(a, **options)  # relative
    np.sum(a, **dict(dtype=None))  # relative
    np.sum(a, **dict(elsewhere.opaque()))  # unknown

def own_dict(a, dict):
    np.sum(a, **dict(axis=0))  # unknown

def given(a, options):
    np.cos(passed_on(a, dtype=a.dtype))  # relative
    np.cos(passed_on(a, dtype=elsewhere.opaque()))  # unknown
    np.sum(a, **options)  # unknown

def containers(a):
    table = {"a": np.sin(a)}
    np.cos(table["a"])  # relative
    filled = {"a": np.sin(a)}
    filled["b"] = elsewhere.opaque()
    np.cos(filled["a"])  # unknown
    for each in [np.sin(a), elsewhere.opaque()]:
        np.cos(each)  # unknown
    np.cos(functools.reduce(operator.add, [a, np.sin(a)]))  # relative
    np.cos(functools.reduce(elsewhere.add, [a, np.sin(a)]))  # unknown
    np.arange(a.shape[0])  # relative

ADD = functools.partial(np.add, dtype=None)

def twice(a):
    return ADD(a, a)

def calls(a):
    def inner(x):
        return np.sin(x) + a
    np.cos(inner(a))  # relative
    np.cos(twice(inner(a)))  # relative
    np.cos(twice(elsewhere.opaque()))  # unknown
    np.cos((lambda x: x + a)(1))  # relative
    np.cos(cast(Any, np.sin(a)))  # relative
    np.cos(cast(Any, elsewhere.opaque()))  # unknown

@dataclass
class Point:
    left: Any
    right: Any

class Model:
    def __init__(self, a, path):
        self.a = a
        self.loaded = elsewhere.opaque()
        self.set = a
        self.late = None
        self.raised = a
        self.many = []
        self.b = self.a + 1
        self.add_a = functools.partial(np.add, a)
        self.other = functools.partial(elsewhere.add, a)

    def add(self, x):
        self.many.append(elsewhere.opaque())
        return np.sin(x) + self.b

    def plus(self, x):
        return np.sin(x) + self.b

    def overridden(self, x):
        return x + 1

    @property
    def shown(self):
        return self.a * 2

    @property
    def promised(self):
        raise NotImplementedError

    @property
    def owed(self):
        raise NotImplementedError

    def use(self, x):
        np.sin(self.a)  # relative
        np.sin(self.loaded)  # unknown
        np.sin(self.set)  # unknown
        np.sin(self.late)  # relative
        np.sin(self.raised)  # unknown
        np.sin(self.many[0])  # unknown
        np.sin(self.b)  # relative
        np.sin(self.shown)  # relative
        np.sin(self.promised)  # relative
        np.sin(self.owed)  # unknown
        np.sin(self.add(x))  # relative
        np.sin(self.overridden(x))  # unknown
        np.sin(self.missing)  # unknown
        np.sin(self.add_a(x))  # relative
        np.sin(self.other(x))  # unknown

class Special(Model):
    @property
    def promised(self):
        return self.b * 2

    @property
    def owed(self):
        return elsewhere.opaque()

    def overridden(self, x):
        return x + elsewhere.opaque()

def change(model, a):
    model.set = elsewhere.opaque()
    model.late = np.sin(a)
    model.raised += elsewhere.opaque()

def move(point: Point):
    point.a = elsewhere.opaque()

TABLE = {"sin": np.sin, "cos": np.cos}
OPEN = {"sin": np.sin}
OPEN["other"] = elsewhere.add

def tables(a, name):
    np.cos(TABLE[name](a))  # relative
    np.cos(OPEN[name](a))  # unknown
    function = np.sin if name else np.cos
    np.cos(function(a))  # relative
    other = np.sin if name else elsewhere.add
    np.cos(other(a))  # unknown

def chosen_dtype(a):
    return np.result_type(a, 1)

def dtypes(a, dtype: np.dtype[Any], given):
    named = a.dtype
    np.zeros(3, named)  # relative
    np.zeros(3, dtype)  # relative
    np.asarray([1], dtype=given)  # relative
    np.zeros(3, np.result_type(a, 1))  # relative
    np.zeros(3, chosen_dtype(a))  # relative
    np.zeros(3, chosen_dtype(elsewhere.opaque()))  # unknown
    other = elsewhere.opaque().dtype
    np.zeros(3, other)  # unknown
    np.zeros(3, dtype=other)  # unknown
    either = a.dtype
    if given:
        either = elsewhere.opaque().dtype
    np.zeros(3, either)  # unknown

def made(x, dtype):
    return np.zeros(3, dtype) + x

def dtypes_passed_on(a, b):
    kinds = set(each.dtype for each in [a, b])
    np.zeros(3, dtype=kinds.pop())  # relative
    np.cos(made(a, a.dtype))  # relative
    np.cos(made(a, np.float64))  # relative
    np.cos(made(a, elsewhere.opaque().dtype))  # unknown

def options(a, given):
    spread = {"dtype": a.dtype, "order": "C"}
    np.zeros(3, **spread)  # relative
    np.zeros(3, **{"dtype": a.dtype})  # relative
    np.zeros(3, **given)  # unknown
    opaque = {"dtype": elsewhere.opaque().dtype}
    np.zeros(3, **opaque)  # unknown
    filled = {"dtype": a.dtype}
    filled["dtype"] = elsewhere.opaque().dtype
    np.zeros(3, **filled)  # unknown
    shared = {"dtype": a.dtype}
    elsewhere.change(shared)
    np.zeros(3, **shared)  # unknown

def doubling(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2
    return wrapper

def choosing(other, exclude=None):
    def decorator(f):
        def wrapper(*args, **kwargs):
            if kwargs.pop("normalize", True):
                return f(*args, **kwargs)
            return other(*args)
        return wrapper
    return decorator

def opening(f):
    def wrapper(*args):
        return f(*args) + elsewhere.opaque()
    return wrapper

def registering(f):
    elsewhere.TABLE["f"] = f
    return f

def thrice(x):
    return x * 3

@doubling
def first(x):
    return x + 1
@choosing(thrice, exclude=["x"])
def second(x):
    return x + 1
@opening
def third(x):
    return x + 1
@registering
def fourth(x):
    return x + 1
@elsewhere.decorator
def fifth(x):
    return x + 1
@choosing(elsewhere.opaque)
def sixth(x):
    return x + 1

def decorated(a):
    np.cos(first(a))  # relative
    np.cos(second(a))  # relative
    np.cos(third(a))  # unknown
    np.cos(fourth(a))  # relative
    np.cos(fifth(a))  # unknown
    np.cos(sixth(a))  # unknown

def items_as_dtypes(a, b):
    for dtype in [each.dtype for each in (a, b)]:
        np.zeros(3, dtype)  # relative
    for array, other in zip([a, b], [a.dtype, b.dtype]):
        np.zeros(3, other)  # relative
    for array, opaque in zip([a, b], [a.dtype, elsewhere.opaque().dtype]):
        np.zeros(3, opaque)  # unknown
    for convert in (np.asarray, int):
        np.sin(convert(a))  # relative

def checked_namespace(a, b):
    xp = array_namespace(a, b)
    if xp.any(a.shape != b.shape):
        raise ValueError
    return xp

def namespaces(a):
    xp = array_namespace(a)
    np.cos(xp.linalg.inv(a))  # relative
    np.cos(xp.sum(elsewhere.opaque()))  # unknown
    other = array_namespace(elsewhere.opaque())
    np.cos(other.sum(a))  # unknown
    checked = checked_namespace(a, a)
    np.cos(checked.min(a, axis=0))  # relative
    np.cos(checked.unheard(a))  # unknown
    opened = checked_namespace(elsewhere.opaque(), a)
    np.cos(opened.min(a, axis=0))  # unknown

@dataclass
class Solver:
    function: Any
    fallback: Any = None
    other: Any = elsewhere.add

    def use(self, a):
        np.cos(self.function(a))  # relative
        np.cos(self.fallback(a))  # relative
        np.cos(self.other(a))  # unknown

class Above:
    def __init__(self, a):
        self.kept = np.sin(a)

    def shared(self, x):
        return x + self.kept

    def opened(self, x):
        return x + elsewhere.opaque()

class Derived(Above):
    def use(self, x):
        np.cos(super().shared(x))  # relative
        np.cos(super().opened(x))  # unknown

def by_name(record, name):
    np.cos(getattr(record, name))  # relative
    np.cos(getattr(elsewhere.opaque(), name))  # unknown

@overload
def overloaded(x: int) -> int: ...
@overload
def overloaded(x: Any) -> Any: ...
def overloaded(x):
    return x * 2

def calls_overloaded(a):
    np.cos(overloaded(a))  # relative
    np.cos(overloaded(elsewhere.opaque()))  # unknown

def pairs(pair: tuple[np.ndarray[Any, Any], int], nested: list[list[np.ndarray[Any, Any]]]):
    np.sin(pair[0])  # relative
    np.sin(nested[0][0])  # relative

def starred(a):
    first, *rest = a, np.sin(a), np.cos(a)
    np.cos(rest[0])  # relative
    first, *others = a, elsewhere.opaque()
    np.cos(others[0])  # unknown

class Beside(Point):
    late: Any

    def use(self):
        np.sin(self.left)  # relative
        np.sin(self.late)  # unknown

def objects(a):
    model = Model(np.ones(2), "")
    np.sin(model.plus(a))  # relative
    np.sin(model.plus(np.ones(2)))  # unknown
    np.sin(twice(1))  # unknown

def points(a, point, model: Model):
    np.sin(Point(a, a).left)  # relative
    np.sin(Point(a, elsewhere.opaque()).left)  # unknown
    np.sin(point.left)  # relative
    np.sin(model.a)  # relative
    np.sin(Model(elsewhere.opaque(), "").a)  # unknown
"""


def test_each_form(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache, "ignore_missing_imports = true", "elsewhere"))
    assert_labelled(labels(tmp_path, PROGRAM), PROGRAM)
