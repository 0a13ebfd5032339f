"""Every pair of dtypes of a loop's carry and its body's result, and of two branches, executed by JAX."""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from promo_mypy.rules import dtypes as dt
from tests.mypy_runs import Run, override, run_mypy
from tests.needed import needs

needs("jax")

NARROW = ("bool", "int8", "uint32", "int32", "bfloat16", "float16", "float32", "complex64")
MIXED = ("bool", "int32", "float32")
WIDE = ("int64", "float64", "complex128")
# Each transform, called with a value `x` of one dtype and a function `f` of the other.
FORMS = {
    "scan": "lax.scan(lambda c, _: (f(c), None), x, length=2)[0]",
    "while_loop": "lax.while_loop(lambda c: False, lambda c: f(c), x)",
    "fori_loop": "lax.fori_loop(0, 2, lambda i, c: f(c), x)",
    "cond": "lax.cond(True, lambda: x, lambda: f(x))",
    "switch": "lax.switch(0, [lambda: x, lambda: f(x)])",
    "promoted": "lax.scan(lambda c, _: (c + f(c), None), x, length=2)[0]",
}
HEAD = "from typing import Any\nimport jax\nfrom jax import lax\nfrom promo_mypy.rules import dtypes as dt\n"

# Measured in a process of its own: x64 is a setting of the whole process.
MEASURE = """
import sys
import jax
import jax.numpy as jnp
from jax import lax
from jax._src.lax.lax import _convert_element_type
jax.config.update("jax_enable_x64", sys.argv[1] == "True")
def make(name):
    strong = jnp.dtype(name.removeprefix("weak_").rstrip("_"))
    return _convert_element_type(jnp.ones((), "bool"), strong, weak_type=name.startswith("weak_"))
for line in sys.stdin:
    before, after, form = line.rstrip("\\n").split("\\t")
    x, f = make(before), lambda _: make(after)
    try:
        found = eval(form)
    except TypeError:
        print("refused")
        continue
    # Of a bool neither a type nor a dtype says whether it is weak.
    print(("weak_" if found.weak_type and found.dtype != bool else "") + str(found.dtype))
"""
#: Forms in which a weak array is promoted to the dtype of the result.
LOOPS = ("scan", "while_loop", "fori_loop", "promoted")


def classes(x64: bool) -> list[str]:
    """The class names for JAX's dtypes."""
    strong = [*MIXED, *WIDE] if x64 else [*NARROW]
    weak = WIDE if x64 else ("int32", "float32", "complex64")
    return ["bool_" if name == "bool" else name for name in strong] + [f"weak_{name}" for name in weak]


def cells(x64: bool) -> list[tuple[str, str, str]]:
    return [(one, other, form) for one, other in product(classes(x64), repeat=2) for form in FORMS]


def program(x64: bool) -> Iterator[str]:
    for name in classes(x64):
        yield f'def to_{name}(x: Any) -> "jax.Array[dt.{name}]": ...\n'
    for number, (before, after, form) in enumerate(cells(x64)):
        yield f'def case_{number}(x: "jax.Array[dt.{before}]", f: Any = None) -> None:\n'
        yield f"    reveal_type({FORMS[form].replace('f(', f'to_{after}(')})\n"


@pytest.fixture(scope="module", params=[False, True], ids=["x32", "x64"])
def x64(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def run(x64: bool, tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("carries")
    (folder / "carries.py").write_text(HEAD + "".join(program(x64)))
    options = override("carries", f"jax_enable_x64 = {str(x64).lower()}")
    return run_mypy(
        folder, "carries.py", cache=plugin_cache, settings='disable_error_code = ["empty-body"]', options=options
    )


def measured(x64: bool) -> list[str]:
    questions = "".join(
        # JAX may accept a weak bool where it rejects a strong one, and mypy cannot tell them apart.
        f"{'weak_bool' if before == 'bool_' and form in LOOPS else before}\t{after}\t{FORMS[form]}\n"
        for before, after, form in cells(x64)
    )
    command = [sys.executable, "-c", MEASURE, str(x64)]
    return subprocess.run(command, input=questions, capture_output=True, text=True, check=True).stdout.split()


def test_every_pair(x64: bool, run: Run) -> None:
    first = HEAD.count("\n") + len(classes(x64)) + 2
    revealed = run.revealed()
    errors = {error.line: error.code for error in run.errors()}
    wrong = {}
    for number, (cell, result) in enumerate(zip(cells(x64), measured(x64), strict=True)):
        line = first + 2 * number
        found = re.search(r"Array\[(\w+)\]", revealed[line])
        said = "refused" if errors.get(line) == "promo-carry" else found[1].rstrip("_") if found else "unknown"
        if said != result:
            wrong[cell] = (result, said)
    assert wrong == {}
    assert set(errors.values()) == {"promo-carry"}


def test_classes_are_those_of_jax() -> None:
    assert all(issubclass(getattr(dt, name), dt.Shaped) for x64 in (False, True) for name in classes(x64))
