"""Records behave as frozen dataclasses that are compared by value; rules as such that are compared by identity."""

from dataclasses import field, fields, replace

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
