"""What the README says is so: commands, output, tables, annotations."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.config import ALLOWED_VALUES, LISTS, Config, Options
from promo_mypy.plugin.libraries import LIBRARIES
from promo_mypy.rules.lattices.files import KEYS
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, PARENT
from tests.mypy_runs import ROOT, override, run_mypy

README = (ROOT / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMPY = re.compile(r"numpy\.ndarray\[.*, numpy\.dtype\[numpy\.(\w+)(?:\[.*_(\d+)Bit\])?\]\]")

INSTALL_AND_DEMO = "python -m pip install . && mypy examples/quickstart\n"
INSTALL_AND_TEST = 'python -m pip install ".[test]" && pytest\n'


def _section(title: str) -> str:
    (text,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return str(text)


def _blocks(text: str, language: str) -> list[str]:
    return [block for name, block in _BLOCK.findall(text) if name == language]


def _table(title: str) -> list[list[str]]:
    rows = [line.strip("|").split("|") for line in _section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_the_quick_start_begins_with_the_two_commands() -> None:
    assert [block for _, block in _BLOCK.findall(_section("Quick start"))][:2] == [INSTALL_AND_DEMO, INSTALL_AND_TEST]


@pytest.mark.packaging
def test_the_first_command_works_in_a_fresh_environment(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.split(b"\0")
    for name in filter(None, map(bytes.decode, files)):
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            (checkout / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    activate = tmp_path / "venv" / "bin" / "activate"
    script = f"unset PYTHONPATH MYPYPATH; source {shlex.quote(str(activate))}; {INSTALL_AND_DEMO}"
    done = subprocess.run(["bash", "-c", script], cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Revealed type is") == 4
    assert done.stdout.endswith("Success: no issues found in 1 source file\n")


def test_the_output_shown_is_in_the_report() -> None:
    (shown,) = _blocks(_section("What it finds"), "text")
    report = (ROOT / "examples" / "mistakes" / "report.txt").read_text(encoding="utf-8").splitlines()
    assert shown.splitlines()
    assert set(shown.splitlines()) <= set(report)


def test_the_first_example_has_the_error_shown(tmp_path: Path, plugin_cache: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("jaxtyping")
    beginning = README.partition("\n## ")[0]
    (source,), (shown,) = _blocks(beginning, "python"), _blocks(beginning, "text")
    (tmp_path / "first.py").write_text(source)
    run = run_mypy(tmp_path, "first.py", cache=plugin_cache)
    assert [f"{error.severity}: {error.text}  [{error.code}]\n" for error in run.errors()] == [shown]


@pytest.mark.parametrize(("plugin", "dtype"), [(True, "float32"), (False, "float64")])
def test_what_numpys_stubs_say(plugin: bool, dtype: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    (expression,) = re.findall(r"`(.*?)` is a float32 array, and they say float64", README)
    header = "import numpy as np\nimport numpy.typing as npt\nimage: npt.NDArray[np.uint8]\n"
    (tmp_path / "stubs.py").write_text(f"{header}reveal_type({expression})\n")
    run = run_mypy(tmp_path, "stubs.py", cache=plugin_cache if plugin else stock_cache, plugin=plugin)
    assert _plain(run.revealed()[4]) == dtype
    import numpy as np

    assert eval(expression, {"image": np.zeros(2, np.uint8), "np": np}).dtype == np.float32


def test_annotations_are_read_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    for library in ("jax", "jaxtyping", "torch"):
        pytest.importorskip(library)
    _assert_as_commented("How to annotate", 6, tmp_path, plugin_cache)


def test_functions_are_followed_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    for library in ("jax", "jaxtyping", "torch"):
        pytest.importorskip(library)
    (source,) = _blocks(_section("What it finds"), "python")
    _assert_as_commented("What it finds", 7, tmp_path, plugin_cache)
    # The same calls, executed.
    import jax.numpy as jnp
    import numpy as np
    import torch

    functions: dict[str, Any] = {}
    exec(source, functions)
    arrays = {"x": jnp.ones(2, "float32"), "k": jnp.ones(2, "int32"), "a": np.ones(2, "int16"), "t": torch.ones(2)}
    calls = re.findall(r"reveal_type\((.*)\)  #", source)
    found = [str(eval(call, {**functions, **arrays}).dtype).removeprefix("torch.") for call in calls]
    assert found == list(dict(_comments(source)).values())


def test_annotations_of_further_libraries_are_read_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    for module in ("dask", "jaxtyping", "tensorflow-stubs"):
        if find_spec(module) is None:
            pytest.skip(f"needs {module}")
    _assert_as_commented("Libraries", 4, tmp_path, plugin_cache)


def _assert_as_commented(section: str, least: int, folder: Path, cache: Path) -> None:
    (source,) = _blocks(_section(section), "python")
    (folder / "annotated.py").write_text(source)
    run = run_mypy(folder, "annotated.py", cache=cache)
    assert run.errors() == [], run.output
    said = dict(_comments(source))
    assert len(said) >= least
    assert {line: _plain(revealed) for line, revealed in run.revealed().items()} == said


def test_every_library_is_in_the_table() -> None:
    rows = _table("Libraries")
    assert len(rows) == len(LIBRARIES)
    shown = {system for row in rows for system in re.findall(r"`([\w-]+)`", row[2])}
    assert shown - {"system"} >= {row.library.value if row.library.value != "jax" else "jax-x32" for row in LIBRARIES}


def test_promotions_are_worked_out_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("jaxtyping")
    (source,) = _blocks(_section("Functions for any dtype"), "python")
    (tmp_path / "promoted.py").write_text(source)
    run = run_mypy(tmp_path, "promoted.py", cache=plugin_cache)
    assert run.errors() == [], run.output
    said = dict(_comments(source))
    assert len(said) >= 5
    assert {line: _plain(revealed) for line, revealed in run.revealed().items()} == said
    # The same calls, executed.
    import jax.numpy as jnp
    import numpy as np

    functions: dict[str, Any] = {}
    exec(source, functions)
    arrays = {"single": jnp.ones(2, "float32"), "brain": jnp.ones(2, "bfloat16"), "index": jnp.ones(2, "int32")}
    arguments = {**functions, **arrays, "f": np.ones(2, "float32"), "i": np.ones(2, "int32")}
    calls = re.findall(r"reveal_type\((.*)\)  #", source)
    assert [str(eval(call, arguments).dtype) for call in calls] == list(said.values())


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), start=1):
        if "reveal_type(" in line:
            yield number, line.split("# ")[1].split(":")[0]


def _plain(revealed: str) -> str:
    """A revealed array type in the words of the README: the dtypes alone."""
    numpy = _NUMPY.fullmatch(revealed)
    if numpy is not None:
        kinds = {"floating": "float", "signedinteger": "int", "unsignedinteger": "uint"}
        return kinds.get(numpy[1], numpy[1]) + (numpy[2] or "")
    return re.sub(r"^(?:Array|Tensor|ndarray)\[(.*)\]$", r"\1", revealed)


def test_every_diagnostic_is_in_the_table() -> None:
    assert f"All codes stand under `{PARENT}`" in _section("Diagnostics")
    assert all(row.enabled for row in DIAGNOSTICS if row.option)
    rows = [
        [f"`{row.code}`", f"with `{row.option}`" if row.option else "on" if row.enabled else "off", row.meaning]
        for row in DIAGNOSTICS
    ]
    assert _table("Diagnostics") == rows


def test_every_option_is_in_the_table() -> None:
    defaults = asdict(Options())
    rows = {}
    for option, allowed in ALLOWED_VALUES.items():
        ordered = sorted(allowed, key=lambda value: value != defaults[option])
        rows[f"`{option}`"] = ", ".join(f"`{json.dumps(value)}`" for value in ordered)
    rows["`system`"] += ", or [your own](#your-own-lattice)"
    for option, row in LISTS.items():
        assert defaults[option] == ()
        rows[f"`{option}`"] = f"`[]`, or a list of {row.what}"
    assert {row[0]: row[1] for row in _table("Options")} == rows


def test_the_options_shown_are_read(tmp_path: Path) -> None:
    (shown,) = _blocks(_section("Options"), "toml")
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
    section = _section("Your own lattice")
    (shown,) = _blocks(section, "toml")
    (tmp_path / "pyproject.toml").write_text(shown)
    (tmp_path / "lattices").mkdir()
    (tmp_path / "lattices" / "exact.toml").write_text((ROOT / "examples/own_lattice/exact.toml").read_text())
    config = Config.load(str(tmp_path / "pyproject.toml"))
    assert config.options.system == "mine"
    assert {system.name for system in config.systems} == {"exact", "mine"}
    explained = [name.strip("` ") for row in _table("Your own lattice") for name in row[0].split(",")]
    assert sorted(explained) == sorted(KEYS)
    assert set(tomllib.loads(shown)["tool"]["promo-mypy"]["systems"]["mine"]) <= set(KEYS)


POLICIES = """\
import numpy as np
import numpy.typing as npt
from readme_rates import scale
def f(i: npt.NDArray[np.int32], a: npt.NDArray[np.float32]) -> None:
    {expression}
"""


def test_the_policies_shown_report_what_is_shown(tmp_path: Path, plugin_cache: Path) -> None:
    section = _section("Portability and policy")
    (options,), (shown,) = _blocks(section, "toml"), _blocks(section, "text")
    (tmp_path / "readme_rates.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\nscale: npt.NDArray[np.float64] = np.ones(3)\n"
    )
    overrides = ""
    # One option in each module: an operation is reported once.
    for option, expression in zip(options.splitlines()[1:], ("i * a", "a * scale"), strict=True):
        module = f"readme_{option.split()[0]}"
        (tmp_path / f"{module}.py").write_text(POLICIES.format(expression=expression))
        overrides += override(module, option)
    files = ["readme_portable_to.py", "readme_forbid.py"]
    run = run_mypy(tmp_path, *files, cache=plugin_cache, options=overrides)
    reported = {f"{error.severity}: {error.text}  [{error.code}]" for error in run.errors()}
    assert reported == set(shown.splitlines()), run.output


def test_the_plugin_is_configured_as_shown() -> None:
    (shown,) = _blocks(_section("Quick start"), "toml")
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (plugin,) = tomllib.loads(shown)["tool"]["mypy"]["plugins"]
    assert plugin in ours["tool"]["mypy"]["plugins"]


def test_the_hook_shown_exists() -> None:
    (shown,) = _blocks(_section("pre-commit"), "yaml")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (used,) = re.findall(r"- id: (.*)", shown)
    assert re.findall(r"- id: (.*)", hooks) == [used]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"rev: v{version}\n" in shown


def test_versions_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {}
    optional = [
        extras["jax"][0],
        *(one for name in ("torch", "dask", "array-api", "tensorflow") for one in extras[name]),
    ]
    for requirement in [*project["dependencies"], *optional]:
        name, bounds = re.fullmatch(r"([\w-]+)(?:\[[\w,]+\])?(.*)", requirement.replace(" ", "")).groups()  # type: ignore[union-attr] # ours
        wanted[name] = bounds
    wanted["python"] = project["requires-python"]
    rows = {row[0].lower().replace("pytorch", "torch"): row for row in _table("Supported versions")}
    shown = {name: re.sub(r"optional| ", "", row[1]).lstrip(",").split(",") for name, row in rows.items()}
    assert {name: sorted(bounds) for name, bounds in shown.items()} == {
        name: sorted(bounds.split(",")) for name, bounds in wanted.items()
    }
    # The changelog names the same versions, without the last number.
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name, _, tested in _table("Supported versions")[1:]:
        assert f"{name} {tested.rpartition('.')[0]}" in changelog


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
