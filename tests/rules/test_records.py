"""Records behave as frozen dataclasses and are compared by value; records for rules are compared by identity."""

from dataclasses import field, fields, replace

import pytest

from promo_mypy.rules.records import record, rule


@record
class Pair:
    first: int
    second: str = "b"
    note: str = field(default="", compare=False, repr=False)

    def doubled(self) -> int:
        return 2 * self.first


@record
class Other:
    first: int
    second: str = "b"


@record
class Empty: ...


@rule
class Same:
    first: int


def test_records_are_equal_by_the_fields_that_are_compared() -> None:
    assert Pair(1) == Pair(1, "b", "another note")
    assert Pair(1) != Pair(2)
    assert Pair(1) != Pair(1, "c")
    assert len({Pair(1), Pair(1, note="x"), Pair(2)}) == 2


def test_records_of_two_classes_differ() -> None:
    assert Pair(1).__eq__(Other(1)) is NotImplemented
    assert len({Pair(1): 1, Other(1): 2}) == 2
    assert Empty() == Empty()


def test_rules_are_equal_only_to_themselves() -> None:
    one = Same(1)
    assert len({one, Same(1), one}) == 2


def test_both_show_their_fields_and_are_dataclasses() -> None:
    assert repr(Pair(1, note="not shown")) == "Pair(first=1, second='b')"
    assert repr(Same(1)) == "Same(first=1)"
    assert replace(Pair(1), first=2).doubled() == 4
    assert [found.name for found in fields(Pair)] == ["first", "second", "note"]
    assert not hasattr(Pair(1), "__dict__")


@record
class Wide(Pair):
    third: float = 3.0


@record
class Made:
    first: int
    items: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.items.append(self.first)


@record
class MadeWithMore(Made):
    last: int = 5


def test_a_record_is_made_by_position_and_by_name() -> None:
    made = Wide(1, second="c", third=4.0)
    assert (made.first, made.second, made.note, made.third) == (1, "c", "", 4.0)
    assert Wide(1) == Wide(first=1, third=3.0)
    assert Made(1).items == [1] == Made(1).items
    assert (MadeWithMore(1).items, MadeWithMore(1, [2], 3).last) == ([1], 3)


def test_a_record_takes_its_fields_and_no_others() -> None:
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'first'"):
        Other()  # type: ignore[call-arg]  # the mistake under test
    with pytest.raises(TypeError, match="unexpected keyword argument 'third'"):
        Other(1, third=2)  # type: ignore[call-arg]  # the mistake under test
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 4 were given"):
        Other(1, "b", 3)  # type: ignore[call-arg]  # the mistake under test


@record
class Strict:
    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strict) and type(self.value) is type(other.value) and self.value == other.value

    def __repr__(self) -> str:
        return f"<{self.value!r}>"


def test_a_comparison_of_its_own_stays() -> None:
    assert Strict(0) != Strict(False)
    assert {Strict(0): "int", Strict(False): "bool"}[Strict(False)] == "bool"
    assert hash(Strict(0)) == hash(Strict(0))
    assert repr(Strict(1)) == "<1>"
