"""The parts of the server that work on texts: moved lines, comments that ignore, settings, casts."""

import json
from typing import Any

import pytest

from promo_mypy.lsp.ignore_comments import ignoring
from promo_mypy.lsp.line_shift import LineShift
from promo_mypy.lsp.settings import SECTION, Settings, default_settings, read_settings
from promo_mypy.rules.findings import Span
from tests.docs.pages import blocks, page, table
from tests.needed import needs


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("abc", "abc", [1, 2, 3]),
        ("abc", "axc", [1, None, 3]),
        ("abc", "axbc", [1, 3, 4]),
        ("abc", "ac", [1, None, 2]),
        ("aaa", "aaaa", [1, 2, 3]),
        ("aa", "a", [1, None]),
        ("abc", "", [None, None, None]),
        ("", "abc", []),
        ("abcd", "xbcdy", [None, None, None, None]),
    ],
)
def test_lines_move_with_an_edit(before: str, after: str, lines: list[int | None]) -> None:
    shift = LineShift(before, after)
    assert [shift.line(number) for number in range(1, len(before) + 1)] == lines


def test_a_span_with_an_edited_line_is_gone() -> None:
    shift = LineShift("abcde", "aXcde")
    assert shift.span(Span(1, 3, 3, 4)) is None
    assert shift.span(Span(3, 3, 4, 4)) == Span(3, 3, 4, 4)
    # A line was added inside it.
    assert LineShift("abcde", "abXcde").span(Span(2, 1, 3, 1)) is None
    assert LineShift("abcde", "Xabcde").span(Span(2, 1, 3, 1)) == Span(3, 1, 4, 1)


@pytest.mark.parametrize(
    ("line", "ignored"),
    [
        ("x = f()", "x = f()  # promo: ignore[c]"),
        ("x = f()  ", "x = f()  # promo: ignore[c]  "),
        ("x = '# promo: ignore[a]'", "x = '# promo: ignore[a]'  # promo: ignore[c]"),
        ("x = f()  # why", "x = f()  # why  # promo: ignore[c]"),
        ("x = f()  # type: ignore[a]", "x = f()  # type: ignore[a]  # promo: ignore[c]"),
        ("x = f()  # promo: ignore[a]", "x = f()  # promo: ignore[a, c]"),
        ("x = f()  # promo: ignore[a, b] -- why # not", "x = f()  # promo: ignore[a, b, c] -- why # not"),
        ("x = \\\n    f()", None),
        ("x = '''\n'''", None),
        ("x = (", None),
    ],
)
def test_a_comment_ignores_a_code(line: str, ignored: str | None) -> None:
    text = f"y = 1\n{line}\ny = 2\n"
    found = ignoring(text, 2, "c")
    if ignored is None:
        assert found is None
        return
    assert found is not None
    assert found.span.line == 2
    assert line[: found.span.column - 1] + found.text + line[found.span.end_column - 1 :] == ignored


def test_the_documentation_has_the_settings() -> None:
    text = page("docs/editors.md")
    shown = json.loads(next(each for each in blocks(text, "json") if f'"{SECTION}"' in each))
    assert shown == default_settings()
    section: Any = default_settings()[SECTION]
    flat = {key if not isinstance(value, dict) else f"{key}.{each}" for key, value in section.items()
            for each in (value if isinstance(value, dict) else [""])}  # fmt: skip
    assert {row[0].strip("`") for row in table(text)} == flat


def test_settings_are_read() -> None:
    section: Any = default_settings()[SECTION]
    assert read_settings(section) == (Settings(), [])
    assert read_settings(None) == (Settings(), [])
    given = {"inlayHints": {"operators": False}, "select": ["promo-widening"], "python": ".venv"}
    settings, faults = read_settings(given)
    assert (settings.assignments, settings.operators, settings.select, str(settings.python)) == (
        True, False, ("promo-widening",), ".venv",
    )  # fmt: skip
    assert faults == []


@pytest.mark.parametrize(
    ("section", "fault"),
    [
        ({"inlayHints": {"operators": 1}}, "inlayHints.operators should be true or false"),
        ({"inlayHints": []}, "inlayHints should be an object with assignments and operators"),
        ({"select": "all"}, "select should be a list of codes"),
        ({"ignore": ["promo-x"]}, "ignore: no diagnostic has the code promo-x"),
        ({"python": 3}, "python should be a path"),
    ],
)
def test_a_wrong_setting_is_reported(section: dict[str, Any], fault: str) -> None:
    assert read_settings(section) == (Settings(), [fault])


@pytest.mark.parametrize(
    ("expression", "cast"),
    [
        ("x", "x.astype(np.float32)"),
        ("f(x)[0]", "f(x)[0].astype(np.float32)"),
        ("x + 1", "(x + 1).astype(np.float32)"),
        ("(x + 1)", "(x + 1).astype(np.float32)"),
        ("x +\n    1", "(x +\n    1).astype(np.float32)"),
        ("x +", None),
    ],
)
def test_one_expression_is_cast(expression: str, cast: str | None) -> None:
    needs("libcst")
    from promo_mypy.fixing.fixes import cast_text

    assert cast_text(expression, "{}.astype(np.float32)") == cast
