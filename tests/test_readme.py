"""The README is true: commands, output, annotations, versions."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.config import Config, Options
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, ONLY_CHECK
from tests.docs.commented_programs import assert_as_commented, plain
from tests.docs.pages import blocks, page, section, table
from tests.module_runs import run_module
from tests.mypy_runs import ROOT, environment, run_mypy
from tests.needed import needs

README = page("README.md")


@pytest.mark.slow
def test_the_demo_shows_what_the_readme_says(tmp_path: Path) -> None:
    """`tests.packaging.quick_start` runs the commands themselves."""
    arguments = ("examples/quickstart", "--cache-dir", str(tmp_path))
    done = run_module("mypy", *arguments, folder=ROOT, variables=environment())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "shows the dtype of four expressions" in " ".join(section(README, "Quick start").split())
    assert done.stdout.count("Revealed type is") == 4
    assert done.stdout.endswith("Success: no issues found in 1 source file\n")


def test_the_output_shown_is_in_the_report() -> None:
    (shown,) = blocks(section(README, "What it finds"), "text")
    report = (ROOT / "examples" / "mistakes" / "report.txt").read_text(encoding="utf-8").splitlines()
    assert shown.splitlines()
    assert set(shown.splitlines()) <= set(report)


@pytest.mark.slow
def test_the_first_command_prints_what_the_readme_shows(check_cache: Path) -> None:
    command = next(iter(blocks(README, "bash"))).split()
    shown = next(iter(blocks(README, "text")))
    assert command[:2] == ["promo-mypy", "check"]
    done = run_module(
        "promo_mypy.cli", *command[1:], "--cache-dir", str(check_cache), folder=ROOT, variables=environment()
    )
    assert (done.stdout, done.returncode) == (shown, 1), done.stderr


def test_the_notebook_has_the_finding_shown(check_cache: Path) -> None:
    needs("nbformat")
    shown = list(blocks(README, "text"))[1]
    folder = str(Path(shown.partition(":")[0]).parent)
    arguments = ("check", folder, "--cache-dir", str(check_cache))
    done = run_module("promo_mypy.cli", *arguments, folder=ROOT, variables=environment())
    assert done.stdout.startswith(shown), done.stderr


def test_the_mistake_of_the_first_command_is_true_and_surprising(tmp_path: Path, stock_cache: Path) -> None:
    """The array is twice as wide as declared, and stock mypy is content."""
    import numpy as np

    source = (ROOT / "examples" / "check" / "brighten.py").read_text(encoding="utf-8")
    program: dict[str, Any] = {}
    exec(source, program)
    assert program["brighten"](np.ones(3, np.float32), np.ones(3, np.int32)).dtype == np.float64
    (tmp_path / "brighten.py").write_text(source, encoding="utf-8")
    assert run_mypy(tmp_path, "brighten.py", cache=stock_cache, plugin=False).errors() == []


def test_the_first_example_has_the_error_shown(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping")
    beginning = README.partition("\n## ")[0]
    (source,), (*_, shown) = blocks(beginning, "python"), blocks(beginning, "text")
    (tmp_path / "first.py").write_text(source)
    run = run_mypy(tmp_path, "first.py", cache=plugin_cache)
    assert [f"{error.severity}: {error.text}  [{error.code}]\n" for error in run.errors()] == [shown]


@pytest.mark.parametrize(("plugin", "dtype"), [(True, "float32"), (False, "float64")])
def test_the_stated_dtypes_are_those_of_numpys_stubs(
    plugin: bool, dtype: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    (expression,) = re.findall(r"`(.*?)` is a float32 array, and they say float64", README)
    header = "import numpy as np\nimport numpy.typing as npt\nimage: npt.NDArray[np.uint8]\n"
    (tmp_path / "stubs.py").write_text(f"{header}reveal_type({expression})\n")
    run = run_mypy(tmp_path, "stubs.py", cache=plugin_cache if plugin else stock_cache, plugin=plugin)
    assert plain(run.revealed()[4]) == dtype
    import numpy as np

    assert eval(expression, {"image": np.zeros(2, np.uint8), "np": np}).dtype == np.float32


def test_annotations_are_read_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    assert_as_commented(section(README, "How to annotate"), 3, tmp_path, plugin_cache)


def test_the_plugin_is_configured_as_shown() -> None:
    (shown,) = blocks(section(README, "Quick start"), "toml")
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (plugin,) = tomllib.loads(shown)["tool"]["mypy"]["plugins"]
    assert plugin in ours["tool"]["mypy"]["plugins"]


def test_the_hook_shown_exists() -> None:
    (shown,) = blocks(section(README, "Editors and pre-commit"), "yaml")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (used,) = re.findall(r"- id: (.*)", shown)
    assert used in re.findall(r"^- id: (.*)", hooks, re.MULTILINE)
    assert "`mypy-with-promo-mypy`" in section(README, "Editors and pre-commit")


def test_the_changelog_names_the_versions_of_the_table() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name, _, tested in table(section(README, "Supported versions"))[1:]:
        oldest, *_, newest = [version.rpartition(".")[0] for version in [tested.split(", ")[0], *tested.split(", ")]]
        assert f"{name} {oldest}" + (f" to {newest}" if newest != oldest else "") in changelog


def test_the_configuration_shown_is_read(tmp_path: Path) -> None:
    (shown,) = blocks(section(README, "Configuration"), "toml")
    (tmp_path / "pyproject.toml").write_text(shown)
    config = Config.load(str(tmp_path / "pyproject.toml"))
    assert config.options == Options(jax_enable_x64=True, portable_to=("torch",), forbid=("complex128",))
    (modules,) = tomllib.loads(shown)["tool"]["mypy"]["overrides"]
    codes = modules["enable_error_code"]
    assert set(codes) == {row.code for row in DIAGNOSTICS if not row.enabled} - {"promo-nonassociative", *ONLY_CHECK}


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 220
