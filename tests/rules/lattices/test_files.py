"""`[systems.<name>]` in TOML: the effect of each key on the cells, and file, line and key of every fault."""

import tomllib
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promo_mypy.rules.dtypes import ORDINARY
from promo_mypy.rules.lattices.files import KEYS, read_file, read_table
from promo_mypy.rules.lattices.notation import NODES
from promo_mypy.rules.lattices.own_systems import NoLatticeError, OwnSystem, register
from promo_mypy.rules.lattices.system_differences import differences, operands_of
from promo_mypy.rules.lattices.toml_sources import Source, TomlError
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system, system_names, unregister_systems
from tests.slow_tests import slow_but

STARTS = [name for name in SYSTEM_NAMES if get_system(name).is_lattice]


@pytest.fixture(autouse=True)
def _only_built_in_systems() -> object:
    unregister_systems()
    yield
    unregister_systems()


def read(text: str) -> dict[str, OwnSystem]:
    """The systems of a document whose tables are systems."""
    return dict(read_table(tomllib.loads(text), Source(Path("some.toml"), text)))


def build(text: str) -> PromotionSystem:
    """The system `mine` of such a document, which is a lattice."""
    systems = read(text)
    register(systems.values())
    assert systems["mine"].checked() is systems["mine"]
    return get_system("mine")


def joined(system: PromotionSystem, *names: str, operation: str = "promote") -> str | None:
    operands = [Operand.of(name) for name in names]
    found = system.promote(*operands) if operation == "promote" else system.resolve(operation, *operands)
    return None if isinstance(found, Refusal) else found.name


# -- effects of the keys ----------------------------------------------------------------------------------------------


def test_most_systems_can_be_extended() -> None:
    assert set(SYSTEM_NAMES) - set(STARTS) == {"numpy", "numpy-legacy", "cupy", "dask"}


@pytest.mark.parametrize("base", slow_but(["jax", "torch", "array-api"], STARTS))
def test_without_changes_every_cell_is_the_bases(base: str) -> None:
    system, mine = get_system(base), build(f'[mine]\nextends = "{base}"')
    assert mine.name == "mine"
    assert mine.dtypes == system.dtypes
    assert (mine.rank_matters, mine.in_place) == (system.rank_matters, system.in_place)
    assert list(differences(system, mine, operands_of(system))) == []


def test_an_edge_that_is_added_decides_joins() -> None:
    mine = build('[mine]\nextends = "option-0"\nadd = ["int8 -> float16", "int16 -> float32", "int64 -> float64"]')
    assert joined(get_system("option-0"), "int8", "float16") is None
    assert joined(mine, "int8", "float16") == "float16"
    assert joined(mine, "int16", "float16", operation="add") == "float32"
    assert joined(mine, "int32", "float32", operation="mul") == "float64"
    assert joined(mine, "uint64", "float64") is None


def test_an_edge_that_is_removed_does_not_count() -> None:
    mine = build(
        '[mine]\nextends = "jax"\ndtypes = ["bool int8 int32 int64 float32 float64"]\nremove = ["int64 -> f*"]\n'
        'add = ["i* -> f*", "int32 -> float64"]\nrefuse = ["int64 + f* float32 float64"]'
    )
    assert joined(get_system("jax"), "int32", "float32") == "float32"
    assert joined(mine, "int32", "float32") == "float64"
    assert joined(mine, "int8", "py_float") == "float64"
    assert joined(mine, "int64", "float32") is None
    assert joined(mine, "int32", "int64") == "int64"
    assert joined(mine, "py_int", "py_float") == "float64*"


def test_rejected_pairs_do_not_promote_and_all_others_do_as_before() -> None:
    jax, mine = get_system("jax"), build('[mine]\nextends = "jax"\nrefuse = ["uint64 + int8 int16 int32 int64"]')
    found = {frozenset(d.operands) for d in differences(jax, mine, operands_of(jax)) if "promote" in d.operations}
    assert found == {frozenset({"uint64", other}) for other in ("int8", "int16", "int32", "int64")}


def test_a_rejected_pair_is_allowed_again() -> None:
    mine = build('[mine]\nextends = "torch"\nadd = ["uint16 -> int32"]\nallow = ["uint16 + int32 int64"]')
    assert joined(get_system("torch"), "uint16", "int32") is None
    assert joined(mine, "uint16", "int32", operation="add") == "int32"
    assert joined(mine, "uint16", "int64") == "int64"
    assert joined(mine, "uint16", "int8") is None


def test_floors_say_what_python_numbers_and_weak_arrays_count_as() -> None:
    mine = build(
        '[mine]\nextends = "jax"\nfloors = ["float beside int32 int64 -> float64", "float beside uint -> float32"]'
    )
    for weak in ("py_float", "float64*"):
        assert joined(mine, "int32", weak, operation="add") == "float64"
        assert joined(mine, "uint8", weak, operation="mul") == "float32"
        assert joined(mine, "int8", weak, operation="add") == "float64*"
        assert joined(mine, "float16", weak, operation="add") == "float16"


def test_a_number_that_counts_as_a_missing_dtype_is_rejected() -> None:
    mine = build('[mine]\nextends = "torch"\ndtypes = ["bool float32"]')
    assert joined(get_system("torch"), "bool", "py_int") == "int64"
    assert joined(mine, "bool", "py_int") is None
    assert joined(mine, "float32", "py_int") == "float32"
    mine = build('[mine]\nextends = "torch"\ndtypes = ["bool float32"]\nfloors = ["int beside bool -> float32"]')
    assert joined(mine, "bool", "py_int") == "float32"


def test_a_rejected_floor() -> None:
    mine = build('[mine]\nextends = "jax"\nfloors = ["float complex beside int uint -> refused"]')
    assert joined(mine, "int32", "py_float", operation="add") is None
    assert joined(mine, "int32", "py_int", operation="add") == "int32"
    assert joined(mine, "float32", "py_float", operation="add") == "float32"


def test_dtypes_keep_the_order_among_themselves() -> None:
    jax, mine = get_system("jax"), build('[mine]\nextends = "jax"\ndtypes = ["bool int32", "float16, float32 int8"]')
    assert [dtype.name for dtype in mine.dtypes] == [
        "bool",
        "int8",
        "int32",
        "float16",
        "float32",
        "int64*",
        "float64*",
    ]
    for one, other in combinations(("bool", "int8", "int32", "float16", "float32"), 2):
        assert joined(mine, one, other) == joined(jax, one, other)
    assert joined(mine, "int64", "int32") is None
    assert joined(mine, "float16", "py_int", operation="add") == "float16"
    # No complex dtype is left for the result.
    assert joined(mine, "float32", "py_complex", operation="add") is None


def test_a_result_outside_the_dtypes_is_rejected() -> None:
    mine = build('[mine]\nextends = "jax"\ndtypes = ["int32 int64"]')
    refusal = mine.resolve("truediv", Operand.of("int32"), Operand.of("int32"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "mine has no arrays of dtype float32, which is the dtype of / on int32"
    assert joined(mine, "int32", "int64", operation="eq") == "bool"


def test_a_lattice_from_scratch_has_the_operators_that_it_names() -> None:
    rows = 'add = ["bool -> i* -> int32 -> int64 -> f* -> float32 -> float64"]'
    assert joined(build(f"[mine]\n{rows}"), "int64", "int64", operation="truediv") == "float64"
    assert joined(build(f"[mine]\n{rows}"), "int32", "int32", operation="truediv") == "float32"
    mine = build(f'[mine]\noperators = "numpy"\n{rows}')
    assert joined(mine, "int32", "int32", operation="truediv") == "float64"
    assert joined(mine, "int64", "float32", operation="add") == "float32"
    assert joined(mine, "int32", "py_float", operation="iadd") is None
    assert joined(mine, "int32", "py_int", operation="iadd") == "int32"


def test_one_own_system_extends_another() -> None:
    text = (
        '[mine]\nextends = "other"\nrefuse = ["int8 + uint8"]\n'
        '[other]\nextends = "jax"\nrefuse = ["bfloat16 + float16"]\n'
    )
    assert list(read(text)) == ["other", "mine"]
    mine = build(text)
    assert joined(mine, "int8", "uint8") is None
    assert joined(mine, "bfloat16", "float16") is None
    assert joined(get_system("other"), "int8", "uint8") == "int16"
    assert system_names()[-2:] == ("other", "mine")


def test_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "lattices").mkdir()
    (tmp_path / "lattices" / "half.toml").write_text('extends = "jax"\nrefuse = ["bfloat16 + float16"]\n')
    assert list(read_file(tmp_path / "lattices" / "half.toml")) == ["half"]
    text = 'mine = "lattices/half.toml"'
    (mine,) = read_table(tomllib.loads(text), Source(tmp_path / "pyproject.toml", text)).values()
    assert (mine.name, mine.base) == ("mine", "jax")
    assert mine.lattice == read_file(tmp_path / "lattices" / "half.toml")["half"].lattice


# -- faults -----------------------------------------------------------------------------------------------------------


def check(text: str) -> None:
    for system in read(text).values():
        system.checked()


def fault(text: str) -> str:
    with pytest.raises(TomlError) as caught:
        check(text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("some.toml:")
    return message.removeprefix("some.toml:")


ALLOWED = "; allowed: bool, uint8, uint16, "


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["[mine]", 'extend = "jax"'],
            f'2: mine.extend: no such key, did you mean "extends"?; the keys are {", ".join(KEYS)}',
        ),
        (
            ["[mine]", 'extends = "jaxx"'],
            '2: mine.extends: no promotion system is called "jaxx", did you mean "jax"?; allowed: numpy, jax, ',
        ),
        (["[mine]", "extends = 1"], "2: mine.extends: no promotion system is called 1; allowed: numpy, "),
        (["", "[mine]", 'extends = "mine"'], "3: mine.extends: a system cannot be built on itself: mine extends mine"),
        (
            ["[mine]", 'extends = "b"', "[b]", 'operators = "mine"'],
            "4: b.operators: a system cannot be built on itself: mine extends b extends mine",
        ),
        (
            ["[mine]", 'extends = "cupy"'],
            "2: mine.extends: cupy is not a lattice: int8 and uint8 have 2 competing upper bounds, none of them least: "
            'int16, float16; write the edges in add, and operators = "cupy" in place of extends',
        ),
        (
            ["[mine]", 'extends = "jax"', 'operators = "jax"'],
            "3: mine.operators: the operators are those of the system that is extended: leave this out",
        ),
        (["[torch]", 'extends = "jax"'], '1: torch: "torch" is already the name of a promotion system'),
        (["[library]"], '1: library: "library" is already the name of a promotion system'),
        (['["my own"]'], '1: my own: "my own" is not a valid name for a system: use letters, digits, - and _'),
        (["mine = 1"], '1: mine: expected a table such as { extends = "jax" } or the path of a TOML file'),
        (["", 'mine = "nowhere.toml"'], "2: mine: nowhere.toml cannot be read: No such file or directory"),
        (["[mine]"], '1: mine: a lattice without nodes: write extends = "jax", or edges in add'),
        (["[mine]", 'add = "int8 -> int16"'], '2: mine.add: expected an array of strings, such as "int32 -> float32"'),
        (["[mine]", "add = [", "  2,", "]"], '3: mine.add[1]: expected a string, such as "int32 -> float32"'),
        (
            ["[mine]", 'extends = "jax"', "add = [", '  "int4 -> int8", # one', '  "int32 -> flaot32",', "]"],
            f'5: mine.add[2]: no dtype is called "flaot32", did you mean "float32"?{ALLOWED}',
        ),
        (["[mine]", "dtypes = []"], "2: mine.dtypes: the list is empty: a system needs dtypes"),
        (["[mine]", 'dtypes = ["int8", "i*"]'], "2: mine.dtypes[2]: i* is a weak node, and those stay: leave it out"),
        (
            ["[mine]", 'extends = "jax"', 'dtypes = ["int8"]', 'add = ["int8 -> int16"]'],
            "4: mine.add[1]: int16 is not among the dtypes: add it there, or leave the edge out",
        ),
        (
            ["[mine]", 'extends = "jax"', 'remove = ["int8 -> int32"]'],
            "3: mine.remove[1]: jax has no edge int8 -> int32: it follows from int8 -> int16 -> int32",
        ),
        (
            ["[mine]", 'extends = "jax"', 'remove = ["int16 -> int8"]'],
            "3: mine.remove[1]: jax has no edge int16 -> int8: from int16 its edges lead to int32",
        ),
        (
            ["[mine]", 'extends = "paddle"', 'remove = ["uint16 -> int32"]'],
            '3: mine.remove[1]: paddle has no edge uint16 -> int32: uint16 is not in it, did you mean "int16"?',
        ),
        (
            ["[mine]", 'add = ["int8 -> int16"]', 'remove = ["int8 -> int16"]'],
            "3: mine.remove[1]: the empty lattice has no edge int8 -> int16: int8 is not in it",
        ),
        (
            ["[mine]", 'extends = "paddle"', 'refuse = ["uint16 + float32"]'],
            '3: mine.refuse[1]: uint16 is not in this lattice, did you mean "int16"?',
        ),
        (
            ["[mine]", 'extends = "torch"', 'allow = ["int8 + int16"]'],
            "3: mine.allow[1]: torch does not refuse int16 + int8",
        ),
        (
            ["[mine]", 'extends = "paddle"', 'floors = ["int beside float -> uint32"]'],
            '3: mine.floors[1]: uint32 is not in this lattice, did you mean "int32"?',
        ),
        (
            ["[mine]", 'extends = "jax"', 'remove = ["float16 -> float32"]'],
            "1: mine: mine is not a lattice: bfloat16 and float16 have no common upper bound: nothing stands above "
            "both (and 5 more)",
        ),
        (
            ["[mine]", 'add = ["int8 -> float16 float32", "uint8 -> float16 float32 -> float64"]'],
            "1: mine: mine is not a lattice: int8 and uint8 have 2 competing upper bounds, none of them least: "
            "float16, float32",
        ),
        (
            ["[mine]", 'extends = "jax"', "add = [", '  "int4 -> int8",', '  "float32 -> int64",', "]"],
            "5: mine.add[2]: mine is not a lattice: cycle: int64 -> f* -> bfloat16 -> float32 -> int64",
        ),
        (
            ["[mine]", 'extends = "b"', "[b]", 'add = ["bool -> int8 uint8"]'],
            "3: b: b is not a lattice: int8 and uint8 have no common upper bound: nothing stands above both",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_with_file_line_and_key(lines: list[str], message: str) -> None:
    assert fault("\n".join(lines)).startswith(message)


def test_a_broken_lattice_and_an_unreadable_one_raise_different_errors() -> None:
    with pytest.raises(NoLatticeError):
        read('[mine]\nadd = ["bool -> int8 uint8"]')["mine"].checked()
    with pytest.raises(TomlError) as caught:
        read("[mine]\nadd = 1")
    assert not isinstance(caught.value, NoLatticeError)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"extends = jax", r"half\.toml: is not valid TOML: .*line 1, column 11"),
        (b"# \xff", r"half\.toml: is not UTF-8: byte 2"),
        (b"\n\nextents = 'jax'", r"half\.toml:3: extents: no such key"),
    ],
)
def test_a_fault_in_a_file_of_its_own_names_that_file(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "half.toml").write_bytes(content)
    text = 'mine = "half.toml"'
    with pytest.raises(TomlError, match=message):
        read_table(tomllib.loads(text), Source(tmp_path / "pyproject.toml", text))


def test_systems_are_a_table() -> None:
    with pytest.raises(TomlError, match=r"some\.toml:1: systems: expected a table of promotion systems"):
        read_table([1], Source(Path("some.toml"), "systems = [1]", ("systems",)))


# -- laws of the edits ------------------------------------------------------------------------------------------------

_ordinary = [dtype.name for dtype in ORDINARY]


@settings(deadline=None, max_examples=40)
@given(kept=st.lists(st.sampled_from(_ordinary), min_size=2, unique=True))
def test_a_restriction_joins_as_its_base_if_it_keeps_the_result(kept: list[str]) -> None:
    start, own = get_system("jax").lattice, read(f'[mine]\nextends = "jax"\ndtypes = ["{" ".join(kept)}"]')["mine"]
    assert start is not None
    for pair in combinations(kept, 2):
        expected = start.join(pair)
        if expected in own.lattice.covers:
            assert own.lattice.join(pair) == expected
        above = start.order.upper_bounds(pair)
        assert set(own.lattice.order.upper_bounds(pair)) == own.lattice.covers.keys() & set(above)


def test_every_node_can_be_written() -> None:
    for node in NODES:
        if not node.endswith("*"):
            assert node in read(f'[mine]\ndtypes = ["{node}"]')["mine"].lattice.covers
