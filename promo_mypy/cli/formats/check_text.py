"""Write findings for people: the source line, a caret under the expression, the dtypes beneath the operands."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from promo_mypy.cli.colours import BLUE, ORANGE, VERMILION
from promo_mypy.linting.report import Report
from promo_mypy.rules.findings import Finding, Label
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS

#: Lines of an expression that are shown: the first, and those with operands.
_MOST_LINES: Final = 5
#: Findings of one code in one file that the sum names.
_MANY: Final = 10
_TAB: Final = "    "
#: What stands before the part of a long line that is shown.
_CUT: Final = "..."

#: Finding -> the lines of its file, or of its cell.
Lines = Callable[[Finding], Sequence[str]]


def lines_of(finding: Finding) -> Sequence[str]:
    """The lines of a file or of a cell in a notebook; none if it cannot be read any more."""
    try:
        return lines_in(Path(finding.path).read_bytes(), finding)
    except (OSError, LookupError):
        return ()


def lines_in(content: bytes, finding: Finding) -> Sequence[str]:
    """The same for a file with that content. Raises LookupError for a notebook without the cell."""
    if finding.cell is None:
        return content.decode("utf-8-sig", "replace").split("\n")
    # Few repositories have notebooks with findings.
    from promo_mypy.notebooks.reading import source_of_cell

    return source_of_cell(content, finding.cell).split("\n")


def check_text(report: Report, width: int, lines: Lines = lines_of) -> Text:
    """The findings, each with its source, and the sum in the last line."""
    parts: list[Text] = []
    for finding in report.findings:
        parts += [*_finding(finding, lines(finding), width), Text()]
    return Text("\n").join([*parts, Text(summary(report), style="bold")])


def summary(report: Report) -> str:
    """The sum in one line."""
    files = counted(len(report.files), "file")
    accepted = f"; {counted(report.known, 'finding')} in the baseline" if report.known else ""
    if not report.findings:
        return f"No dtype mistakes in {files}{accepted}."
    where = counted(len({finding.path for finding in report.findings}), "file")
    return f"{counted(len(report.findings), 'finding')} in {where}{_most(report)}; {files} checked{accepted}."


def _most(report: Report) -> str:
    """The code and the file of most of many findings, if one of several files has them: they may have one cause."""
    counts = Counter((finding.code, finding.path) for finding in report.findings)
    [((code, path), number)] = counts.most_common(1)
    is_most = number < len(report.findings) < 2 * number and len({path for _, path in counts}) > 1
    return f", {number} of them {code} in {printable(path)}" if is_most and number >= _MANY else ""


def concise(report: Report) -> str:
    """One line for each finding, as compilers write them, and the sum in the last line."""
    lines = [f"{place(each)}: {each.code} {printable(each.text)}" for each in report.findings]
    return "\n".join([*lines, summary(report)])


def statistics(report: Report) -> str:
    """How many findings each code has, the most frequent first."""
    counts = Counter(finding.code for finding in report.findings)
    meanings = {row.code: row.meaning for row in DIAGNOSTICS}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    wide = max((len(code) for code in counts), default=0)
    return "\n".join(f"{count:>5}  {code:<{wide}}  {meanings[code]}" for code, count in ordered)


def counted(number: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def place(finding: Finding) -> str:
    """File, line and column, as editors read them."""
    return f"{printable(finding.path)}:{finding.place}"


def cell_line(finding: Finding) -> str:
    """The cell and the line in it, for formats that know only files; empty for other files than notebooks."""
    return f"cell {finding.cell}, line {finding.span.line}: " if finding.cell is not None else ""


def printable(text: str) -> str:
    """The text without characters that would change the state of a terminal."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _finding(finding: Finding, lines: Sequence[str], width: int) -> Iterator[Text]:
    yield Text.assemble(
        (place(finding), f"bold {BLUE}"), ": ", (finding.code, f"bold {VERMILION}"), f": {printable(finding.message)}"
    )
    yield from _source(finding, lines, width)
    for sentence in finding.origin:
        yield Text(f"  = {printable(sentence)}")
    if finding.remedy:
        yield Text.assemble("  = ", ("remedy", "bold"), f": {printable(finding.remedy)}")


def _source(finding: Finding, lines: Sequence[str], width: int) -> Iterator[Text]:
    span = finding.span
    labelled = sorted({label.span.line for label in finding.labels} - {span.line})
    numbers = [span.line, *labelled][:_MOST_LINES]
    of_numbers = len(str(numbers[-1]))
    for number in numbers:
        if not 0 < number <= len(lines):
            continue
        line = lines[number - 1].rstrip("\r")
        shown = _Shown(line, max(width - of_numbers - 3, 40), span.column if number == span.line else 1)
        yield Text.assemble((f"{number:>{of_numbers}} | ", BLUE), shown.text)
        bar = (f"{'':>{of_numbers}} | ", BLUE)
        if number == span.line:
            end = span.end_column if span.end_line == number else len(line) + 1
            begin = shown.cell(span.column)
            carets = "^" * max(shown.cell(end) - begin, 1)
            yield Text.assemble(bar, " " * begin, (carets, f"bold {VERMILION}"))
        for row in _rows([label for label in finding.labels if label.span.line == number], shown):
            yield Text.assemble(bar, (row, ORANGE))


def _rows(labels: Sequence[Label], shown: "_Shown") -> Iterator[str]:
    """The dtypes, each beginning under its operand: to the left of another one in a row, or below it."""
    placed: list[tuple[int, str, int]] = []
    for label in sorted(labels, reverse=True):
        column = shown.cell(label.span.column)
        if column < 0:
            continue
        row = 0
        while any(below >= row and column + len(label.dtype) >= right for right, _, below in placed):
            row += 1
        placed.append((column, label.dtype, row))
    for row in range(max((row for _, _, row in placed), default=-1) + 1):
        text = ""
        for column, dtype, at in sorted(placed):
            if at >= row:
                text = f"{text:<{column}}{dtype if at == row else '|'}"
        yield text


class _Shown:
    """A line as it is shown: without tabs and control characters, and cut if it is long."""

    def __init__(self, line: str, width: int, column: int) -> None:
        self._line, self._start, self._head = line, 0, ""
        whole = _plain(line)
        if cell_len(whole) <= width:
            self.text = whole
            return
        if cell_len(_plain(line[: column - 1])) > width // 2:
            self._start, self._head = max(column - 1 - width // 4, 0), _CUT
        text = self._head + _plain(line[self._start :])
        is_cut = cell_len(text) > width
        self.text = set_cell_size(text, width - len(_CUT)) + _CUT if is_cut else text

    def cell(self, column: int) -> int:
        """The cell in which a column of the line is shown; negative if it is cut off on the left."""
        if column - 1 < self._start:
            return -1
        cell = cell_len(self._head + _plain(self._line[self._start : column - 1]))
        return min(cell, cell_len(self.text))


def _plain(text: str) -> str:
    return printable(text.replace("\t", _TAB))
