"""mypy under a promotion system of the user: the answers of the rules in every mode, and one line for each fault."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from promo_mypy.config import Config
from promo_mypy.rules.dtypes import Shaped
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.systems import get_system, unregister_systems
from tests.examples.agreement import dtype_named
from tests.mypy_runs import Run, override, run_dmypy, run_mypy
from tests.needed import needs
from tests.plugin.annotations.miniature import write_libraries

needs("jax", "torch")

LATTICE = """
extends = "jax"
dtypes = ["bool uint8 int8 int16 int32 int64", "float16 float32 float64"]
remove = ["int64 -> f*"]
add = ["i* -> f*", "int16 -> float16", "int32 -> float32", "int64 -> float64"]
refuse = ["uint8 + int8"]
floors = ["float beside int32 -> float64"]
"""
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
OPERATORS = {"add": "+", "truediv": "/", "pow": "**", "and": "&", "lt": "<"}
NUMBERS = {"py_int": "2", "py_float": "2.5"}

HEADER = """\
from typing import Annotated
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import torch
"""
SPELLED: Mapping[str, Callable[[str], str]] = {
    "numpy": lambda name: f"npt.NDArray[np.{'bool_' if name == 'bool' else name}]",
    "jax": lambda name: f"Annotated[jax.Array, jnp.{'bool_' if name == 'bool' else name}]",
    "torch": lambda name: f"Annotated[torch.Tensor, torch.{name}]",
}


def options(lattice: str) -> str:
    """The lattice, and its system for one module: an override keeps the libraries in mypy's cache valid."""
    return f"[tool.promo-mypy.systems.mine]\n{lattice}\n" + override("own_program", 'system = "mine"')


@pytest.fixture(autouse=True)
def _only_built_in_systems() -> Iterator[None]:
    unregister_systems()
    yield
    unregister_systems()


def cells() -> list[tuple[str, str, str, str]]:
    """Library, operation, left and right operand of every line."""
    pairs = [*product(DTYPES, DTYPES), *product(DTYPES, NUMBERS), *product(NUMBERS, DTYPES)]
    return [(library, operation, *pair) for library in SPELLED for operation in OPERATORS for pair in pairs]


def program(rows: list[tuple[str, str, str, str]]) -> str:
    lines = [HEADER]
    for library, spelled in SPELLED.items():
        parameters = ", ".join(f"{library}_{name}: {spelled(name)}" for name in DTYPES)
        lines.append(f"def {library}({parameters}) -> None:")
        for place, operation, left, right in rows:
            if place == library:
                operands = [NUMBERS.get(name, f"{library}_{name}") for name in (left, right)]
                lines.append(f"    reveal_type({operands[0]} {OPERATORS[operation]} {operands[1]})")
    return "\n".join(lines) + "\n"


def shown_as(dtype: type[Shaped], library: str) -> str:
    """The class name of a result; NumPy has no weak arrays."""
    return (dtype.strong if library == "numpy" else dtype).__name__.removesuffix("_")


def test_mypy_infers_what_the_rules_say(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "own_program.py").write_text(program(cells()))
    run = run_mypy(tmp_path, "own_program.py", cache=plugin_cache, options=options(LATTICE))
    Config.load(str(tmp_path / "pyproject.toml")).register_systems()
    mine, compared = get_system("mine"), 0
    assert len(run.revealed()) == len(cells())
    refused = {message.line for message in run.messages if message.code == "promo-undefined"}
    for (library, operation, left, right), (line, shown) in zip(cells(), run.revealed().items(), strict=True):
        # Unknown if it depends on the rank.
        forms = (Form.ARRAY, Form.ZERO_D) if operation in mine.rank_operations else (Form.ARRAY,)
        answers = [mine.resolve(operation, Operand.of(left, form), Operand.of(right, form)) for form in forms]
        results = {answer if isinstance(answer, Refusal) else shown_as(answer, library) for answer in answers}
        expected = results.pop()
        where = f"{library}: {left} {OPERATORS[operation]} {right}"
        if results:
            assert dtype_named(shown) is None, where
        elif isinstance(expected, Refusal):
            assert line in refused, where
        else:
            assert line not in refused, where
            assert dtype_named(shown) == expected, where
            compared += 1
    assert compared > 1000
    assert len(refused) > 100


# Without PyTorch: mypy's daemon crashes in its second run over a program that imports it, also without the plugin.
PROGRAM = """\
from typing import Annotated
import jax
import jax.numpy as jnp
def f(a: Annotated[jax.Array, jnp.int32]) -> None:
    reveal_type(a * 2.5)
"""
BEFORE = 'extends = "jax"\nfloors = ["float beside int32 -> float64"]'
AFTER = BEFORE.replace("float64", "float32")


def test_a_change_of_the_lattice_is_seen_on_a_warm_cache_and_in_workers(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "own_program.py").write_text(PROGRAM)
    (tmp_path / "own_file.toml").write_text(BEFORE)
    shown: list[str | None] = []
    for flags, lattice in (((), BEFORE), ((), AFTER), (("-n", "2"), BEFORE), (("-n", "2"), AFTER)):
        run = run_mypy(tmp_path, "own_program.py", *flags, cache=plugin_cache, options=options(lattice))
        shown += run.revealed().values()
    assert shown == ["Array[float64]", "Array[float32]"] * 2
    # Also in a file of its own: pyproject.toml stays the same.
    in_file = options("").replace("[tool.promo-mypy.systems.mine]", '[tool.promo-mypy.systems]\nmine = "own_file.toml"')
    shown = []
    for lattice in (BEFORE, AFTER):
        (tmp_path / "own_file.toml").write_text(lattice)
        shown += run_mypy(tmp_path, "own_program.py", cache=plugin_cache, options=in_file).revealed().values()
    assert shown == ["Array[float64]", "Array[float32]"]


def test_the_daemon_restarts_when_the_lattice_changes(tmp_path: Path) -> None:
    write_libraries(tmp_path)
    (tmp_path / "own_program.py").write_text(PROGRAM)

    def check(lattice: str) -> Run:
        tables = '[tool.mypy]\nplugins = ["promo_mypy.plugin"]\n[tool.promo-mypy]\n'
        (tmp_path / "pyproject.toml").write_text(tables + options(lattice))
        return run_dmypy(tmp_path, "run", "--", "--no-color-output", "own_program.py")

    try:
        first = check(BEFORE)
        assert list(first.revealed().values()) == ["Array[float64]"], first.output
        assert "Restarting" not in check(BEFORE).output
        changed = check(AFTER)
        assert "Restarting: plugins changed" in changed.output
        assert list(changed.revealed().values()) == ["Array[float32]"]
        assert "Restarting" not in check(AFTER).output
        faulty = check(BEFORE.replace("float64", "flaot64"))
        assert 'no dtype is called "flaot64"' in faulty.output
        assert "Traceback" not in faulty.output
        assert list(check(BEFORE).revealed().values()) == ["Array[float64]"]
    finally:
        run_dmypy(tmp_path, "kill")


@pytest.mark.parametrize(
    ("lattice", "message"),
    [
        (
            'add = ["bool -> int8 uint8"]',
            "pyproject.toml:7: tool.promo-mypy.systems.mine: mine is not a lattice: int8 and",
        ),
        ('extends = "jax"\nad = []', "pyproject.toml:9: tool.promo-mypy.systems.mine.ad: no such key"),
        (
            'extends = "jax"\nadd = ["float32 -> int8"]',
            "pyproject.toml:9: tool.promo-mypy.systems.mine.add[1]: mine is not a lattice: cycle: int8 -> ",
        ),
    ],
)
def test_an_invalid_lattice_is_a_one_line_error(lattice: str, message: str, tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "own_program.py").write_text("x = 1\n")
    run = run_mypy(tmp_path, "own_program.py", cache=plugin_cache, options=options(lattice))
    assert run.status == 2
    (line,) = run.output.strip().splitlines()
    assert line.startswith(message)


def test_64_bit_dtypes_follow_the_base_system(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "own_program.py").write_text(
        HEADER + "def f(a: Annotated[jax.Array, jnp.int32]) -> None:\n    reveal_type(a.astype(jnp.int64))\n"
    )
    shown: list[str | None] = []
    for base in ("jax", "jax-x32"):
        run = run_mypy(tmp_path, "own_program.py", cache=plugin_cache, options=options(f'extends = "{base}"'))
        shown += run.revealed().values()
    assert shown == ["Array[int64]", "Array[int32]"]
