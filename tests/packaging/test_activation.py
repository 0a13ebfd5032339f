"""A configuration with the plugin switched on means the same to mypy as the user's own; mypy's reader decides."""

from pathlib import Path

import pytest
from mypy.config_parser import parse_config_file
from mypy.options import Options

from promo_mypy.config import Config
from promo_mypy.plugin.process.activation import PLUGIN, activated

TOML = """
[tool.other]
plugins = ["not.ours"]
[tool.mypy]
python_version = "3.12"
strict_equality = true
mypy_path = "$MYPY_CONFIG_FILE_DIR/stubs"
exclude = ['^build/', 'weird"quote\\d', "ünïcode 🎉"]
verbosity = 2
[[tool.mypy.overrides]]
module = ["a.*", "b"]
ignore_errors = true
disable_error_code = ["attr-defined"]
"""
PROMO = '[tool.promo-mypy]\nsystem = "numpy"\n'
INI = """
[metadata]
name = x
[mypy]
python_version = 3.12
strict_equality = True
mypy_path = $MYPY_CONFIG_FILE_DIR/stubs
exclude = (?x)(
    ^build/ |
    100% )
plugins = other.plugin, local.py
[mypy-a.*,b]
ignore_errors = True
"""
FILES = {"pyproject.toml": TOML, "strict.toml": TOML, "mypy.ini": INI, ".mypy.ini": INI, "setup.cfg": INI}


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty project as working folder; `.git` ends mypy's search for a configuration above it."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPY_CONFIG_FILE_DIR", "set by mypy's reader: restored after the test")
    monkeypatch.setattr("mypy.defaults.USER_CONFIG_FILES", [])


def read(config_file: str | None) -> Options:
    options = Options()
    parse_config_file(options, lambda: None, config_file)
    return options


@pytest.mark.parametrize("name", FILES)
def test_the_copy_differs_only_in_the_plugins(name: str) -> None:
    Path(name).write_text(FILES[name], encoding="utf-8")
    with Path(name if name.endswith(".toml") else "pyproject.toml").open("a") as ours:
        ours.write(PROMO)
    given = name if name == "strict.toml" else None
    own = read(given)
    assert own.config_file == name, "mypy reads the file of this test"
    with activated(given) as copy:
        assert Path(copy).parent.resolve() == Path.cwd()
        active = read(copy)
        assert Config.load(copy) == Config.load(name) != Config()
    assert active.plugins == [PLUGIN, *own.plugins]
    assert active.snapshot() == own.snapshot() | {"plugins": active.plugins, "config_file": copy}
    assert active.per_module_options == own.per_module_options
    assert own.per_module_options.keys() == {"a.*", "b"}
    assert not Path(copy).exists()


def test_our_options_beside_the_file_are_still_found() -> None:
    Path("strict.toml").write_text(TOML, encoding="utf-8")
    Path("pyproject.toml").write_text(PROMO)
    with activated("strict.toml") as copy:
        assert Config.load(copy) == Config.load("pyproject.toml") != Config()


@pytest.mark.parametrize("listed", [PLUGIN, f"{PLUGIN}:plugin"])
def test_a_file_that_lists_the_plugin_is_used_as_it_is(listed: str) -> None:
    Path("mypy.ini").write_text(f"[mypy]\nplugins = other, {listed}\n")
    with activated() as config:
        assert config == "mypy.ini"
    assert Path("mypy.ini").exists()


@pytest.mark.parametrize("config_file", [None, ""])
def test_without_a_file_there_is_only_the_plugin(config_file: str | None) -> None:
    if config_file == "":
        Path("mypy.ini").write_text("[mypy]\nstrict_equality = True\n")
    with activated(config_file) as copy:
        assert read(copy).snapshot() == Options().snapshot() | {"plugins": [PLUGIN], "config_file": copy}
        assert Path(copy).parent.resolve() == Path.cwd(), "beside the pyproject.toml that may hold our options"


def test_a_file_that_mypy_cannot_read_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text("[tool.mypy\n")
    with activated() as copy:
        assert read(copy).plugins == [PLUGIN]
    assert capsys.readouterr().err.startswith("pyproject.toml: Expected")


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="there is no nowhere"), activated("nowhere.ini"):
        pass


def test_the_copy_is_removed_after_a_failure() -> None:
    with pytest.raises(KeyboardInterrupt), activated() as copy:
        raise KeyboardInterrupt
    assert not Path(copy).exists()
