"""Promotion systems of the user, from a file to arrays: every cell of the lattice executed, rejected ones included."""

import copy
import itertools
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.dtypes import parse
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import get_system, unregister_systems
from promo_runtime.numpy_dtypes import numpy_dtype

EXACT = Path(__file__).parents[3] / "examples/own_lattice/exact.toml"
MINE = """\
[tool.promo-mypy.systems.mine]
extends = "jax"
refuse = ["bfloat16 + float16"]
floors = ["float beside int32 int64 -> float64"]
[tool.promo-mypy.systems.scratch]
operators = "numpy"
dtypes = ["bool", "int8", "int16", "float32"]
add = ["bool -> int8 -> int16 -> float32"]
"""


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    unregister_systems()


@pytest.fixture
def pyproject(tmp_path: Path) -> Path:
    file = tmp_path / "pyproject.toml"
    file.write_text(MINE)
    return file


def test_the_three_forms_of_a_file(pyproject: Path, tmp_path: Path) -> None:
    assert pr.register_systems(EXACT) == ("exact",)
    assert pr.register_systems(str(pyproject)) == ("mine", "scratch")
    own = tmp_path / "promo-mypy.toml"
    own.write_text(MINE.replace("tool.promo-mypy.", ""))
    assert pr.register_systems(own) == ("mine", "scratch")


@pytest.mark.parametrize(
    ("base", "operation", "one", "other", "expected"),
    [("array-api", "floor_divide", 1.0, -np.inf, -0.0), ("jax-lax", "remainder", -7.0, 3.0, -1.0)],
)
def test_values_are_those_of_the_system_that_is_extended(
    tmp_path: Path, base: str, operation: str, one: float, other: float, expected: float
) -> None:
    file = tmp_path / "promo-mypy.toml"
    file.write_text(f'[systems.{base}-mine]\nextends = "{base}"\n')
    (name,) = pr.register_systems(file)
    for system in (base, name):
        assert getattr(pr.namespace(system), operation)(np.array([one]), np.array([other])).tolist() == [expected]
    assert getattr(pr.namespace("numpy"), operation)(np.array([one]), np.array([other])).tolist() != [expected]


def test_every_pair_of_dtypes_follows_the_lattice() -> None:
    pr.register_systems(EXACT)
    exact, xp = get_system("exact"), pr.namespace("exact")
    names = [
        "bool",
        "uint8",
        "int8",
        "uint16",
        "int16",
        "uint32",
        "int32",
        "bfloat16",
        "float16",
        "float32",
        "complex64",
    ]
    executed = refused = 0
    for one, other in itertools.product(names, repeat=2):
        left, right = (np.ones(2, numpy_dtype(parse(name))) for name in (one, other))
        wanted = exact.promote(Operand(parse(one)), Operand(parse(other)))
        if isinstance(wanted, Refusal):
            refused += 1
            with pytest.raises(pr.PromotionError, match="under exact promotion"):
                xp.multiply(left, right)
            with pytest.raises(pr.PromotionError, match=rf"{one} \* {other} under exact promotion"):
                pr.asarray(left, system="exact") * pr.asarray(right, system="exact")
            continue
        executed += 1
        assert xp.multiply(left, right).dtype == numpy_dtype(wanted)
        assert (pr.asarray(left, system="exact") * pr.asarray(right, system="exact")).dtype is wanted
    # Rejected in both orders: 2 integers with 4 dtypes, 2 integers with 2 dtypes, and one pair of floats.
    assert (executed, refused) == (11 * 11 - 26, 2 * (2 * 4 + 2 * 2 + 1))


def test_floors_of_python_numbers(pyproject: Path) -> None:
    pr.register_systems(pyproject)
    ints = pr.asarray([1, 2], dtype=pr.int32, system="mine")
    halved, halved_in_jax = ints * 0.5, pr.asarray([1, 2], dtype=pr.int32, system="jax") * 0.5
    assert (halved.dtype, halved.weak) == (pr.float64, False)
    assert (halved_in_jax.dtype, halved_in_jax.weak) == (pr.float64, True)
    assert (ints * 2).dtype is pr.int32


def test_a_lattice_from_scratch_has_its_dtypes_and_no_others(pyproject: Path) -> None:
    pr.register_systems(pyproject)
    assert pr.promote_types("int16", "int8", system="scratch") is pr.int16
    assert pr.promote_types("int16", "float32", system="scratch") is pr.float32
    with pytest.raises(pr.PromotionError, match="float64"):
        pr.promote_types("int16", "float64", system="scratch")


def test_a_context_and_copies_keep_the_system(pyproject: Path) -> None:
    pr.register_systems(pyproject)
    with pr.system("mine"):
        array = pr.asarray([1, 2], dtype=pr.int32)
    for same in (array, pickle.loads(pickle.dumps(array)), copy.deepcopy(array)):
        assert (same * 0.5).dtype is pr.float64
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(pr.namespace("mine").multiply(array, 0.5).dtype))
    thread.start()
    thread.join()
    assert found == [pr.float64]


def test_a_pickle_of_an_unregistered_system_raises(pyproject: Path) -> None:
    pr.register_systems(pyproject)
    pickled = pickle.dumps(pr.asarray([1, 2], system="mine"))
    unregister_systems()
    with pytest.raises(pr.UnknownSystemError, match="mine"):
        pickle.loads(pickled)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"pyproject\.toml has no systems: write \[tool\.promo-mypy\.systems\.mine\]"),
        ("[tool", r"pyproject\.toml: is not valid TOML"),
        (
            "[tool.promo-mypy.systems.mine]\nextend = 'jax'\n",
            r"pyproject\.toml:2: tool\.promo-mypy\.systems\.mine\.extend",
        ),
        (
            "[tool.promo-mypy.systems.bad]\nextends = 'jax'\nadd = ['float16 -> bfloat16']\nremove = []\n"
            "[tool.promo-mypy.systems.worse]\nextends = 'jax'\nadd = ['float64 -> int8']\n",
            r"pyproject\.toml:\d+: .*(no lattice|bad|worse)",
        ),
    ],
    ids=["no systems", "no TOML", "unknown key", "a cycle"],
)
def test_an_invalid_file_is_one_error_with_its_place(text: str, message: str, pyproject: Path) -> None:
    pyproject.write_text(text)
    with pytest.raises(pr.TomlError, match=message) as raised:
        pr.register_systems(pyproject)
    assert isinstance(raised.value, ValueError)
    assert "\n" not in str(raised.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pr.register_systems(tmp_path / "missing.toml")
