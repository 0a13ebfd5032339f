"""`[tool.promo-mypy]`: what is read, from where, for which module, and one error line for every mistake."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mypy.options import Options as MypyOptions

from promo_mypy.config import ALLOWED_VALUES, LISTS, Config, ConfigError, Options, Override
from promo_mypy.rules.systems import SYSTEM_NAMES

FULL = """
[tool.promo-mypy]
system = "jax"
jax_enable_x64 = true
jax_numpy_dtype_promotion = "strict"
torch_default_dtype = "bfloat16"

[[tool.promo-mypy.overrides]]
module = "pkg.*"
system = "numpy"

[[tool.promo-mypy.overrides]]
module = ["pkg.io", "other"]
jax_enable_x64 = false
"""


def load(folder: Path, table: str, file: str = "pyproject.toml") -> Config:
    (folder / file).write_text(table)
    return Config.load(str(folder / "pyproject.toml"))


def error(folder: Path, table: str, file: str = "pyproject.toml") -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, table, file)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(folder / file) + ": ")
    return message.removeprefix(str(folder / file) + ": ")


def test_defaults_are_the_libraries_own(tmp_path: Path) -> None:
    assert Config.load(None) == Config.load("") == Config.load(str(tmp_path / "mypy.ini")) == Config()
    assert Config().for_module("any.module") == Options("library", False, "standard", "float32")


def test_every_option_is_read_for_its_modules(tmp_path: Path) -> None:
    config = load(tmp_path, FULL)
    assert config.options == config.for_module("elsewhere") == Options("jax", True, "strict", "bfloat16")
    assert config.for_module("pkg") == config.for_module("pkg.sub.mod") == Options("numpy", True, "strict", "bfloat16")
    assert config.for_module("pkg.io") == Options("numpy", False, "strict", "bfloat16")
    assert config.for_module("other") == Options("jax", False, "strict", "bfloat16")
    assert config.for_module("pkgs") == config.for_module("other.sub") == config.options


def test_each_option_has_a_row_and_a_default_that_the_row_allows() -> None:
    assert [*ALLOWED_VALUES, *LISTS] == [field.name for field in fields(Options)]
    for name, allowed in ALLOWED_VALUES.items():
        assert getattr(Options(), name) in allowed
    for name in LISTS:
        assert getattr(Options(), name) == ()


@pytest.mark.parametrize("option", LISTS)
def test_a_list_accepts_each_of_its_members(tmp_path: Path, option: str) -> None:
    members = LISTS[option].members()
    assert len(members) > 4
    assert getattr(load(tmp_path, f"[tool.promo-mypy]\n{option} = {json.dumps(members)}").options, option) == members


def test_a_list_of_an_override_replaces_the_general_one(tmp_path: Path) -> None:
    override = '[[tool.promo-mypy.overrides]]\nmodule = "a"\nforbid = []\n'
    config = load(tmp_path, f'[tool.promo-mypy]\nforbid = ["float64", "int64"]\n{override}')
    assert config.for_module("b").forbid == ("float64", "int64")
    assert config.for_module("a").forbid == ()


@pytest.mark.parametrize(
    ("options", "x64"),
    [
        (Options(), False),
        (Options(jax_enable_x64=True), True),
        (Options(jax_enable_x64=True, system="jax-x32"), False),
        (Options(jax_enable_x64=True, system="numpy"), True),
        (Options(system="jax"), True),
    ],
)
def test_a_named_system_decides_about_x64(options: Options, x64: bool) -> None:
    assert options.jax_x64 is x64


@pytest.mark.parametrize("system", ["library", *SYSTEM_NAMES])
def test_every_system_can_be_chosen(tmp_path: Path, system: str) -> None:
    assert load(tmp_path, f'[tool.promo-mypy]\nsystem = "{system}"').options.system == system


# -- places of the options ---------------------------------------------------------------------------------------------

TABLE = '[tool.promo-mypy]\nsystem = "numpy"\n'


@pytest.mark.parametrize(
    "mypy_config", ["mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml", "strict.toml", "config"]
)
def test_the_pyproject_beside_any_mypy_config_is_read(tmp_path: Path, mypy_config: str) -> None:
    (tmp_path / mypy_config).touch()
    (tmp_path / "pyproject.toml").write_text(TABLE)
    assert Config.load(str(tmp_path / mypy_config)).options.system == "numpy"


@pytest.mark.parametrize("mypy_config", ["mypy.ini", "setup.cfg", "pyproject.toml"])
@pytest.mark.parametrize("pyproject", [None, "", "[tool.mypy]\nstrict = true\n", "tool = 1\n"])
def test_without_a_table_promo_mypy_toml_is_read(tmp_path: Path, mypy_config: str, pyproject: str | None) -> None:
    (tmp_path / mypy_config).touch()
    if pyproject is not None:
        (tmp_path / "pyproject.toml").write_text(pyproject)
    (tmp_path / "promo-mypy.toml").write_text('system = "numpy"\n[[overrides]]\nmodule = "a"\nsystem = "torch"\n')
    config = Config.load(str(tmp_path / mypy_config))
    assert config.options.system == "numpy"
    assert config.for_module("a").system == "torch"


def test_a_toml_config_of_mypy_precedes_the_pyproject_beside_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TABLE)
    (tmp_path / "strict.toml").write_text('[tool.promo-mypy]\nsystem = "torch"\n')
    assert Config.load(str(tmp_path / "strict.toml")).options.system == "torch"
    assert Config.load(str(tmp_path / "mypy.ini")).options.system == "numpy"


def test_a_relative_config_file_is_found_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(TABLE)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert Config.load("../setup.cfg").options.system == "numpy"
    monkeypatch.chdir(tmp_path)
    assert Config.load("setup.cfg").options.system == "numpy"


def test_options_in_two_files_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TABLE)
    message = error(tmp_path, 'system = "numpy"', "promo-mypy.toml")
    assert message == f"{tmp_path / 'pyproject.toml'} already has [tool.promo-mypy]: keep one of the two"


# -- one line for every mistake ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "jax_enable_x65 = true",
            'tool.promo-mypy.jax_enable_x65: no such option, did you mean "jax_enable_x64"?; the options are '
            "system, jax_enable_x64, jax_numpy_dtype_promotion, torch_default_dtype, untyped_functions, portable_to,"
            " forbid, parameters, overrides",
        ),
        (
            'torch_default_dtype = "bfloat61"',
            'tool.promo-mypy.torch_default_dtype: "bfloat61" is not allowed, did you mean "bfloat16"?; '
            'allowed: "float16", "bfloat16", "float32", "float64"',
        ),
        ('forbid = "float64"', 'tool.promo-mypy.forbid: expected an array of dtypes, not "float64"'),
        (
            'portable_to = ["numpy", "jax-x23"]',
            'tool.promo-mypy.portable_to: "jax-x23" is not allowed, did you mean "jax-x32"?; allowed: "numpy", "jax", ',
        ),
        ("portable_to = [true]", "tool.promo-mypy.portable_to: true is not allowed; allowed: "),
        ('forbid = ["weak_float32"]', 'tool.promo-mypy.forbid: "weak_float32" is not allowed, did you mean "float32"?'),
        ("jax_enable_x64 = 1", "tool.promo-mypy.jax_enable_x64: 1 (int) is not allowed; allowed: false, true"),
        ('jax_enable_x64 = "true"', 'tool.promo-mypy.jax_enable_x64: "true" is not allowed; allowed: false, true'),
        (
            "jax_numpy_dtype_promotion = true",
            'tool.promo-mypy.jax_numpy_dtype_promotion: true is not allowed; allowed: "standard", "strict"',
        ),
        (
            '[[tool.promo-mypy.overrides]]\nmodule = "a"\n[[tool.promo-mypy.overrides]]\nmodule = "b"\nsystem = 2.5',
            "tool.promo-mypy.overrides[2].system: 2.5 (float) is not allowed; allowed: ",
        ),
        ("[[tool.promo-mypy.overrides]]\nmodul = 'a'", "tool.promo-mypy.overrides[1].module: is missing"),
        (
            "[[tool.promo-mypy.overrides]]\nmodule = 'a'\noverrides = []",
            "tool.promo-mypy.overrides[1].overrides: no such option",
        ),
        (
            '[tool.promo-mypy.overrides]\nmodule = "a"',
            "tool.promo-mypy.overrides: expected one or more [[tool.promo-mypy.overrides]] tables, not a table",
        ),
        ("overrides = [1]", "tool.promo-mypy.overrides: expected one or more [[tool.promo-mypy.overrides]] tables"),
        (
            "[[tool.promo-mypy.overrides]]\nmodule = 1",
            "tool.promo-mypy.overrides[1].module: expected a string or a",
        ),
        (
            "[[tool.promo-mypy.overrides]]\nmodule = ['a', true]",
            "tool.promo-mypy.overrides[1].module: expected a string",
        ),
        ("[[tool.promo-mypy.overrides]]\nmodule = []", "tool.promo-mypy.overrides[1].module: the list is empty"),
        ("[[tool.promo-mypy.overrides]]\nmodule = '*'", 'tool.promo-mypy.overrides[1].module: "*" is every module'),
        ("[[tool.promo-mypy.overrides]]\nmodule = 'a.b*'", 'tool.promo-mypy.overrides[1].module: "a.b*" is not a'),
        ("[[tool.promo-mypy.overrides]]\nmodule = 'a/b.py'", 'tool.promo-mypy.overrides[1].module: "a/b.py" is not a'),
        (
            "[[tool.promo-mypy.overrides]]\nmodule = 'a'\nsystem = 'torch'\n"
            "[[tool.promo-mypy.overrides]]\nmodule = ['b', 'a']\nsystem = 'numpy'",
            'tool.promo-mypy.overrides[2].system: module "a" has another value in an earlier override',
        ),
    ],
)
def test_a_mistake_is_one_line_that_names_key_and_remedy(tmp_path: Path, table: str, message: str) -> None:
    assert error(tmp_path, "[tool.promo-mypy]\n" + table).startswith(message)


def test_an_unknown_system_lists_the_known_ones(tmp_path: Path) -> None:
    message = error(tmp_path, '[tool.promo-mypy]\nsystem = "numpie"')
    assert 'system: "numpie" is not allowed, did you mean "numpy"?' in message
    assert message.endswith('allowed: "library", ' + ", ".join(f'"{name}"' for name in SYSTEM_NAMES))


def test_a_value_in_place_of_the_table(tmp_path: Path) -> None:
    assert error(tmp_path, "[tool]\npromo-mypy = true") == "tool.promo-mypy: expected a table, not true"


def test_a_key_of_the_own_file_is_named_without_a_table(tmp_path: Path) -> None:
    assert error(tmp_path, "jax_enable_x64 = 0", "promo-mypy.toml").startswith("jax_enable_x64: 0 (int) is not allowed")
    assert error(tmp_path, "[[overrides]]", "promo-mypy.toml").startswith("overrides[1].module: is missing")


def test_broken_toml_names_line_and_column(tmp_path: Path) -> None:
    assert "(at line 2, column 10)" in error(tmp_path, "[tool.promo-mypy]\nsystem = numpy")


def test_a_binary_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.promo-mypy]\n# \xff")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: is not UTF-8: byte 20 cannot be decoded"):
        Config.load(str(tmp_path / "mypy.ini"))
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "pyproject.toml").mkdir()
    with pytest.raises(ConfigError, match=r"pyproject\.toml: cannot be read: .*directory"):
        Config.load(str(tmp_path / "mypy.ini"))


# -- per-module precedence and the cache ------------------------------------------------------------------------------

_component = st.sampled_from(["a", "b", "c"])
_module = st.lists(_component, min_size=1, max_size=4).map(".".join)
_pattern = st.lists(_component | st.just("*"), min_size=1, max_size=4).map(".".join).filter(lambda text: text != "*")


@settings(deadline=None)
@given(patterns=st.lists(_pattern, unique=True, max_size=6), module=_module)
def test_precedence_is_mypys_own(patterns: list[str], module: str) -> None:
    """mypy itself decides which of its sections wins, for an option that every section sets to another value."""
    mypy_options = MypyOptions()
    mypy_options.per_module_options = {pattern: {"platform": pattern} for pattern in patterns}
    mypy_options.platform = "none"
    config = Config(Options(system="none"), tuple(Override(pattern, (("system", pattern),)) for pattern in patterns))
    assert config.for_module(module).system == mypy_options.clone_for_module(module).platform


def test_the_options_of_a_module_are_computed_once(tmp_path: Path) -> None:
    config = load(tmp_path, FULL)
    assert config.for_module("pkg.io") is config.for_module("pkg.io")


def test_the_fingerprint_is_json_and_differs_for_any_two_configurations(tmp_path: Path) -> None:
    override = '[[tool.promo-mypy.overrides]]\nmodule = "{}"\n{}\n'
    configs = [
        Config(),
        *(
            load(tmp_path, f"[tool.promo-mypy]\n{key} = {json.dumps(value)}")
            for key, allowed in ALLOWED_VALUES.items()
            for value in allowed
            if value != getattr(Options(), key)
        ),
        *(load(tmp_path, f"[tool.promo-mypy]\n{key} = [{row.members()[0]!r}]") for key, row in LISTS.items()),
        load(tmp_path, override.format("a", "forbid = []")),
        load(tmp_path, override.format("a", "forbid = ['float64']")),
        load(tmp_path, override.format("a", "jax_enable_x64 = true")),
        load(tmp_path, override.format("b", "jax_enable_x64 = true")),
        load(tmp_path, override.format("a", "jax_enable_x64 = false")),
        load(tmp_path, override.format("a.*.b", "system = 'numpy'") + override.format("*.b", "system = 'torch'")),
        load(tmp_path, override.format("*.b", "system = 'torch'") + override.format("a.*.b", "system = 'numpy'")),
    ]
    prints = [json.dumps(config.fingerprint(), sort_keys=True) for config in configs]
    assert len(set(prints)) == len(configs)
    assert json.loads(prints[0]) == Config().fingerprint()


def test_looking_up_a_module_changes_neither_equality_nor_fingerprint(tmp_path: Path) -> None:
    used, unused = load(tmp_path, FULL), load(tmp_path, FULL)
    used.for_module("pkg.io")
    assert (used, used.fingerprint()) == (unused, unused.fingerprint())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"float32"', ("float32",)),
        ('["float32", "float64"]', ("float32", "float64")),
        ('{ torch = "float32", numpy = ["float64", "int64"] }', ("torch:float32", "numpy:float64", "numpy:int64")),
    ],
)
def test_dtypes_of_parameters_may_depend_on_the_library(value: str, expected: tuple[str, ...], tmp_path: Path) -> None:
    assert load(tmp_path, f"[tool.promo-mypy]\nparameters = {value}").options.parameters == expected


@pytest.mark.parametrize("value", ['"float23"', "1", '{ pytorch = "float32" }', '{ torch = "float23" }'])
def test_other_dtypes_of_parameters_are_mistakes(value: str, tmp_path: Path) -> None:
    assert error(tmp_path, f"[tool.promo-mypy]\nparameters = {value}").startswith("tool.promo-mypy.parameters: ")
