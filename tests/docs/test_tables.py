"""The tables and configurations of the pages are those of the code."""

import json
import re
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from promo_mypy.config import ALLOWED_VALUES, LISTS, Config, Options
from promo_mypy.config.options import FILES
from promo_mypy.plugin.libraries import LIBRARIES
from promo_mypy.rules import dtypes
from promo_mypy.rules.lattices.files import KEYS
from promo_mypy.rules.lattices.laws import laws
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, PARENT
from tests.docs.pages import blocks, page, table
from tests.mypy_runs import ROOT, override, run_mypy


def test_every_library_is_in_the_table() -> None:
    rows = table(page("docs/libraries.md").partition("\n## ")[0])
    assert len(rows) == len(LIBRARIES)
    shown = {system for row in rows for system in re.findall(r"`([\w-]+)`", row[2])}
    assert shown - {"system"} >= {row.library.value if row.library.value != "jax" else "jax-x32" for row in LIBRARIES}


def test_every_diagnostic_is_in_the_table() -> None:
    text = page("docs/diagnostics.md")
    assert f"All codes stand under `{PARENT}`" in text
    assert all(row.enabled for row in DIAGNOSTICS if row.option)
    rows = [
        [f"`{row.code}`", f"with `{row.option}`" if row.option else "on" if row.enabled else "off", row.meaning]
        for row in DIAGNOSTICS
    ]
    assert table(text) == rows


def test_every_option_is_in_the_table() -> None:
    defaults = asdict(Options())
    rows = {}
    for option, allowed in ALLOWED_VALUES.items():
        ordered = sorted(allowed, key=lambda value: value != defaults[option])
        rows[f"`{option}`"] = ", ".join(f"`{json.dumps(value)}`" for value in ordered)
    rows["`system`"] += ", or [your own](own-lattice.md)"
    for option, row in LISTS.items():
        assert defaults[option] == ()
        rows[f"`{option}`"] = f"`[]`, or a list of {row.what}"
    rows |= {f"`{option}`": "The path of a file, relative to this one" for option in FILES}
    assert {row[0]: row[1] for row in table(page("docs/options.md"))} == rows


def test_the_options_shown_are_read(tmp_path: Path) -> None:
    shown, *_ = blocks(page("docs/options.md"), "toml")
    file = tmp_path / "pyproject.toml"
    file.write_text(shown)
    config = Config.load(str(file))
    assert config.options == Options(jax_enable_x64=True)
    assert config.for_module("legacy.old").jax_numpy_dtype_promotion == "strict"
    # The same keys in a file of our own.
    file.unlink()
    (tmp_path / "promo-mypy.toml").write_text(
        shown.replace("[tool.promo-mypy]\n", "").replace("[[tool.promo-mypy.", "[[")
    )
    assert Config.load(str(file)).fingerprint() == config.fingerprint()


def test_the_own_lattice_shown_is_one(tmp_path: Path) -> None:
    text = page("docs/own-lattice.md")
    (shown,) = blocks(text, "toml")
    (tmp_path / "pyproject.toml").write_text(shown)
    (tmp_path / "lattices").mkdir()
    (tmp_path / "lattices" / "exact.toml").write_text((ROOT / "examples/own_lattice/exact.toml").read_text())
    config = Config.load(str(tmp_path / "pyproject.toml"))
    assert config.options.system == "mine"
    assert {system.name for system in config.systems} == {"exact", "mine"}
    explained = [name.strip("` ") for row in table(text) for name in row[0].split(",")]
    assert sorted(explained) == sorted(KEYS)
    assert set(tomllib.loads(shown)["tool"]["promo-mypy"]["systems"]["mine"]) <= set(KEYS)


POLICIES = """\
import numpy as np
import numpy.typing as npt
from policy_rates import scale
def f(i: npt.NDArray[np.int32], a: npt.NDArray[np.float32]) -> None:
    {expression}
"""


@pytest.mark.slow
def test_the_policies_shown_report_what_is_shown(tmp_path: Path, plugin_cache: Path) -> None:
    text = page("docs/portability.md")
    (options,), (shown,) = blocks(text, "toml"), blocks(text, "text")
    (tmp_path / "policy_rates.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\nscale: npt.NDArray[np.float64] = np.ones(3)\n"
    )
    overrides = ""
    # One option in each module: an operation is reported once.
    for option, expression in zip(options.splitlines()[1:], ("i * a", "a * scale"), strict=True):
        module = f"policy_{option.split()[0]}"
        (tmp_path / f"{module}.py").write_text(POLICIES.format(expression=expression))
        overrides += override(module, option)
    files = ["policy_portable_to.py", "policy_forbid.py"]
    run = run_mypy(tmp_path, *files, cache=plugin_cache, options=overrides)
    reported = {f"{error.severity}: {error.text}  [{error.code}]" for error in run.errors()}
    assert reported == set(shown.splitlines()), run.output


def test_the_choices_of_the_libraries_are_those_of_the_rules() -> None:
    text = page("docs/why-a-lattice.md")
    names = next(line for line in text.splitlines() if line.startswith("| |")).strip("| ").split(" | ")
    rows = table(text)
    assert len(rows) > 5
    for operation, *results in rows:
        left, right = (_operand(name) for name in operation.split(" + "))
        found = [_shown(get_system(name).resolve("add", left, right)) for name in names]
        assert found == results, operation


def _operand(name: str) -> Operand:
    return Operand({"a Python float": dtypes.py_float}.get(name) or dtypes.DTYPES[name])


def _shown(result: Result) -> str:
    if isinstance(result, Refusal):
        return "rejected"
    return f"weak {result.name.rstrip('*')}" if result.weak else result.name


def test_the_counted_triples_are_those_of_the_rules() -> None:
    text = page("docs/why-a-lattice.md")
    ((triples, differ),) = re.findall(r"Of the ([\d,]+) ordered triples .*?, (\d+) depend", text)
    # The dtypes of the standard, and float16.
    names = [name for name in dtypes.DTYPES if get_system("array-api").has(dtypes.DTYPES[name])]
    ordinary = [Operand(dtypes.DTYPES[name]) for name in ["float16", *names] if not dtypes.DTYPES[name].weak]
    found = laws(get_system("numpy"), "add", ordinary)
    assert (found.triples, found.differ, found.one_side_refused) == (int(triples.replace(",", "")), int(differ), 0)
    assert laws(get_system("jax"), "add", ordinary).associative


def test_the_program_about_grouping_prints_its_comment(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks(page("docs/why-a-lattice.md"), "python")
    exec(program, {})
    assert capsys.readouterr().out.strip() == program.rpartition("# ")[2].strip()
