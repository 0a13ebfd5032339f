"""The example with an own lattice: it is a lattice, mypy follows it, and JAX agrees on what it allows."""

import shutil
import tomllib
from itertools import product
from pathlib import Path

from promo_mypy.rules.lattices.files import read_file
from promo_mypy.rules.lattices.own_systems import register
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system, unregister_systems
from tests.examples.agreement import executed, inferred, instrumented
from tests.mypy_runs import ROOT, run_mypy
from tests.needed import needs

FOLDER = ROOT / "examples" / "own_lattice"
PROGRAM = (FOLDER / "telescope.py").read_text(encoding="utf-8")
#: The options in the docstring, without the table's name.
OPTIONS = PROGRAM.split('"""')[1].partition("[tool.promo-mypy]\n")[2].strip()


def test_the_lattice_only_rejects_the_pairs_of_its_comment() -> None:
    exact = read_file(FOLDER / "exact.toml")["exact"].checked()
    register([exact])
    ours, jax = get_system("exact"), get_system("jax-x32")
    unregister_systems()
    refused = 0
    for left, right in product(ours.dtypes, repeat=2):
        result = ours.promote(Operand(left), Operand(right))
        if isinstance(result, Refusal):
            refused += 1
            continue
        assert result is jax.promote(Operand(left), Operand(right))
        for dtype in (left, right):
            if dtype.kind in "iu" and not dtype.weak and result.kind in "fc":
                assert dtype.bits <= (result.precision or 0), (left.name, right.name)
    # Both orders of 2 x 6 pairs, 2 x 2 pairs and one.
    assert refused == 2 * (12 + 4 + 1)


def test_mypy_follows_it_and_execution_agrees(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping")
    assert set(tomllib.loads(OPTIONS)) == {"system", "systems"}
    shutil.copy(FOLDER / "exact.toml", tmp_path)
    override = '[[overrides]]\nmodule = "program"\nsystem = "exact"\n'
    # For this module only, so that the libraries stay in mypy's cache.
    general = "\n".join(line for line in OPTIONS.splitlines() if not line.startswith("system ="))
    (tmp_path / "promo-mypy.toml").write_text(f"{general}\n{override}")
    (tmp_path / "program.py").write_text(instrumented(PROGRAM))
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == [], run.output
    types, values = inferred(run), executed(tmp_path / "program.py")
    both = types.keys() & values.keys()
    assert {line: types[line] for line in both} == {line: values[line] for line in both}
    assert len(both) >= 4
    careless = PROGRAM.replace("signal.astype(jnp.float32)", "signal")
    assert careless != PROGRAM
    (tmp_path / "program.py").write_text(careless)
    (error,) = run_mypy(tmp_path, "program.py", cache=plugin_cache).errors()
    assert error.code == "promo-undefined"
    assert error.text.startswith("Unsupported dtypes in int32 / float32 under exact promotion: ")
