"""`promo-mypy lattice check`, and own systems by name in the other commands."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.cli.names import complete_system
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system, unregister_systems
from tests.cli.test_commands import typed, words_of
from tests.mypy_runs import ROOT

MINE = '[tool.promo-mypy.systems.mine]\nextends = "jax"\nrefuse = ["float16 + bfloat16"]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    unregister_systems()
    return tmp_path


def check(here: Path, text: str, file: str = "pyproject.toml", options: str = "") -> tuple[int, str, str]:
    (here / file).write_text(text)
    return typed(f"promo-mypy lattice check {file} {options}".strip())


def content(here: Path, text: str, file: str = "mine.toml") -> dict[str, Any]:
    """The only system of the JSON report."""
    _, out, err = check(here, text, file, "--format json")
    assert err == ""
    (system,) = json.loads(out)["systems"]
    assert isinstance(system, dict)
    return system


def test_a_lattice_that_changes_two_pairs(here: Path) -> None:
    status, out, err = check(here, MINE)
    assert (status, err) == (0, "")
    assert out.startswith("pyproject.toml:1: mine is a lattice\n")
    said = words_of(out)
    # jax leaves 264 of the 528 pairs of its 33 nodes undefined.
    assert "33 nodes, 528 pairs: 263 with one least upper bound, 265 rejected here or in jax" in said
    assert "promotion over 18 dtypes (324 pairs, 5832 triples) is not associative" in said
    assert "bfloat16 float16 promote + - * / // % ** @ divmod() float32 rejected" in said
    assert "bfloat16 float16 == != < <= > >= bool rejected" in said
    # promote, + - * / // % ** @ divmod() and six comparisons, in both orders
    assert "32 cells differ from jax:" in said


def test_every_differing_cell_is_in_the_json_and_each_is_a_difference(here: Path) -> None:
    found = content(here, 'extends = "jax"\nadd = ["int4 -> int8"]\nfloors = ["float beside int32 -> float64"]\n')
    assert (found["name"], found["file"], found["line"], found["base"], found["extends"]) == (
        "mine", "mine.toml", 1, "jax", True,
    )  # fmt: skip
    assert found["is_lattice"]
    assert found["faults"] == []
    typed("promo-mypy table mine --config mine.toml")  # registers it
    jax, mine = get_system("jax"), get_system("mine")
    cells = set()
    for difference in found["differences"]:
        for operation in difference["operations"]:
            operands = tuple(Operand.of(name) for name in difference["operands"])
            answers = [system.verdict(operation, operands) for system in (jax, mine)]
            names = [None if isinstance(answer, str) else answer.name for answer in answers]
            assert names == [difference["before"], difference["after"]]
            cells.add((operation, *difference["operands"]))
    assert ("add", "int4", "int8") in cells
    assert ("add", "int32", "py_float") in cells
    assert ("mul", "float64*", "int32") in cells
    assert {cell[1:] for cell in cells if "int4" not in cell} == {
        pair for weak in ("py_float", "float64*") for pair in (("int32", weak), (weak, "int32"))
    }


def test_without_changes_nothing_differs(here: Path) -> None:
    status, out, _ = check(here, 'extends = "jax"\n', "mine.toml")
    assert status == 0
    assert "every cell is as in jax" in out
    assert "promotion is commutative and associative over 18 dtypes" in words_of(out)


def test_missing_and_new_dtypes(here: Path) -> None:
    text = 'extends = "paddle"\ndtypes = ["int32 uint32 float32"]\nadd = ["uint32 int32 -> float32"]\n'
    found = content(here, text)
    assert {"bool", "int64", "float64", "complex64"} <= set(found["left_out"])
    assert found["brought_in"] == ["uint32"]
    assert {"int64", "bool"}.isdisjoint(name for each in found["differences"] for name in each["operands"])
    said = words_of(check(here, text, "mine.toml")[1])
    assert "without bool, uint8, int8, int16, int64, bfloat16, float16, float64, complex64, complex128" in said
    assert "new: uint32" in said


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("fork", ["uint8 and int8 have no common upper bound: nothing stands above both"]),
        (
            "crossing",
            [
                "uint8 and int8 have 2 competing upper bounds, none of them least: bfloat16, float16",
                "bfloat16 and float16 have no common upper bound: nothing stands above both",
            ],
        ),
        ("circle", ["cycle: int64 -> f* -> bfloat16 -> float32 -> int64 (line 4)"]),
    ],
)
def test_a_broken_lattice_exits_with_1_and_the_counter_example(name: str, sentences: list[str], here: Path) -> None:
    file = Path(__file__).parents[1] / "rules" / "lattices" / f"{name}.toml"
    status, out, err = check(here, file.read_text(), f"{name}.toml")
    assert (status, err) == (1, "")
    said = words_of(out)
    assert said.startswith(f"{name}.toml:1: {name} is not a lattice")
    assert all(sentence in said for sentence in sentences)
    found = content(here, file.read_text(), f"{name}.toml")
    assert not found["is_lattice"]
    assert found["laws"] is None
    assert len(found["faults"]) == len(sentences)


def test_all_systems_of_a_file_or_one(here: Path) -> None:
    text = MINE + '[tool.promo-mypy.systems.bad]\nadd = ["bool -> int8 uint8"]\n'
    status, out, _ = check(here, text)
    assert status == 1
    assert "pyproject.toml:1: mine is a lattice" in out
    assert "pyproject.toml:4: bad is not a lattice" in out
    status, out, _ = check(here, text, options="--system mine")
    assert status == 0
    assert "bad" not in out


def test_a_system_that_extends_a_broken_lattice(here: Path) -> None:
    status, out, err = check(
        here, '[systems.worse]\nextends = "bad"\n[systems.bad]\nadd = ["bool -> int8 uint8"]\n', "promo-mypy.toml"
    )
    assert (status, out) == (1, "")
    place = "promo-mypy: error: promo-mypy.toml:3: systems.bad"
    assert err.startswith(f"{place}: bad is not a lattice: int8 and uint8 have")


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        (
            '[systems.mine]\nextends = "jax"\nadd = ["int8 -> itn16"]',
            "promo-mypy.toml",
            'promo-mypy.toml:3: systems.mine.add[1]: no dtype is called "itn16", did you mean "int16"?',
        ),
        ('extends = "jax"\nad = []', "mine.toml", 'mine.toml:2: ad: no such key, did you mean "add"?'),
        ("extends = ", "mine.toml", "mine.toml: is not valid TOML: Invalid value (at end of document)"),
        (
            '[tool.promo-mypy]\nsystem = "jax"',
            "pyproject.toml",
            "pyproject.toml has no systems: write [tool.promo-mypy.systems.mine]",
        ),
        ("", "pyproject.toml", "pyproject.toml has no systems"),
        ('system = "jax"', "promo-mypy.toml", "promo-mypy.toml has no systems"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_exits_with_2(text: str, file: str, message: str, here: Path) -> None:
    status, out, err = check(here, text, file)
    assert (status, out) == (2, "")
    assert err.startswith(f"promo-mypy: error: {message}")
    assert len(err.splitlines()) == 1


def test_a_missing_file_and_a_missing_system(here: Path) -> None:
    assert typed("promo-mypy lattice check nowhere.toml") == (
        2, "", "promo-mypy: error: nowhere.toml cannot be read: No such file or directory\n",
    )  # fmt: skip
    status, _, err = check(here, MINE, options="--system mien")
    assert status == 2
    assert "no system is called 'mien'; did you mean mine?" in words_of(err)


@pytest.mark.parametrize("width", ["60", "100"])
def test_no_line_is_wider_than_the_terminal(width: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    _, out, _ = check(here, 'extends = "option-0"\nadd = ["int64 -> f*"]\nrefuse = ["uint64 + f*"]\n', "mine.toml")
    assert len(out.splitlines()) > 20
    assert max(map(len, out.splitlines())) <= int(width)


def test_every_key_of_the_json_is_documented(here: Path) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    documented = re.findall(
        r"^\| `([\w.\[\]]+)`", page.split("## The JSON of a lattice check")[1].split("\n## ")[0], re.MULTILINE
    )

    def keys(value: object, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield f"{path}.{key}".lstrip(".")
                yield from keys(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for inner in value:
                yield from keys(inner, f"{path}[]")

    text = MINE + '[tool.promo-mypy.systems.bad]\nadd = ["bool -> int8 uint8"]\n'
    found = json.loads(check(here, text, options="--format json")[1])
    assert set(keys(found, "")) == set(documented)
    assert len(set(documented)) == len(documented)


# -- the other commands -----------------------------------------------------------------------------------------------


def test_other_commands_know_the_systems_of_the_folder(here: Path) -> None:
    (here / "pyproject.toml").write_text(MINE)
    status, out, _ = typed("promo-mypy explain float16 bfloat16 --system mine --system jax")
    assert status == 0
    assert "mine" in out
    assert typed("promo-mypy table mine --versus jax")[0] == 0
    assert typed("promo-mypy lattice show mine")[0] == 0
    assert complete_system("mi") == ["mine"]
    assert set(complete_system("")) == {*SYSTEM_NAMES, "mine"}


def test_config_names_another_file(here: Path) -> None:
    (here / "pyproject.toml").write_text(MINE)
    (here / "half.toml").write_text('extends = "jax"\ndtypes = ["int8", "float16"]\n')
    for line in ("explain int8 float16 --system half", "table half", "lattice show half"):
        status, out, err = typed(f"promo-mypy {line} --config half.toml")
        assert (status, err) == (0, ""), err
        assert "half" in out
    status, _, err = typed("promo-mypy table mine --config half.toml")
    assert status == 2
    assert "no promotion system is called 'mine'" in words_of(err)


def test_an_invalid_file_in_the_folder_affects_only_own_systems(here: Path) -> None:
    (here / "pyproject.toml").write_text(MINE.replace("refuse", "refuses"))
    assert typed("promo-mypy table jax")[0] == 0
    status, _, err = typed("promo-mypy table mine")
    assert status == 2
    assert err.startswith("promo-mypy: error: pyproject.toml:3: tool.promo-mypy.systems.mine.refuses: no such key")
    assert complete_system("jax-s") == ["jax-strict"]
    assert typed("promo-mypy table jax --config nowhere.toml")[0] == 2
    (here / "empty.toml").write_text("[tool.promo-mypy]\n")
    assert typed("promo-mypy table jax --config empty.toml")[2].startswith(
        "promo-mypy: error: empty.toml has no systems"
    )
