"""What a module knows of another comes from mypy's cache alone, so that every mode of mypy says the same.

Each program is checked with an empty cache, again after a comment was added, with two workers, and by the daemon.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import Run, daemon_checks, run_mypy, touch
from tests.needed import needs
from tests.plugin.annotations.miniature import write

needs("jax", "jaxtyping")

BOXES: Final = """\
import numpy as np
box = [np.ones(3, np.int16)]
"""
FILLER: Final = """\
import numpy as np
import numpy.typing as npt
from boxes import box
def f(x: npt.NDArray[np.float32]) -> None:
    box.append(x)
    reveal_type(box[0])
"""
READER: Final = """\
import numpy as np
import numpy.typing as npt
import filler
from boxes import box
def g() -> npt.NDArray[np.int16]:
    reveal_type(box[0])
    return box[0]
"""
INT16: Final = "ndarray[tuple[int], dtype[signedinteger[_16Bit]]]"
FLOAT32: Final = "ndarray[tuple[int], dtype[floating[_32Bit]]]"
INT8: Final = "ndarray[tuple[Any, ...], dtype[signedinteger[_8Bit]]]"
UNKNOWN: Final = "ndarray[tuple[int], dtype[Any]]"

ATTRIBUTES: Final = """\
import numpy as np
level = np.ones(3, np.float32)
number = 0
class Machine:
    count = 0
    def __init__(self) -> None:
        self.items = [np.ones(3, np.int16)]
        self.level = np.ones(3, np.float32)
        self.total = 0
"""
FILLED_ATTRIBUTES: Final = """\
from typing import Any
import numpy as np
import numpy.typing as npt
import attributes
from attributes import Machine
def f(m: Machine, x: npt.NDArray[np.float64], a: Any) -> None:
    attributes.level = x
    attributes.level = a
    attributes.number = a
    attributes.number = x[0]
    m.items.append(x)
    m.level = x
    m.level = a
    m.total = a
    m.total += a
    m.total = x[0]
    Machine.count = x[0]
    m.level = np.where(x > 0, x, a)
class Sub(Machine):
    def more(self, x: npt.NDArray[np.float64], a: Any) -> None:
        self.items.append(x)
        self.level = x
        self.level = a
        self.total = x[0]
        self.items[0] = x
"""
READ_ATTRIBUTES: Final = """\
import numpy as np
import numpy.typing as npt
import attributes
import filler
from attributes import Machine
def g(m: Machine, i: npt.NDArray[np.int8]) -> None:
    reveal_type(attributes.level)
    reveal_type(i * attributes.number)
    reveal_type(m.items[0])
    reveal_type(m.level)
    reveal_type(i * m.total)
    reveal_type(i * Machine.count)
"""

ALIASES: Final = """\
from jax import Array
import jax.numpy as jnp
held = [jnp.ones(3)]
table = {"a": jnp.ones(3)}
def collect(arrays: list[Array]) -> None:
    arrays.append(jnp.ones(3, dtype=jnp.int8))
"""
FILLED_ALIASES: Final = """\
import jax.numpy as jnp
import aliases
from aliases import collect, held, table
def f() -> None:
    collect(held)
    mine = table
    mine["b"] = jnp.ones(3, dtype=jnp.int8)
    aliases.held[0] = jnp.ones(3, dtype=jnp.int8)
    reveal_type(table["a"])
    reveal_type(aliases.held[0])
"""
READ_ALIASES: Final = """\
import aliases
import filler
from aliases import held, table
def g() -> None:
    reveal_type(held[0])
    reveal_type(table["a"])
    reveal_type(aliases.held[0])
"""

DECORATED: Final = """\
import jax
from jax import Array
@jax.checkpoint
def peak(arrays: list[Array]) -> Array:
    return arrays[0]
"""
CALLS_DECORATED: Final = """\
from jaxtyping import Array, Float16, Float32
from helper import peak
def f(x: Float32[Array, "n"]) -> Float16[Array, "n"]:
    arrays = [x]
    peak(arrays)
    return arrays[0]
"""

#: Stock mypy infers Any for `scaled`, not for `known`.
OF_ANY: Final = """\
import jax.numpy as jnp
import {other}
scaled = jnp.float32(2) * jnp.ones(3)
known = jnp.ones(3)
def f() -> int:
    return {other}.scaled * 2
def g() -> int:
    return {other}.known * 2
"""

#: After each container of `rows`, an inserted call drops the dtypes.
FILLED: Final = """\
from jax import Array
import jax.numpy as jnp
import functions
def bind(fill: object, count: int) -> None:
    rows = [jnp.ones(3)]
    functions.fill(rows)
    for _ in range(count):
        reveal_type(rows)
        rows = [jnp.ones(3, dtype=jnp.int8)]
        reveal_type(rows)
        functions.fill(rows)
    rows = jnp.stack(rows)
    rows = rows.reshape(-1)
"""

#: mypy keeps the type that a class in another module gives an attribute, whatever is assigned to it.
HOLDER: Final = """\
import jax.numpy as jnp
import numpy as np
class Holder:
    def __init__(self) -> None:
        self.wave = jnp.ones(3)
        self.item = np.ones(3, np.float32)[0]
        self.rows = np.ones(3, np.float32)
        self.number = 3
"""
BOUND_ATTRIBUTES: Final = """\
import jax.numpy as jnp
import numpy as np
from holder import Holder
def f(holder: Holder, flag: bool) -> None:
    holder.wave = jnp.ones(3, jnp.int8)
    reveal_type(holder.wave)
    holder.item = np.int8(3)
    reveal_type(holder.item)
    holder.rows = np.ones(3, np.int8)
    reveal_type(holder.rows)
def g(holder: Holder, flag: bool) -> None:
    reveal_type(holder.wave)
    if flag:
        holder.wave = jnp.ones(3, jnp.int8)
    reveal_type(holder.wave)
    holder.wave = "text"
class Other(Holder):
    def h(self) -> None:
        while self.rows.sum():
            reveal_type(self.wave)
            self.wave = jnp.ones(3, jnp.int8)
"""
ATTRIBUTES_OF_ANY: Final = """\
from typing import Any
import jax.numpy as jnp
from holder import Holder
def f(holder: Holder, anything: Any, flag: bool) -> None:
    holder.wave = anything
    reveal_type(holder.wave)
    holder.wave = jnp.ones(3)
    reveal_type(holder.wave)
    if flag:
        holder.wave = anything[0]
    reveal_type(holder.wave)
    holder.item = anything.max()
    reveal_type(holder.item)
    holder.number = anything
    holder.number.shape
    holder.wave = "text"
class Other(Holder):
    def g(self, anything: Any) -> None:
        self.rows = -anything
        reveal_type(self.rows)
"""


@dataclass(frozen=True)
class Program:
    """Modules, the one that a comment is added to, and what mypy says: revealed types and errors by module."""

    modules: Mapping[str, str]
    touched: str
    revealed: Mapping[str, list[str]] = field(default_factory=dict)
    errors: Mapping[str, list[int]] = field(default_factory=dict)


PROGRAMS: Final = {
    "a list of another module": Program(
        {"boxes": BOXES, "filler": FILLER, "reader": READER},
        "reader",
        {"filler": [UNKNOWN], "reader": [INT16]},
    ),
    "attributes and numbers of another module": Program(
        {"attributes": ATTRIBUTES, "filler": FILLED_ATTRIBUTES, "reader": READ_ATTRIBUTES},
        "reader",
        {"reader": [FLOAT32, INT8, INT16, FLOAT32, INT8, INT8]},
    ),
    "aliases of containers of another module": Program(
        {"aliases": ALIASES, "filler": FILLED_ALIASES, "reader": READ_ALIASES},
        "reader",
        {"filler": ["Array[Any]"] * 2, "reader": ["Array[float32]"] * 3},
    ),
    "a variable of two containers": Program(
        {"functions": "def fill(rows):  # type: ignore[no-untyped-def]\n    rows.append(None)\n", "main": FILLED},
        "functions",
        {"main": ["list[Array[Any]]"] * 2},
        {"main": [6, 11, 12, 13]},
    ),
    "attributes of another module get other dtypes": Program(
        {"holder": HOLDER, "main": BOUND_ATTRIBUTES},
        "main",
        {"main": ["Array[Any]", "Any", UNKNOWN, "Array[float32]", "Array[Any]", "Array[float32] | Array[Any]"]},
        {"main": [16]},
    ),
    "attributes of another module that get values of Any": Program(
        {"holder": HOLDER, "main": ATTRIBUTES_OF_ANY},
        "main",
        {"main": ["Array[Any]", "Array[float32]", "Array[Any]", "Any", UNKNOWN]},
        {"main": [15, 16]},
    ),
    "values of Any in modules that import each other": Program(
        {"left": OF_ANY.format(other="right"), "right": OF_ANY.format(other="left")},
        "right",
        errors={"right": [8], "left": [8]},
    ),
    "functions of another module that a library wraps": Program(
        {"helper": DECORATED, "main": CALLS_DECORATED}, "main", errors={"main": [6]}
    ),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Mapping[str, Run]:
    """What mypy says about all programs, each in a package of its own, by mode."""
    folder = tmp_path_factory.mktemp("programs")
    packages = {_package(name): program for name, program in PROGRAMS.items()}
    for package, program in packages.items():
        texts = {f"{module}.py": _inside(package, text) for module, text in program.modules.items()}
        write(folder, {f"{package}/{file}": text for file, text in {"__init__.py": "", **texts}.items()})
    files = tuple(f"{package}/{module}.py" for package, program in packages.items() for module in program.modules)
    touched = [folder / package / f"{program.touched}.py" for package, program in packages.items()]
    found = {"cold": run_mypy(folder, *files, cache=plugin_cache)}
    for file in touched:
        touch(file, 2)
    found["warm"] = run_mypy(folder, *files, cache=plugin_cache)
    # For the workers every module is a new one.
    for name in files:
        touch(folder / name, 4)
    found["workers"] = run_mypy(folder, *files, "-n", "2", cache=plugin_cache)
    with daemon_checks(folder, *files) as check:
        found["daemon"] = check()
        for file in touched:
            touch(file, 6)
        found["daemon after an edit"] = check()
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_mode_says_the_same(name: str, runs: Mapping[str, Run]) -> None:
    program, package = PROGRAMS[name], _package(name)
    said = {mode: [each for each in run.messages if each.file.startswith(f"{package}/")] for mode, run in runs.items()}
    cold = said["cold"]
    for module, types in program.revealed.items():
        shown = [each.revealed for each in cold if each.file == f"{package}/{module}.py" and each.revealed]
        assert [_short(each) for each in shown] == types, runs["cold"].output
    lines = [(Path(each.file).stem, each.line) for each in cold if each.severity == "error"]
    assert lines == [(module, line) for module, found in program.errors.items() for line in found]
    for mode, messages in said.items():
        assert sorted(map(str, messages)) == sorted(map(str, cold)), mode


def _package(name: str) -> str:
    return name.replace(" ", "_").lower()


def _inside(package: str, text: str) -> str:
    """The text of a module whose neighbours are modules of a package."""
    names = "|".join({module for program in PROGRAMS.values() for module in program.modules})
    text = re.sub(rf"^from ({names}) ", rf"from {package}.\1 ", text, flags=re.MULTILINE)
    return re.sub(rf"^import ({names})$", rf"from {package} import \1", text, flags=re.MULTILINE)


@pytest.mark.parametrize("is_daemon", [False, True])
def test_a_value_of_any_in_another_module(is_daemon: bool, tmp_path: Path, plugin_cache: Path) -> None:
    """Whether stock mypy infers Any for the value of a variable, when its type is the same."""
    known, of_any = "jnp.ones(3)", "jnp.float32(1) + jnp.ones(3)"
    base = "import jax.numpy as jnp\nfirst = jnp.ones(3)\nrow = {}\n"
    write(tmp_path, {"again.py": "from base import row as row\n"})
    main = "import jax.numpy as jnp\nfrom again import row\nother = jnp.ones(3)\n"
    write(tmp_path, {"main.py": main + "def f() -> int:\n    return row\nnumber: int = row\n"})
    found = []
    with daemon_checks(tmp_path, "main.py") as of_daemon:
        for number, text in enumerate([known, of_any, known, of_any]):
            (tmp_path / "base.py").write_text(base.format(text))
            os.utime(tmp_path / "base.py", (1_700_000_000 + 2 * number,) * 2)
            run = of_daemon() if is_daemon else run_mypy(tmp_path, "main.py", cache=plugin_cache)
            found.append([each.line for each in run.errors()])
    assert found == [[5, 6], [], [5, 6], []]


def test_two_modules_that_fill_each_others_lists(tmp_path: Path) -> None:
    """In an import cycle each pass of the daemon must leave the types as it found them."""
    text = """\
import numpy as np
import numpy.typing as npt
from {1} import {1}_box
{0}_box = [np.ones(3, np.{2})]
def f(x: npt.NDArray[np.int8]) -> None:
    {1}_box.append(x)
"""
    write(
        tmp_path,
        {"left.py": text.format("left", "right", "float32"), "right.py": text.format("right", "left", "int16")},
    )
    with daemon_checks(tmp_path, "left.py", "right.py") as check:
        first = check()
        touch(tmp_path / "left.py", 2)
        assert check().lines() == first.lines() == []


def test_the_daemon_reports_an_error_in_a_function_that_it_checks_twice(tmp_path: Path) -> None:
    """It drops the first report before it checks again, so the second one repeats nothing."""
    gain = "import numpy as np\ndef gain() -> np.float32:\n    raise NotImplementedError\n"
    use = "import numpy as np\nfrom gain import gain\ndef use() -> np.float32:\n    return gain()\n"
    write(tmp_path, {"gain.py": gain, "use.py": use})
    with daemon_checks(tmp_path, "gain.py", "use.py") as check:
        assert check().errors() == []
        write(tmp_path, {"gain.py": gain.replace("float32", "float64")})
        touch(tmp_path / "gain.py", 2)
        assert [(each.file, each.line) for each in check().errors()] == [("use.py", 4)]


def test_the_daemon_knows_the_variables_of_a_function_that_it_checks_alone(tmp_path: Path, plugin_cache: Path) -> None:
    """Before the first call in the function, mypy calls no hook."""
    models = "import numpy as np\nclass Model:\n    def __init__(self) -> None:\n        self.items = [np.ones(3)]\n"
    use = """\
import numpy as np
import numpy.typing as npt
from models import Model
from tools import fill
def first(model: Model, x: list[npt.NDArray[np.float32]]) -> None:
    held = [x]
    reveal_type(held)
    fill(held)
    reveal_type(held)
    model.items = x
def second(model: Model) -> None:
    fill(model.items)
"""
    tools = "def fill(arrays):  # type: ignore[no-untyped-def]\n    arrays[0] = None\n"
    write(tmp_path, {"tools.py": tools, "models.py": models, "use.py": use})
    files = ("tools.py", "models.py", "use.py")
    with daemon_checks(tmp_path, *files) as check:
        check()
        write(tmp_path, {"models.py": f"{models}        self.other = 1\n"})
        touch(tmp_path / "models.py", 2)
        found = check()
    cold = run_mypy(tmp_path, *files, cache=plugin_cache)
    assert found.lines() == cold.lines()
    unknown = "list[list[ndarray[tuple[Any, ...], dtype[Any]]]]"
    assert [_short(each) for each in cold.revealed().values()] == [unknown] * 2


def test_the_daemon_checks_a_file_and_then_a_function_of_it(tmp_path: Path) -> None:
    """Both modules were edited: it checks use.py as a whole, and `first` once more for the edit of the other module."""
    models = "import numpy as np\nclass Model:\n    shift = np.ones(3, np.float32)\n"
    use = """\
import numpy as np
import numpy.typing as npt
from models import Model
def first(model: Model, x: npt.NDArray[np.uint8]) -> None:
    model.shift = x
    y = x
"""
    write(tmp_path, {"models.py": models, "use.py": use})
    with daemon_checks(tmp_path, "models.py", "use.py") as check:
        assert check().errors() == []
        write(tmp_path, {"models.py": models.replace("float32", "int16")})
        touch(tmp_path / "models.py", 2)
        touch(tmp_path / "use.py", 2)
        assert check().errors() == []


FIELDS: Final = {
    "helper.py": """\
from jax import Array
from third import Inner
class Outer:
    inner: Inner
def pick(outer: Outer, x: Array) -> Array:
    return x
""",
    "main.py": """\
import jax
from helper import Outer, pick
def f(outer: Outer, x: jax.Array) -> None:
    reveal_type(jax.jit(pick)(outer, x))
""",
}
THIRD: Final = """\
from jax import Array
from jaxtyping import Float32
class Inner:
    x: {}
"""
WITHOUT, WITH = THIRD.format("Array"), THIRD.format('Float32[Array, "n"]')
ADDED: Final = WITHOUT + '    y: Float32[Array, "n"]\n'


@pytest.mark.parametrize("is_daemon", [False, True])
def test_a_field_two_imports_away(is_daemon: bool, tmp_path: Path, plugin_cache: Path) -> None:
    """Whether `jax.jit` keeps a signature depends on the fields of a class that main.py does not name."""
    write(tmp_path, FIELDS)
    found = []
    with daemon_checks(tmp_path, "main.py") as of_daemon:
        for number, text in enumerate([WITHOUT, WITH, WITHOUT, ADDED, WITHOUT]):
            (tmp_path / "third.py").write_text(text)
            os.utime(tmp_path / "third.py", (1_700_000_000 + 2 * number,) * 2)
            run = of_daemon() if is_daemon else run_mypy(tmp_path, "main.py", cache=plugin_cache)
            found.append(run.revealed()[4])
    assert found == ["Any", "Array[Any]", "Any", "Array[Any]", "Any"]


def test_codes_in_an_override_reach_the_daemon(tmp_path: Path) -> None:
    """Under `[mypy]` itself a code of a plugin makes mypy's daemon crash: docs/diagnostics.md."""
    program = "import numpy as np\nx = np.ones(3, np.uint8) / 255\n"
    write(tmp_path, {"main.py": program})
    with daemon_checks(tmp_path, "main.py", settings="[mypy-main]\nenable_error_code = promo-widening\n") as check:
        assert [error.code for error in check().errors()] == ["promo-widening"]
        touch(tmp_path / "main.py", 2)
        assert [error.code for error in check().errors()] == ["promo-widening"]


def _short(typ: str | None) -> str:
    return (typ or "").replace("numpy._typing._nbit_base.", "").replace("numpy.", "")
