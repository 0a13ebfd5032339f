"""Comments that accept findings are read from Python's tokens."""

import pytest

from promo_mypy.rules.suppressions import comment_for, suppressions

#: Text -> for each comment its codes, and the first and the last line that it holds for.
TEXTS = {
    "behind a line": ("a\nx = f()  # promo: ignore[promo-mismatch]\nb\n", [(("promo-mismatch",), 2, 2)]),
    "with a reason": ("x  # promo: ignore[promo-mismatch] -- it is, why\n", [(("promo-mismatch",), 1, 1)]),
    "several codes": ("x  # promo: ignore[ promo-a,promo-b ]\n", [(("promo-a", "promo-b"), 1, 1)]),
    "no code": ("x  # promo: ignore\n", [(("promo",), 1, 1)]),
    "no code and a reason": ("x  # promo: ignore -- because\n", [(("promo",), 1, 1)]),
    "an empty list": ("x  # promo: ignore[]\n", [((), 1, 1)]),
    "without blanks": ("x  #promo:ignore[a]\n", [(("a",), 1, 1)]),
    "behind another comment": ("x  # noqa: E501 # promo: ignore[a]\n", [(("a",), 1, 1)]),
    "before another comment": ("x  # promo: ignore[a] # noqa\n", [(("a",), 1, 1)]),
    "above a line": ("# promo: ignore[a]\nx = f()\ny\n", [(("a",), 2, 2)]),
    "above a statement": ("# promo: ignore[a]\n\n# more\nx = f(\n  1,\n)\ny\n", [(("a",), 4, 6)]),
    "above a line in a block": ("if a:\n    # promo: ignore[a]\n    x\ny\n", [(("a",), 3, 3)]),
    "above and behind": ("# promo: ignore[a]\nx  # promo: ignore[b]\n", [(("a",), 2, 2), (("b",), 2, 2)]),
    "behind the end of a statement": ("x = f(\n  1,\n)  # promo: ignore[a]\n", [(("a",), 1, 3)]),
    "inside a statement": ("x = f(  # promo: ignore[a]\n  1,  # promo: ignore[b]\n)\n",
                           [(("a",), 1, 1), (("b",), 2, 2)]),
    "alone inside a statement": ("x = f(\n  # promo: ignore[a]\n  1,\n  2)\n", [(("a",), 3, 3)]),
    "at the end of a file": ("x\n# promo: ignore[a]", [(("a",), 2**31, 2**31)]),
    "without the last line end": ("x  # promo: ignore[a]", [(("a",), 1, 1)]),
    "for a file": ("x\n# promo: ignore-file[a] -- generated\ny\n", [(("a",), 1, 2**31)]),
    "Windows": ("a\r\nx  # promo: ignore[a]\r\n", [(("a",), 2, 2)]),
    "another word": ("x  # promo: ignored[a]\ny  # promo: ignore-next[a]\nz  # promo: noqa\n", []),
    "no brackets": ("x  # promo: ignore promo-mismatch\n", []),
    "in a string": ("x = '# promo: ignore[a]'\ny = '''\n# promo: ignore[b]\n'''\n", []),
    "another tool": ("x  # type: ignore[promo-mismatch]\n", []),
    "behind a mistake": ("x  # promo: ignore[a]\n'''\ny  # promo: ignore[b]\n", [(("a",), 1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_comments_are_read(text: str, expected: list[tuple[tuple[str, ...], int, int]]) -> None:
    assert [(each.codes, each.first, each.last) for each in suppressions(text)] == expected


def test_a_comment_knows_its_place_and_can_be_written_anew() -> None:
    text = "x = 1\nx = 'ä'  # why # promo: ignore[a, b] -- it is so # noqa\n"
    (comment,) = suppressions(text)
    line = text.splitlines()[comment.line - 1]
    assert line[comment.column - 1 : comment.end_column - 1] == "# promo: ignore[a, b] -- it is so"
    assert comment.with_codes(["b"]) == "# promo: ignore[b] -- it is so"
    assert comment_for(["a", "b"]) == "# promo: ignore[a, b]"


def test_a_comment_covers_codes_and_lines() -> None:
    (one,) = suppressions("x = f(\n  1\n)  # promo: ignore[promo-overflow]\n")
    assert one.covers("promo-overflow", 2, 2)
    assert one.covers("promo-overflow", 3, 5)
    assert not one.covers("promo-overflow", 4, 4)
    assert not one.covers("promo-mismatch", 2, 2)
    (every,) = suppressions("x  # promo: ignore\n")
    assert every.covers("promo-mismatch", 1, 1)
