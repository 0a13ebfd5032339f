"""`[tool.promo-mypy.systems]`: own systems among the options, their faults, and the cache key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from promo_mypy.config import Config, ConfigError, Options
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system, root_of, system_names, unregister_systems
from tests.mypy_runs import environment

MINE = '[tool.promo-mypy.systems.mine]\nextends = "jax"\nrefuse = ["float16 + bfloat16"]\n'


@pytest.fixture(autouse=True)
def _only_built_in_systems() -> object:
    unregister_systems()
    yield
    unregister_systems()


def load(folder: Path, text: str, file: str = "pyproject.toml") -> Config:
    (folder / file).write_text(text)
    return Config.load(str(folder / "pyproject.toml"))


def fault(folder: Path, text: str, file: str = "pyproject.toml") -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text, file)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(folder / file))
    return message.removeprefix(str(folder / file))


def test_an_own_system_can_be_chosen_like_a_built_in_one(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        '[tool.promo-mypy]\nsystem = "mine"\nportable_to = ["numpy", "mine"]\n'
        f'[[tool.promo-mypy.overrides]]\nmodule = "a"\nsystem = "torch"\nportable_to = ["mine"]\n{MINE}',
    )
    assert (config.options.system, config.options.portable_to) == ("mine", ("numpy", "mine"))
    assert (config.for_module("a").system, config.for_module("a").portable_to) == ("torch", ("mine",))
    assert system_names() == SYSTEM_NAMES
    config.register_systems()
    assert system_names() == (*SYSTEM_NAMES, "mine")
    refused = get_system("mine").resolve("add", Operand.of("float16"), Operand.of("bfloat16"))
    assert isinstance(refused, Refusal)


def test_registering_drops_the_systems_of_another_configuration(tmp_path: Path) -> None:
    load(tmp_path, MINE).register_systems()
    Config().register_systems()
    assert system_names() == SYSTEM_NAMES


def test_they_may_stand_in_promo_mypy_toml_and_in_files_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "lattices").mkdir()
    (tmp_path / "lattices" / "half.toml").write_text('extends = "jax"\n')
    config = load(tmp_path, 'system = "mine"\n[systems]\nmine = "lattices/half.toml"\n', "promo-mypy.toml")
    assert [system.name for system in config.systems] == ["mine"]
    assert config.options.system == "mine"


def test_a_relative_file_is_found_from_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half.toml").write_text('extends = "jax"\n')
    load(tmp_path, '[tool.promo-mypy.systems]\nmine = "half.toml"\n')
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert [system.name for system in Config.load("../pyproject.toml").systems] == ["mine"]


def test_the_default_dtype_of_torch_reaches_a_system_that_extends_it(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        '[tool.promo-mypy]\ntorch_default_dtype = "float64"\n[tool.promo-mypy.systems.mine]\nextends = "torch"\n',
    )
    config.register_systems()
    result = get_system("mine").resolve("truediv", Operand.of("int32"), Operand.of("int32"))
    assert not isinstance(result, Refusal)
    assert result.name == "float64"


@pytest.mark.parametrize(("base", "x64"), [("jax", True), ("jax-x32", False), ("option-1", True), ("numpy", False)])
def test_a_system_has_the_x64_setting_of_its_base(tmp_path: Path, base: str, x64: bool) -> None:
    key = "operators" if base == "numpy" else "extends"
    edges = 'add = ["int32 -> float32"]\n' if base == "numpy" else ""
    config = load(
        tmp_path,
        f'[tool.promo-mypy]\nsystem = "upper"\n[tool.promo-mypy.systems]\nupper.extends = "mine"\n'
        f'[tool.promo-mypy.systems.mine]\n{key} = "{base}"\n{edges}',
    )
    config.register_systems()
    assert config.options.jax_x64 is x64
    assert root_of("upper") == ("jax" if base == "option-1" else base)


@pytest.mark.parametrize("option", ['system = "mien"', 'portable_to = ["mien"]'])
def test_an_unknown_name_lists_own_systems_too(tmp_path: Path, option: str) -> None:
    message = fault(tmp_path, f"[tool.promo-mypy]\n{option}\n{MINE}")
    assert '"mien" is not allowed, did you mean "mine"?' in message
    assert message.endswith('"option-3", "mine"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MINE + 'add = ["int8 -> itn16"]\n', ":4: tool.promo-mypy.systems.mine.add[1]: no dtype is called"),
        (MINE.replace("refuse", "refuses"), ":3: tool.promo-mypy.systems.mine.refuses: no such key"),
        (
            MINE + 'add = [\n"int8 -> float16",\n"float16 -> int8",\n]\n',
            ":6: tool.promo-mypy.systems.mine.add[2]: mine is not a lattice: cycle: ",
        ),
        (
            '[tool.promo-mypy.systems.mine]\nadd = ["bool -> int8 uint8"]\n',
            ":1: tool.promo-mypy.systems.mine: mine is not a lattice: int8 and uint8 have no common upper bound",
        ),
        (
            '[tool.promo-mypy]\nsystems = ["mine"]\n',
            ":2: tool.promo-mypy.systems: expected a table of promotion systems",
        ),
        (
            '\n[[tool.promo-mypy.overrides]]\nmodule = "a"\nsystems = {}\n',
            ": tool.promo-mypy.overrides[1].systems: no such option",
        ),
    ],
)
def test_a_fault_is_one_line_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    assert fault(tmp_path, text).startswith(message)


def test_a_fault_in_promo_mypy_toml_names_it(tmp_path: Path) -> None:
    message = fault(tmp_path, 'system = "jax"\n[systems.mine]\nextends = 1\n', "promo-mypy.toml")
    assert message.startswith(":3: systems.mine.extends: no promotion system is called 1")


CHANGES = [
    MINE,
    MINE.replace('"jax"', '"jax-x32"'),
    MINE.replace("bfloat16", "float32"),
    MINE + 'add = ["int4 -> int8"]\n',
    MINE + 'dtypes = ["float16 bfloat16 float32"]\n',
    MINE + 'floors = ["float beside int32 -> float64"]\n',
    MINE + 'floors = ["float beside int32 -> refused"]\n',
    MINE + 'floors = ["float beside int32 -> itself"]\n',
    '[tool.promo-mypy]\ntorch_default_dtype = "float64"\n' + MINE,
]


def test_the_fingerprint_differs_for_any_two_lattices(tmp_path: Path) -> None:
    configs = [load(tmp_path, text) for text in CHANGES]
    assert len({json.dumps(config.fingerprint(), sort_keys=True) for config in configs}) == len(CHANGES)
    used = [json.dumps(config.systems_of(Options(system="mine"))) for config in configs]
    assert len(set(used)) == len(CHANGES)
    assert load(tmp_path, MINE).fingerprint() == configs[0].fingerprint()


def test_a_module_depends_on_the_systems_that_its_options_name(tmp_path: Path) -> None:
    text = (
        MINE + '[tool.promo-mypy.systems.upper]\nextends = "mine"\n[tool.promo-mypy.systems.other]\nextends = "torch"\n'
    )
    config = load(tmp_path, text)
    assert config.systems_of(Options()) == config.systems_of(Options(system="torch")) == []

    def named(options: Options) -> list[object]:
        return [each[0] for each in config.systems_of(options)[1:] if isinstance(each, list)]

    assert named(Options(system="mine")) == ["mine"]
    assert named(Options(system="upper")) == ["mine", "upper"]
    assert named(Options(portable_to=("other",))) == ["other"]


def test_own_systems_are_imported_only_if_there_are_any(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.promo-mypy]\nsystem = "jax"\n')
    code = "import sys; from promo_mypy.config import Config; Config.load('pyproject.toml').register_systems(); "
    command = [sys.executable, "-c", code + "print(*sys.modules)"]
    run = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)
    assert not {
        "promo_mypy.rules.lattices.own_systems",
        "promo_mypy.rules.lattices.lattice",
        "promo_mypy.rules.dtypes",
    } & set(run.stdout.split())
