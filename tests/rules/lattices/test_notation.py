"""The text notation of a lattice, and the messages about mistakes in it."""

from collections.abc import Callable

import pytest

from promo_mypy.rules.dtypes import DTYPES
from promo_mypy.rules.lattices.notation import NODES, NotationError, edges, floors, nodes, pairs


def test_every_number_dtype_is_a_node() -> None:
    assert set(NODES) == {name for name, dtype in DTYPES.items() if dtype.kind != "k"} | {"i*", "f*", "c*"}
    for name in NODES:
        assert nodes(name) == (name,)


def test_a_group_is_separated_by_spaces_or_commas() -> None:
    assert nodes(" uint8 int8,int16 ,  i*, int8") == ("uint8", "int8", "int16", "i*")


def test_a_chain_goes_from_every_name_of_a_group_to_every_name_of_the_next() -> None:
    assert edges("bool->uint8 int8 -> int16") == (
        ("bool", "uint8"),
        ("bool", "int8"),
        ("uint8", "int16"),
        ("int8", "int16"),
    )


def test_pairs_are_of_two_groups() -> None:
    assert pairs("int64 + float32") == (frozenset({"int64", "float32"}),)
    assert pairs("int8, int16 + int16 int8") == (frozenset({"int8", "int16"}),)
    assert set(pairs("int8 uint8 + float16 bfloat16")) == {
        frozenset(pair)
        for pair in (("int8", "float16"), ("int8", "bfloat16"), ("uint8", "float16"), ("uint8", "bfloat16"))
    }


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("float beside int32 -> float64", {("f", "int32"): "float64"}),
        (
            "int, float beside uint int -> f*",
            {("i", "u"): "f*", ("i", "i"): "f*", ("f", "u"): "f*", ("f", "i"): "f*"},
        ),
        ("complex beside float16 -> refused", {("c", "float16"): None}),
        ("int beside float bool -> itself", {("i", "f"): "", ("i", "b"): ""}),
        ("int beside nothing -> int32", {("i", ""): "int32"}),
        ("bool beside complex64->complex64", {("b", "complex64"): "complex64"}),
    ],
)
def test_floors_say_what_a_number_counts_as(text: str, rows: dict[tuple[str, str], str | None]) -> None:
    assert floors(text) == rows


ALLOWED = (
    "allowed: bool, uint8, uint16, uint32, uint64, int8, int16, int32, int64, bfloat16, float16, float32, float64, "
    "complex64, complex128, the smaller dtypes, and i*, f*, c* for weak numbers"
)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (nodes, "flaot32", f'no dtype is called "flaot32", did you mean "float32"?; {ALLOWED}'),
        (nodes, "Float", f'"Float" is a category of dtypes: name dtypes; {ALLOWED}'),
        (nodes, "key", f'no dtype is called "key"; {ALLOWED}'),
        (nodes, " , ", "a name is missing"),
        (edges, "int8", '"int8" is not an edge; write "int32 -> float32"'),
        (edges, "int8 ->", "a name is missing"),
        (edges, "int8 -> int16 -> int16", "an edge leads from int16 to itself"),
        (edges, "int8 => int16", '"int8 => int16" is not an edge; write "int32 -> float32"'),
        (pairs, "int8 int16", '"int8 int16" is not a pair; write "int64 + float32"'),
        (pairs, "int8 + int16 + int32", '"int8 + int16 + int32" is not a pair; write "int64 + float32"'),
        (pairs, "int8 + int8", "a dtype always promotes with itself, int8 too"),
        (floors, "float + int32", '"float + int32" is not a floor; write "float beside int32 -> float64"'),
        (
            floors,
            "flot beside int32 -> float64",
            '"flot" is not a Python number, did you mean "float"?; allowed: bool, int, float, complex',
        ),
        (floors, "float beside int33 -> float64", f'no dtype is called "int33", did you mean "int32"?; {ALLOWED}'),
        (floors, "float beside int32 -> f64", f'no dtype is called "f64", did you mean "float64"?; {ALLOWED}'),
        (floors, "int beside bool -> int8 int16", "a number counts as one node, not as int8 int16"),
        (
            floors,
            "int beside nothing -> itself",
            '"itself" is the dtype beside the number, so it needs a dtype there',
        ),
    ],
)
def test_a_mistake_names_the_possible_words(read: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    assert str(caught.value) == message
