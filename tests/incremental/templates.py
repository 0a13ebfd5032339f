"""The modules of a random package: texts with slots, and what each slot may hold.

A slot is `<name>` or `<name.number>`. Its name is the kind of an edit, too. What modules know of each other is varied:
aliases, re-exports, decorators, bases, fields, variables that other modules bind and fill, and an import cycle.
"""

from collections.abc import Mapping, Sequence
from typing import Final

PACKAGE: Final = "walk"
#: The module that is checked, and imports the others.
MAIN: Final = "main"

_SCALARS: Final = tuple(
    f"np.{name}" for name in ("float16", "float32", "float64", "int8", "int16", "int32", "uint8", "complex64")
)
_ARRAYS: Final = tuple(f"npt.NDArray[{scalar}]" for scalar in _SCALARS)
_MUTATIONS: Final = (
    "box.append(x)",
    "box[0] = x",
    "box += [x]",
    "rows[0].append(x)",
    "rows.append([x])",
    'table["b"] = x',
    "table.update(b=x)",
    "fill(box)",
    "fill(held)",
    "scale(box)",
    'mine = table\nmine["c"] = x',
    "mine = box\nmine.append(x)\nreveal_type(box[0])",
    "model.items.append(x)",
    "model.items[0] = x",
    "fill(model.items)",
    "model.level = x",
    "model.level = anything",
    "model.shift = x",
    "model.total = anything",
    "model.total += anything",
    "model.total = x[0]",
    "model.inner.parts.append(x)",
    "Outer(x).seen.append(x)",
    "data.box.append(x)",
    "data.level = x",
    "data.number = anything",
    "data.number = x[0]",
    "data.level = anything",
    "Outer.count = anything",
    "for each in box:\n    each += x",
    "held = [x]\nscale(held)\nreveal_type(held[0])",
    "held = [x]\nmodel.collect(held)\nreveal_type(held[0])",
    "held = [x]\nfill(held)\nreveal_type(held[0])",
)
_VALUES: Final = (
    "x",
    "level",
    "box[0]",
    'table["a"]',
    "rows[0][0]",
    "made",
    "held[0]",
    "model.x",
    "model.items[0]",
    "model.level",
    "model.shift",
    "model.inner.x",
    "model.inner.parts[0]",
    "model.apply(x)",
    "model.last",
    "pair.a",
    "scale(x)",
    "total(x)",
    "cells[0]",
    "sub.shift",
    "np.sum(x)",
    "x.sum()",
    "2.5",
    "number",
    "model.total",
    "Outer.count",
    "np.where(x > 0, x, level)",
    "(lambda value: value * level)(x)",
    *(
        value
        for function in ("plain", "half", "chosen", "shared", "nested()", "bound", "Steps().method", "Steps.static")
        for value in (
            f"{function}(x)",
            f"np.apply_along_axis({function}, 0, x)",
            f"np.vectorize({function})(x)",
            f"functools.reduce({function}, [x, x])",
            f"[*map({function}, [x])][0]",
        )
    ),
)

#: What a slot of a kind may hold.
CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "alias": (*_ARRAYS, "Any", "list[npt.NDArray[np.float32]]", "np.ndarray[tuple[int, int], np.dtype[np.int16]]"),
    "annotation": (*_ARRAYS, "Real", "Whole", "Many", "npt.NDArray[Any]", "Any"),
    "container": ("list[Real]", "list[Any]", "list[npt.NDArray[Any]]", "Sequence[npt.NDArray[Any]]", "Any", "Real"),
    "dtype": _SCALARS,
    "number": ("0", "1.5", "True", "np.float32(1)", "2 ** 3", "None"),
    "operator": ("+", "-", "*", "/", "//", "**", "<", "&"),
    "operand": _VALUES,
    "mutation": _MUTATIONS,
    "decorator": ("", "@same", "@wrapped", '@np.errstate(all="ignore")', "@functools.cache", "@untyped"),
    "base": ("", "(Base)", "(Base)", "(Base)", "(Base, Other)"),
    "field": (
        "x: Real",
        "x: Whole",
        "x: Any",
        "x: npt.NDArray[np.int8]",
        "x = np.ones(3, np.int16)",
        "y: Real",
        "x: list[Real]",
    ),
    "reexport": (
        "from walk.data import {0} as {0}",
        "from walk.data import spare as {0}",
        "from walk.left import {0} as {0}",
        "from walk.star import {0} as {0}",
        "import walk.data\n{0} = walk.data.{0}",
    ),
    "route": ("walk.data", "walk.between", "walk.star"),
}

_HEADER: Final = """\
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, ParamSpec, TypeVar
import numpy as np
import numpy.typing as npt
"""

#: Module -> its blocks of text. Every package has these modules.
MODULES: Final[Mapping[str, Sequence[str]]] = {
    "__init__": ("",),
    "names": (_HEADER, "Real = <alias.1>\n", "Whole = <alias.2>\n", "Many = <alias.3>\n"),
    "tools": (
        _HEADER + "from walk.names import Many, Real, Whole\n",
        "F = TypeVar('F', bound=Callable[..., Any])\nP = ParamSpec('P')\nR = TypeVar('R')\n",
        "def same(function: F) -> F:\n    return function\n",
        "def wrapped(function: Callable[P, R]) -> Callable[P, R]:\n    return function\n",
        "def untyped(function):  # type: ignore[no-untyped-def]\n    return function\n",
        "<decorator>\ndef fill(arrays: <container>) -> None:\n    pass\n",
        "<decorator>\ndef scale(x: <annotation>) -> <annotation.2>:\n    return x\n",
        "def total(x: Real, y=0):  # type: ignore[no-untyped-def]\n    return x <operator> y\n",
    ),
    "steps": (
        _HEADER + "from walk.names import Many, Real, Whole\nfrom walk.tools import same, untyped, wrapped\n",
        "def plain(x, y=1):  # type: ignore[no-untyped-def]\n    return x <operator> y\n",
        "def half(x: <annotation>, y=1):  # type: ignore[no-untyped-def]\n    return x <operator> y\n",
        "<decorator>\ndef chosen(x, y=1):  # type: ignore[no-untyped-def]\n    return y if y else x\n",
        "shared = lambda x, y=1: x <operator> y\n",
        "def nested():  # type: ignore[no-untyped-def]\n    def inner(x, y=1):  # type: ignore[no-untyped-def]\n"
        "        return x <operator> y\n    return inner\n",
        "bound = functools.partial(plain, y=<number>)\n",
        "class Steps:\n    def method(self, x, y=1):  # type: ignore[no-untyped-def]\n        return x <operator> y\n"
        "    @staticmethod\n    def static(x, y=1):  # type: ignore[no-untyped-def]\n        return x <operator> y\n",
    ),
    "data": (
        _HEADER + "from walk.names import Many, Real, Whole\nfrom walk.tools import fill, scale\n",
        "box = [np.ones(3, <dtype>)]\nspare = [np.zeros(3, <dtype.2>)]\n",
        'table = {"a": np.ones(3, <dtype>)}\n',
        "rows = [[np.ones(3, <dtype>)], [np.ones(2, <dtype.2>)]]\n",
        "level = np.ones(3, <dtype>)\nnumber = <number>\nmade = level <operator> <number.2>\n",
        "held: <container> = [np.ones(3, <dtype>)]\n",
        "cells = [np.ones(3, <dtype>)]\nfill(cells)\n",
        "def grow(x: <annotation>) -> None:\n    global level\n    level = x\n    box.append(x)\n",
    ),
    "models": (
        _HEADER + "from walk.names import Many, Real, Whole\nfrom walk.tools import same, untyped, wrapped\n",
        "class Other:\n    <field>\n    seen = [np.ones(3, <dtype>)]\n",
        "class Inner:\n    <field>\n    def __init__(self) -> None:\n        self.parts = [np.ones(3, <dtype>)]\n",
        "class Base:\n    <field>\n    shift = np.ones(3, <dtype>)\n    count = <number>\n    inner: Inner\n"
        "    def __init__(self, x: Any) -> None:\n        self.items = [np.ones(3, <dtype.2>)]\n"
        "        self.level = np.ones(3, <dtype.3>)\n        self.total = <number.2>\n"
        "    <decorator>\n    def apply(self, x: <annotation>) -> <annotation.2>:\n"
        "        return x <operator> self.shift\n"
        "    def collect(self, arrays: <container>) -> None:\n        pass\n"
        "    @property\n    def last(self):  # type: ignore[no-untyped-def]\n        return self.items[0]\n",
        "class Outer<base>:\n    seen = [np.ones(3, <dtype>)]\n    inner: Inner\n",
        "class Pair(NamedTuple):\n    a: <annotation>\n    b: int\n",
        "@dataclass\nclass Record:\n    <field>\n    z: <annotation>\n",
    ),
    "between": (
        "# re-exports\n",
        "<reexport:box>\n",
        "<reexport:table>\n",
        "<reexport:level>\n",
        "from walk.data import cells as cells, held as held, made as made, number as number, rows as rows\n",
        "from walk.names import Real as Real, Whole as Whole, Many as Many\n",
    ),
    "star": ("from walk.data import *\nfrom walk.models import *\n",),
    "left": (
        _HEADER + "from walk import right\nfrom walk.data import cells, held, made, number, rows, table\n"
        "from walk.names import Many, Real, Whole\n",
        "box = [np.ones(3, <dtype>)]\nlevel = np.ones(3, <dtype.2>)\n",
        "class Left:\n    def __init__(self) -> None:\n        self.held = [np.ones(3, <dtype>)]\n"
        "        self.n = <number>\n",
        "def to_right(x: <annotation>, left: Left) -> <annotation.2>:\n    right.right_box.append(x)\n"
        "    right.Right().held.append(x)\n    reveal_type(right.right_box[0])\n"
        "    return right.right_box[0] <operator> left.held[0]\n",
    ),
    "right": (
        _HEADER + "from walk.left import Left, box\nfrom walk.names import Many, Real, Whole\n",
        "right_box = [np.ones(3, <dtype>)]\n",
        "class Right(Left):\n    def more(self, x: <annotation>) -> None:\n        self.held.append(x)\n"
        "        self.n = x[0]\n        reveal_type(self.held[0])\n",
        "def to_left(x: <annotation>, left: Left) -> None:\n    box.append(x)\n    left.held.append(x)\n"
        "    left.n = x\n"
        "    reveal_type(box[0])\n    reveal_type(left.n)\n",
    ),
    "sub": (
        _HEADER + "from walk.models import Base, Outer\nfrom walk.names import Many, Real, Whole\n",
        "class Sub<base>:\n    shift = np.ones(3, <dtype>)\n    def change(self, x: <annotation>) -> None:\n"
        "        self.shift = x\n        reveal_type(self.shift)\n",
        "Other = Outer\n",
    ),
    "filler": (
        _HEADER + "from walk import data\nfrom <route> import box, cells, held, level, made, number, rows, table\n"
        "from walk.models import Outer\nfrom walk.names import Many, Real, Whole\nfrom walk.tools import fill, scale\n"
        "from walk.steps import Steps, bound, chosen, half, nested, plain, shared\n",
        "def first(model: Outer, x: <annotation>, anything: Any) -> None:\n    <mutation>\n    <mutation.2>\n"
        "    reveal_type(<operand>)\n",
        "def second(model: Outer, x: <annotation>, anything: Any) -> None:\n    <mutation>\n    <mutation.2>\n"
        "    while anything:\n        <mutation.3>\n        reveal_type(box[0])\n",
        "def third(model: Outer, x: <annotation>, anything: Any) -> None:\n    for y in box:\n        <mutation>\n"
        "        reveal_type(y <operator> x)\n",
    ),
    MAIN: (
        _HEADER + "import walk.filler\nimport walk.right\n"
        "from <route> import box, cells, held, level, made, number, rows, table\n"
        "from walk.models import Outer, Pair, Record\nfrom walk.names import Many, Real, Whole\n"
        "from walk.sub import Sub\n"
        "from walk.tools import fill, scale, total\n"
        "from walk.steps import Steps, bound, chosen, half, nested, plain, shared\n",
        "def read(model: Outer, x: <annotation>, pair: Pair, sub: Sub) -> <annotation.2>:\n"
        "    reveal_type(<operand> <operator> <operand.2>)\n    reveal_type(<operand.3>)\n"
        "    return <operand.4> <operator.2> <operand.5>\n",
        "def check(model: Outer, x: <annotation>, pair: Pair, sub: Sub) -> <annotation.2>:\n"
        "    reveal_type(<operand>)\n"
        "    value = <operand.2>\n    value = <operand.3>\n    reveal_type(value)\n    return value\n",
        "def loop(model: Outer, x: <annotation>, pair: Pair, sub: Sub) -> None:\n    sum_ = 0\n    mine = [<operand>]\n"
        "    fill(mine)\n    for each in (*box, *model.items, <operand.2>):\n        sum_ = sum_ <operator> each\n"
        "        mine.append(each)\n    reveal_type(sum_)\n    reveal_type(mine[0])\n",
        "def hold(model: Outer, x: <annotation>, pair: Pair, sub: Sub) -> None:\n    mine = [<operand>]\n"
        "    scale(mine)\n"
        "    reveal_type(mine[0])\n    record = Record(<operand.2>, <operand.3>)\n    reveal_type(record)\n"
        "    reveal_type(record.z)\n",
        "top = [<operand.1> for x in box]\nreveal_type(top[0])\nlocal = [np.ones(3, <dtype>)]\nfill(local)\n"
        "reveal_type(local[0])\n",
    ),
}

#: A further module, which `main` imports or not.
ADDED: Final = (
    _HEADER + "from <route> import box, cells, held, level, made, number, rows, table\nfrom walk.models import Outer\n"
    "from walk.names import Many, Real, Whole\nfrom walk.tools import fill, scale\n"
    "from walk.steps import Steps, bound, chosen, half, nested, plain, shared\n",
    "def added(model: Outer, x: <annotation>, anything: Any) -> <annotation.2>:\n    <mutation>\n"
    "    reveal_type(<operand>)\n    return <operand.2>\n",
    "class Added(Outer):\n    <field>\n    shift = np.ones(3, <dtype>)\n",
)

#: The plugin's options for all modules of the package.
OPTIONS: Final = (
    "",
    'system = "numpy"',
    'system = "jax"',
    'system = "torch"',
    'system = "mine"',
    'forbid = ["float64"]',
    'portable_to = ["jax"]',
    'torch_default_dtype = "float64"',
)
#: mypy's own options for them.
SETTINGS: Final = (
    "",
    "disallow_untyped_defs = false",
    "check_untyped_defs = false",
    "warn_return_any = false",
    'enable_error_code = ["promo-widening"]',
    'disable_error_code = ["promo-undefined"]',
)
#: The user's own system `mine`.
LATTICES: Final = (
    'extends = "jax"',
    'extends = "torch"',
    'extends = "jax"\nrefuse = ["int8 + float32"]',
    'extends = "jax"\nrefuse = ["float16 + float32", "int16 + float32"]',
    'extends = "jax"\nfloors = ["float beside int32 -> float64"]',
)
