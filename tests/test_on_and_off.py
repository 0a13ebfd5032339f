"""The comparison of errors finds new, lost and reworded errors, and lists that no longer match."""

from pathlib import Path

import pytest

from tests.mypy_runs import Message
from tests.on_and_off import MypyFailedError, check, difference, normalised
from tests.reviewed import LOST, Entry, as_entry, load, unreviewed


def error(line: int, text: str, code: str = "arg-type") -> Message:
    return Message("a.py", line, "error", text, code)


def test_equal_errors_are_no_difference() -> None:
    found = difference([error(1, "x"), error(1, "y")], [error(1, "y"), error(1, "x")])
    assert (found.new, found.lost, found.reworded) == ((), (), ())


def test_new_lost_and_reworded_errors_are_told_apart() -> None:
    off = [error(1, 'got "floating[Any]"'), error(2, "gone"), error(3, "same", "misc")]
    on = [error(1, 'got "float32"'), error(3, "same", "assignment"), error(3, "same", "misc"), error(4, "more")]
    found = difference(off, on)
    assert found.new == (error(3, "same", "assignment"), error(4, "more"))
    assert found.lost == (error(2, "gone"),)
    assert found.reworded == ((off[0], on[0]),)
    assert (found.errors_off, found.errors_on) == (3, 4)


def test_one_error_more_on_a_line_is_new() -> None:
    found = difference([error(1, "x")], [error(1, "x"), error(1, "x")])
    assert found.new == (error(1, "x"),)


@pytest.mark.parametrize(
    ("text", "stock"),
    [
        ('got "Array[Any]", expected "list[Array[Any]]"', 'got "Array", expected "list[Array]"'),
        ("Tensor[Any, Any] | Tensor[Any]", "Tensor | Tensor"),
        ('"type[Array[DType]]" and "type[Tensor[DType, Rank]]"', '"type[Array]" and "type[Tensor]"'),
        ("Array[float32]", "Array[float32]"),
        ("ndarray[Any, Any] and NDArray[Any]", "ndarray[Any, Any] and NDArray[Any]"),
    ],
)
def test_only_unknown_arguments_of_our_generic_classes_are_dropped(text: str, stock: str) -> None:
    assert normalised(text) == stock


def test_a_run_that_cannot_check_raises(tmp_path: Path) -> None:
    with pytest.raises(MypyFailedError, match="no_such_file"):
        check(tmp_path, ["no_such_file.py"], cache=tmp_path / "cache", plugin=False, settings="")


def test_a_reviewed_error_is_known_by_its_line_of_source(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\n    f('x')\n", encoding="utf-8")
    (tmp_path / "list.toml").write_text(as_entry(error(2, 'the "text"'), tmp_path).replace('""', '"why"'), "utf-8")
    (entry,) = load(tmp_path / "list.toml")
    assert entry == Entry("a.py", "f('x')", 'the "text"  [arg-type]', "why")
    assert unreviewed([error(2, 'the "text"')], [entry], tmp_path) == ([], [])
    assert unreviewed([error(1, 'the "text"')], [entry], tmp_path) == ([error(1, 'the "text"')], [entry])
    assert unreviewed([], [entry], tmp_path) == ([], [entry])


@pytest.mark.parametrize("change", [("reason = 'r'", "reason = ''"), ("reason = 'r'", ""), ("file", "path")])
def test_an_entry_without_a_reason_or_with_an_unknown_key_is_rejected(tmp_path: Path, change: tuple[str, str]) -> None:
    entry = "[[new]]\nfile = 'f'\nsource = 's'\nerror = 'e'\nreason = 'r'\n"
    (tmp_path / "good.toml").write_text(entry, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(entry.replace(*change), encoding="utf-8")
    assert load(tmp_path / "good.toml") == (Entry("f", "s", "e", "r"),)
    assert load(tmp_path / "good.toml", LOST) == ()
    with pytest.raises(ValueError, match="keys"):
        load(tmp_path / "bad.toml")
