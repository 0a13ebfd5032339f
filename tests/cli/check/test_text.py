"""The output for people: carets, dtypes beneath the operands, wide and hostile characters, long lines, colours."""

from dataclasses import replace

import pytest
from rich.console import Console

from promo_mypy.cli.formats.check_text import check_text, concise, printable, statistics, summary
from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Finding, Label, Span
from tests.cli.check.outcomes import CLEAN, MISMATCH, OUTCOME, OVERFLOW, SOURCE


def shown(finding: Finding, source: str, width: int = 80) -> list[str]:
    """The lines of one finding, without the sum."""
    report = replace(OUTCOME, findings=(finding,))
    return check_text(report, width, lambda _path: source.split("\n")).plain.split("\n")[:-2]


def label(column: int, dtype: str) -> Label:
    """The dtype of a name of one letter in the first line."""
    return Label(Span(1, column, 1, column + 1), dtype)


def test_a_finding_in_full() -> None:
    assert shown(MISMATCH, SOURCE) == [
        "src/model.py:7:12: promo-mismatch: The returned value is float64 where float32 is declared",
        "7 |     return (image - mean) / 2.0",
        "  |            ^^^^^^^^^^^^^^^^^^^^",
        "  |             float32 float64 Python float",
        "  = `mean` is float64: line 5 sets it to `np.array([0.485, 0.456, 0.406])`",
        "  = remedy: cast it with (...).astype(np.float32)",
    ]


def test_dtypes_that_do_not_fit_beside_each_other_are_below_each_other() -> None:
    labels = tuple(
        Label(Span(1, column, 1, column + 1), dtype) for column, dtype in ((1, "bfloat16"), (5, "float32"), (9, "int8"))
    )
    finding = Finding("a.py", Span(1, 1, 1, 10), "promo-undefined", "No", labels)
    assert shown(finding, "a + b + c")[1:] == [
        "1 | a + b + c",
        "  | ^^^^^^^^^",
        "  | |   |   int8",
        "  | |   float32",
        "  | bfloat16",
    ]  # fmt: skip


def test_wide_characters_and_tabs_count_as_they_are_shown() -> None:
    source = '\tx = "日本", a + b'
    column = source.index("a +") + 1
    finding = Finding(
        "a.py",
        Span(1, column, 1, column + 5),
        "promo-undefined",
        "No",
        (Label(Span(1, column, 1, column + 1), "int8"),),
    )
    line, carets, dtype = shown(finding, source)[1:4]
    assert line == '1 |     x = "日本", a + b'
    # Each of the two characters takes two cells.
    assert carets.index("^") == line.index("a +") + 2 == dtype.index("int8")


def test_a_long_line_is_cut_around_the_expression() -> None:
    source = f"{'x = 1; ' * 2000}a + b; {'y = 2; ' * 2000}"
    column = source.index("a + b") + 1
    finding = Finding(
        "a.py",
        Span(1, column, 1, column + 5),
        "promo-undefined",
        "No",
        (Label(Span(1, column, 1, column + 1), "int8"),),
    )
    _, line, carets, dtype = shown(finding, source, 80)
    assert len(line) <= 80
    assert line.startswith("1 | ...")
    assert line.endswith("...")
    assert line[carets.index("^") :].startswith("a + b")
    assert carets.count("^") == 5
    assert dtype.index("int8") == carets.index("^")


def test_an_expression_over_several_lines_shows_those_with_operands() -> None:
    source = "total = np.add(\n    first,\n\n    second,\n)"
    labels = (Label(Span(2, 5, 2, 10), "float16"), Label(Span(4, 5, 4, 11), "bfloat16"))
    finding = Finding("a.py", Span(1, 9, 5, 2), "promo-undefined", "No", labels)
    assert shown(finding, source)[1:] == [
        "1 | total = np.add(",
        "  |         ^^^^^^^",
        "2 |     first,",
        "  |     float16",
        "4 |     second,",
        "  |     bfloat16",
    ]


def test_no_character_of_the_code_reaches_the_terminal_unfiltered() -> None:
    finding = Finding(
        "a\x1b[2J.py", Span(1, 1, 1, 2), "promo-undefined", "\x1b]0;x\x07", origin=("\u202e",), remedy="\x9b1m"
    )
    text = "\n".join(shown(finding, "a\x1b[31m\u202e = 1"))
    assert all(each.isprintable() or each == "\n" for each in text)
    assert printable("a\x1bb") == "a\N{REPLACEMENT CHARACTER}b"


def test_a_file_that_has_gone_shows_no_source() -> None:
    assert check_text(replace(OUTCOME, findings=(MISMATCH,)), 80).plain.count("|") == 0


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (OUTCOME, "2 findings in 1 file; 2 files checked; 1 finding in the baseline."),
        (CLEAN, "No dtype mistakes in 1 file."),
        (replace(CLEAN, known=2), "No dtype mistakes in 1 file; 2 findings in the baseline."),
    ],
)
def test_the_sum(report: Report, expected: str) -> None:
    assert summary(report) == expected


def test_the_sum_names_the_code_and_file_of_most_of_many_findings() -> None:
    others = (replace(MISMATCH, path="src/other.py"), OVERFLOW)
    one_kind = replace(OUTCOME, findings=(MISMATCH,) * 10 + others, known=0)
    assert summary(one_kind) == ("12 findings in 2 files, 10 of them promo-mismatch in src/model.py; 2 files checked.")
    assert "of them" not in summary(replace(one_kind, findings=(MISMATCH,) * 9 + others))
    assert "of them" not in summary(replace(one_kind, findings=(MISMATCH,) * 10 + others * 5))
    assert "of them" not in summary(replace(one_kind, findings=(MISMATCH,) * 10 + others[1:]))


def test_one_line_for_each_finding() -> None:
    lines = concise(OUTCOME).splitlines()
    assert lines == [
        f"src/model.py:6:5: promo-overflow {OVERFLOW.message}; cast the array with x.astype(np.uint16)",
        f"src/model.py:7:12: promo-mismatch {MISMATCH.message}; cast it with (...).astype(np.float32)",
        summary(OUTCOME),
    ]


def test_the_counts_of_codes() -> None:
    report = replace(OUTCOME, findings=(OVERFLOW, MISMATCH, MISMATCH))
    first, second = statistics(report).splitlines()
    assert first.startswith("    2  promo-mismatch  A value whose dtype")
    assert second.startswith("    1  promo-overflow  A Python int")
    assert statistics(CLEAN) == ""


def test_colours_are_for_terminals_only_and_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    text = check_text(OUTCOME, 80, lambda _path: SOURCE.split("\n"))

    def printed(*, terminal: bool) -> str:
        console = Console(force_terminal=terminal, color_system="truecolor" if terminal else "auto", soft_wrap=True)
        with console.capture() as capture:
            console.print(text, highlight=False)
        return capture.get()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;38;2" in printed(terminal=True)
    assert "\x1b" not in printed(terminal=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert ";38;2" not in printed(terminal=True)
    assert "[38;2" not in printed(terminal=True)
