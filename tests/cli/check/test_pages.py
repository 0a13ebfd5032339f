"""What the page about the linter shows is true: its options, its settings for CI, its exit status."""

import re
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # jsonschema has no types
import pytest
import yaml  # type: ignore[import-untyped]  # PyYAML has no types
from typer.main import get_command

from promo_mypy.cli.app import COMMANDS, app_of
from promo_mypy.cli.check.running import INTERRUPTED
from promo_mypy.cli.check.settings import Format
from promo_mypy.config import Config
from promo_mypy.config.check_options import CheckOptions
from tests.docs.pages import blocks, page, section, table
from tests.mypy_runs import ROOT
from tests.packaging.schemas import validate

PAGE = page("docs/check.md")
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def flags() -> set[str]:
    """The flags of the command."""
    command: Any = get_command(app_of(COMMANDS))
    options = command.commands["check"].params
    return {flag for each in options for flag in (*each.opts, *each.secondary_opts) if flag.startswith("--")}


def test_every_option_is_in_the_table() -> None:
    rows = table(section(PAGE, "Options"))
    assert [row[0].strip("`") for row in rows] == [each.name for each in fields(CheckOptions)]


def test_every_option_has_a_flag_or_is_an_argument() -> None:
    no_flags = {"--paths", "--per-file-ignores"}  # they are arguments, and patterns with codes
    options = {f"--{each.name.replace('_', '-')}" for each in fields(CheckOptions)} - no_flags
    assert options <= flags()


def test_the_options_shown_are_read(tmp_path: Path) -> None:
    accepted, shown = blocks(PAGE, "toml")
    (tmp_path / "pyproject.toml").write_text(accepted)
    config = Config.load(str(tmp_path / "pyproject.toml"))
    assert config.check.per_file_ignores == (("tests/**", ("promo-widening",)), ("**/legacy_*.py", ("promo",)))
    assert config.codes_for_module("pkg.kernels.a")["ignore"] == ("promo-precision",)
    (tmp_path / "pyproject.toml").write_text(shown)
    options = Config.load(str(tmp_path / "pyproject.toml")).check
    assert options.select == ("promo-mismatch", "promo-undefined", "promo-widening")
    assert {each.name for each in fields(options) if getattr(options, each.name) != each.default} == set(
        tomllib.loads(shown)["tool"]["promo-mypy"]["check"]
    )


def test_every_flag_is_on_the_page() -> None:
    assert {flag for flag in flags() if f"`{flag}" not in PAGE and f" {flag}" not in PAGE} <= {
        "--config-file",
        "--help",
    }


def test_every_flag_on_the_page_exists() -> None:
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - {"--python-executable"} <= flags()


def test_every_format_and_status_is_on_the_page() -> None:
    assert all(f"`{form}`" in section(PAGE, "Formats") for form in Format)
    statuses = [row[0] for row in table(section(PAGE, "Exit status"))]
    assert statuses == ["0", "1", "2", str(INTERRUPTED)]


# Settings for CI.


def example(wanted: str) -> Any:
    """The only example on the page with a key."""
    # To YAML 1.1 the key `on` is a truth value.
    examples = [yaml.safe_load(text.replace("\non: [", "\n'on': [")) for text in blocks(PAGE, "yaml")]
    (found,) = [each for each in examples if wanted in each]
    return found


def arguments_of(command: str) -> list[str]:
    """The words of a command of ours."""
    words = shlex.split(command)
    assert words[:2] == ["promo-mypy", "check"]
    return words[2:]


def test_the_workflow_of_github_is_valid() -> None:
    """`tests/packaging/test_ci_recipes.py` executes it."""
    workflow = example("jobs")
    validate(workflow, "github-workflows.json")
    # The revision must be there to compare with.
    (checkout,) = [step for step in workflow["jobs"]["check"]["steps"] if "checkout" in step.get("uses", "")]
    assert checkout["with"]["fetch-depth"] == 0


def test_an_invalid_workflow_is_found() -> None:
    workflow = example("jobs")
    workflow["jobs"]["check"]["steps"][0]["usess"] = "x"
    with pytest.raises(jsonschema.ValidationError):
        validate(workflow, "github-workflows.json")


def test_every_input_of_the_action_is_in_the_table() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    rows = [row[0].strip("`") for row in table(section(PAGE, "In your repository"))]
    assert rows == [*action["inputs"]]


def test_the_pipeline_of_gitlab_is_valid() -> None:
    pipeline = example("dtypes")
    validate(pipeline, "gitlab-ci.json")
    words = arguments_of(pipeline["dtypes"]["script"][-1])
    assert {word for word in words if word.startswith("--")} <= flags()
    assert words[words.index("--output") + 1] == pipeline["dtypes"]["artifacts"]["reports"]["codequality"]


def test_the_hook_shown_exists_and_takes_its_arguments() -> None:
    (repository,) = example("repos")["repos"]
    (hook,) = repository["hooks"]
    known = {each["id"]: each for each in HOOKS}
    assert known[hook["id"]]["entry"] == "promo-mypy check"
    assert {argument.partition("=")[0] for argument in hook["args"]} <= flags()
    assert all(f"`{other}`" in section(PAGE, "In your repository") for other in known.keys() - {hook["id"]})


def test_the_earlier_name_of_a_hook_is_the_same_hook() -> None:
    hooks = {each["id"]: each for each in HOOKS}
    assert hooks["promo-mypy-mypy"] == hooks["mypy-with-promo-mypy"] | {"id": "promo-mypy-mypy"}
