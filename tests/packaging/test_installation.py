"""Every recipe of the page about installation installs a command that works."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import blocks, page, section, table
from tests.docs.release import RELEASED
from tests.mypy_runs import ROOT
from tests.needed import needs_program
from tests.packaging.shells import Shell

PAGE: Final = page("docs/installation.md")
VERSION: Final = tomllib.loads(page("pyproject.toml"))["project"]["version"]
#: Section -> its blocks of commands.
RECIPES: Final = {
    title: found
    for title in re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    if (found := blocks(section(PAGE, title), "bash"))
}

needs_network = pytest.mark.packaging


def local(text: str, checkout: Path) -> str:
    """A recipe with the address of a checkout. Before a release no name may be looked for on the package index."""
    if not RELEASED:
        names = re.findall(r'(?<![\w/-])"?promo-mypy(?:\[[\w,]+\])?"?(?= |$)(?! @ git)', text, re.MULTILINE)
        assert all("--no-index" in text for _ in names), f"not released: {text}"
    # With a host: the pip of Python 3.11 takes no address without one.
    return text.replace("ADDRESS", f"file://localhost{checkout}")


def works(shell: Shell, folder: Path) -> None:
    """The command says its version outside the checkout."""
    assert shell.run("promo-mypy --version", folder).startswith(f"promo-mypy {VERSION} ")


def test_every_recipe_is_executed_below() -> None:
    assert [*RECIPES] == ["In an environment", "As a program", "From a wheel", "Offline"]
    assert [len(found) for found in RECIPES.values()] == [2, 2, 1, 2]


@needs_network
def test_pip_installs_from_the_address_and_from_a_checkout(shell: Shell, checkout: Path, tmp_path: Path) -> None:
    for recipe in RECIPES["In an environment"]:
        shell.run(local(recipe, checkout), checkout)
        works(shell, tmp_path)
        image_works(shell, tmp_path)
        # Messages of the command name this one. promo-mypy itself is not looked for.
        shell.run('python -m pip install --no-index "promo-mypy[fix]"', tmp_path)
        shell.run("python -m pip uninstall --yes promo-mypy", tmp_path)


def image_works(shell: Shell, folder: Path) -> None:
    """The command of the image checks its folder. Its only step is the first recipe, and no Docker is needed."""
    (dockerfile,) = blocks(PAGE, "dockerfile")
    instructions = [line.partition(" ")[::2] for line in dockerfile.splitlines()]
    assert [name for name, _ in instructions] == ["FROM", "RUN", "WORKDIR", "ENTRYPOINT", "CMD"]
    values = dict(instructions)
    assert f"{values['RUN']}\n" == RECIPES["In an environment"][0]
    assert f":{values['WORKDIR']}" in section(PAGE, "With Docker")
    (folder / "good.py").write_text("x = 1\n")
    command = [*json.loads(values["ENTRYPOINT"]), *json.loads(values["CMD"])]
    assert "1 file" in shell.run(shlex.join(command), folder)


@needs_network
def test_a_wheel_is_built_and_installed(shell: Shell, checkout: Path, tmp_path: Path) -> None:
    (recipe,) = RECIPES["From a wheel"]
    shell.run(local(recipe, checkout), checkout)
    works(shell, tmp_path)


@needs_network
def test_wheels_are_collected_and_installed_offline(shell: Shell, checkout: Path, tmp_path: Path) -> None:
    collect, install = (local(recipe, checkout) for recipe in RECIPES["Offline"])
    # The packages that the shell reads from elsewhere are not collected; those would be megabytes.
    shell.run(collect.replace("pip wheel", "pip wheel --no-deps"), tmp_path)
    assert [each.name.split("-")[:2] for each in (tmp_path / "wheels").iterdir()] == [["promo_mypy", VERSION]]
    # Nor is what the shell reads from elsewhere taken for installed.
    install = install.replace("pip install", "pip install --no-deps --ignore-installed")
    shell.run(install, tmp_path, PIP_INDEX_URL="https://none.invalid")
    works(shell, tmp_path)


@needs_network
def test_uv_makes_a_program(shell: Shell, checkout: Path, tmp_path: Path) -> None:
    uv = Path(needs_program("uv")).parent
    recipe, _ = (local(text, checkout) for text in RECIPES["As a program"])
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    shell.beside(uv).run(recipe, tmp_path, **places)
    works(shell.beside(tmp_path / "bin"), tmp_path)
    assert "can run" in shell.beside(tmp_path / "bin").run("promo-mypy lsp --check", tmp_path)


@needs_network
def test_pipx_makes_a_program(shell: Shell, checkout: Path, tmp_path: Path) -> None:
    pipx = Path(needs_program("pipx")).parent
    _, recipe = (local(text, checkout) for text in RECIPES["As a program"])
    places = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    shell.beside(pipx).run(recipe, tmp_path, **places)
    works(shell.beside(tmp_path / "bin"), tmp_path)


def test_the_messages_name_an_extra_as_the_page_does() -> None:
    assert f"`{_message('fix')}`" in section(PAGE, "Extras")
    sources = [file.read_text(encoding="utf-8") for file in (ROOT / "promo_mypy" / "cli").rglob("*.py")]
    assert any(_message("fix") in source for source in sources)
    assert any(_message("lsp") in source for source in sources)


def _message(extra: str) -> str:
    return f'python -m pip install "promo-mypy[{extra}]"'


def test_every_extra_for_users_is_in_the_table() -> None:
    rows = [name.strip("` ") for row in table(section(PAGE, "Extras")) for name in row[0].split(",")]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert sorted(rows) == sorted(extras.keys() - {"test", "docs", "dev"})
