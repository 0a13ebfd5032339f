"""Tables: the cells are those of the rules and the libraries, and every format holds all of them."""

import json
import re
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest

from promo_mypy.cli.formats.short_names import OPERANDS, short
from promo_mypy.cli.formats.table import table_html, table_json, table_markdown, table_text
from promo_mypy.cli.formats.table_cells import Table, table
from promo_mypy.rules.dtypes import DTYPES, PYTHON_SCALARS
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from tests.mypy_runs import ROOT
from tests.rules.golden_tables import golden_tables

VERSUS = [("jax", "numpy"), ("torch", "jax"), ("numpy", "torch"), ("jax-x32", "jax")]
TABLES = {name: table(get_system(name)) for name in SYSTEM_NAMES} | {
    f"{one} {other}": table(get_system(one), get_system(other)) for one, other in VERSUS
}


def heads(content: Table) -> list[str]:
    return [content.short(operand) for operand in content.operands]


def texts(content: Table) -> dict[tuple[str, str], str]:
    """(left, right) -> the text of the cell."""
    return {(content.short(left), content.short(right)): cell.text for (left, right), cell in content.cells.items()}


@pytest.mark.parametrize("name", SYSTEM_NAMES)
@pytest.mark.parametrize("operation", ["promote", "truediv", "eq"])
def test_the_cells_are_the_rules(name: str, operation: str) -> None:
    system = get_system(name)
    content = table(system, operation=operation)
    assert content.operands == system.operands
    assert len(content.cells) == len(system.operands) ** 2
    for left, right in product(system.operands, repeat=2):
        cell = content.cells[left, right]
        answer = system.promote(left, right) if operation == "promote" else system.resolve(operation, left, right)
        if isinstance(answer, Refusal):
            assert (cell.outcome.result, cell.text) == (None, "-")
            assert (cell.outcome.reason, cell.outcome.remedy) == (answer.reason, answer.remedy)
        else:
            width = cell.text[1] != "*"
            assert (cell.outcome.result, cell.text) == (answer.name, short(answer, width=width))


def test_the_cells_of_numpy_are_the_measured_ones() -> None:
    measured = golden_tables("numpy")["promote/promote_types"].cells
    content = table(get_system("numpy"), everything=True)
    shared = [pair for pair in product(content.operands, repeat=2) if (pair[0].name, pair[1].name) in measured]
    assert len(shared) >= 225
    for left, right in shared:
        theirs = measured[left.name, right.name]
        assert content.cells[left, right].outcome.result == (None if theirs.startswith("!") else theirs)


@pytest.mark.parametrize(("one", "other"), VERSUS)
def test_the_differing_cells_are_marked(one: str, other: str) -> None:
    content = TABLES[f"{one} {other}"]
    differing = 0
    for (left, right), cell in content.cells.items():
        answers = [get_system(name).promote(left, right) for name in (one, other)]
        results = [None if isinstance(answer, Refusal) else answer for answer in answers]
        assert cell.differs == (results[0] is not results[1])
        assert ("≠" in cell.text) == cell.differs
        differing += cell.differs
    assert content.differing == differing > 0


def test_a_weak_dtype_is_compared_as_the_python_number() -> None:
    content = TABLES["jax numpy"]
    assert heads(content)[-3:] == ["1", "1.0", "1j"]
    # JAX with x64 off has the same weak dtypes as with it on, in another width.
    assert {"int32*", "float32*", "complex64*"} <= {operand.name for operand in TABLES["jax-x32 jax"].operands}


def test_dtypes_that_the_other_system_lacks_are_left_out() -> None:
    content = table(get_system("torch"), get_system("numpy"), everything=True)
    assert "float4_e2m1fn_x2" in content.absent
    assert "float4_e2m1fn_x2" not in [operand.name for operand in content.operands]
    assert any("float4_e2m1fn_x2" in note for note in content.notes)


def test_everything_means_every_dtype_and_every_scalar() -> None:
    for name in ("numpy", "jax", "torch"):
        system = get_system(name)
        ours = {operand.dtype for operand in table(system, everything=True).operands}
        strong = {d for d in DTYPES.values() if system.has(d) and not d.weak and d.name != "key"}
        assert ours == strong | set(system.weak_dtypes) | set(PYTHON_SCALARS.values())


def test_short_names_are_the_documents_and_each_names_one_operand() -> None:
    shown = {name: short(DTYPES[name]) for name in DTYPES}
    assert [shown[name] for name in ("uint8", "int64", "bfloat16", "float16", "complex128", "float32*", "bool")] == [
        "u8", "i64", "bf16", "f16", "c128", "f*", "bool",
    ]  # fmt: skip
    assert [short(scalar) for scalar in PYTHON_SCALARS.values()] == ["True", "1", "1.0", "1j"]
    strong = [short(dtype) for dtype in DTYPES.values() if not dtype.weak]
    assert len(set(strong)) == len(strong)
    assert all(OPERANDS[short(dtype, width=True)] is dtype for dtype in DTYPES.values())


def test_weak_dtypes_of_two_widths_show_their_width() -> None:
    assert heads(TABLES["jax"])[-3:] == ["i*", "f*", "c*"]
    both = heads(TABLES["tensorflow-numpy-all"])
    assert {"i32*", "i64*", "f32*", "f64*"} <= set(both)
    assert all(len(set(heads(content))) == len(heads(content)) for content in TABLES.values())
    texts_of_both = {cell.text for cell in TABLES["jax-x32 jax"].cells.values()}
    assert "f32*≠f64*" in texts_of_both
    assert "f*≠f*" not in texts_of_both


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("width", [50, 80, 200])
def test_text(name: str, width: int) -> None:
    content = TABLES[name]
    lines = table_text(content, width).plain.splitlines()
    assert max(map(len, lines)) <= width
    # Blocks are separated by empty lines: title, blocks, legend. Columns are aligned with their names.
    blocks = "\n".join(lines).split("\n\n")[1:-1]
    found = {}
    for block in blocks:
        header, *rows = block.splitlines()
        starts = [(match.start(), match[0]) for match in re.finditer(r"\S+", header)]
        for row in rows:
            for start, right in starts:
                found[row.split()[0], right] = row[start:].split()[0]
    assert found == texts(content)


def test_a_wide_terminal_needs_one_block() -> None:
    assert table_text(TABLES["jax"], 200).plain.count("\n\n") == 2
    assert table_text(TABLES["jax"], 80).plain.count("\n\n") == 3


@pytest.mark.parametrize("name", TABLES)
def test_the_legend_explains_every_short_name(name: str) -> None:
    content = TABLES[name]
    legend = table_text(content, 400).plain.split("\n\n")[-1]
    used = {part for cell in content.cells.values() for part in cell.text.split("≠")} | set(heads(content))
    for brief in used - {"-", "bool"}:
        assert re.search(rf"(?:^|, ){re.escape(brief)} (?:weak |Python )?\w+", legend), brief
    assert ('"-" means rejected' in legend) == ("-" in used)


def test_colour_always_comes_with_a_sign() -> None:
    for (left, right), cell in TABLES["jax numpy"].cells.items():
        assert cell.differs == ("≠" in cell.text), (left, right)
    styled = table_text(TABLES["jax numpy"], 80)
    assert styled.style == ""
    coloured = [styled.plain[span.start : span.end] for span in styled.spans if "on orange1" in str(span.style)]
    assert len(coloured) == TABLES["jax numpy"].differing
    assert all("≠" in each for each in coloured)


@pytest.mark.parametrize("name", TABLES)
def test_markdown(name: str) -> None:
    content = TABLES[name]
    lines = [line for line in table_markdown(content).splitlines() if line.startswith("|")]
    rows = [[cell.strip().replace("\\", "") for cell in line.strip("|").split("|")] for line in lines]
    header, rule, *body = rows
    assert header[1:] == heads(content)
    assert set("".join(rule)) == {"-"}
    found = {
        (row[0].removeprefix("**").removesuffix("**"), right): re.sub(r"^\*\*(.*)\*\*$", r"\1", cell)
        for row in body
        for right, cell in zip(header[1:], row[1:], strict=True)
    }
    assert found == texts(content)
    bold = sum(cell.startswith("**") for row in body for cell in row[1:])
    assert bold == (content.differing if content.versus else 0)


@pytest.mark.parametrize("name", TABLES)
def test_json(name: str) -> None:
    content = TABLES[name]
    data: dict[str, Any] = json.loads(table_json(content))
    assert (data["version"], data["system"], data["versus"]) == (1, content.system, content.versus)
    named = {each["name"]: each["short"] for each in data["operands"]}
    assert list(named.values()) == heads(content)
    assert len(named) == len(content.operands)
    cells = {(named[cell["left"]], named[cell["right"]]): cell for cell in data["cells"]}
    assert cells.keys() == texts(content).keys()
    for (left, right), cell in content.cells.items():
        ours = cells[content.short(left), content.short(right)]
        assert (ours["result"], ours["reason"]) == (cell.outcome.result, cell.outcome.reason)
        assert ours.get("differs", False) == cell.differs
        if cell.versus is not None:
            assert ours["versus"]["result"] == cell.versus.result


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_every_key_of_the_json_is_documented() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = page.split("## The JSON of a table")[1].split("\n## ")[0]
    documented = set(re.findall(r"^\| `(?:\w+\[\]\.)?(\w+)`", section, re.MULTILINE))
    used = keys_of(json.loads(table_json(TABLES["torch jax"])))
    assert documented == used


class _Cells(HTMLParser):
    """The cells of a page, and the external resources that it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[str] = []
        self.rows: list[tuple[str, list[tuple[str, str]]]] = []
        self.outside: list[str] = []
        self._into = ""
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.outside += [str(given[name]) for name in ("src", "href") if given.get(name)]
        self._hidden = given.get("class") == "hidden"
        if tag == "th":
            self._into = str(given["scope"])
            if self._into == "col":
                self.columns.append("")
            else:
                self.rows.append(("", []))
        elif tag == "td" and self.rows:
            self._into = "cell"
            self.rows[-1][1].append((str(given["class"]), ""))

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False
        if tag in ("th", "td"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._hidden or not self._into:
            return
        if self._into == "col":
            self.columns[-1] += data
        elif self._into == "row":
            self.rows[-1] = (self.rows[-1][0] + data, self.rows[-1][1])
        else:
            name, before = self.rows[-1][1][-1]
            self.rows[-1][1][-1] = (name, before + data)


@pytest.mark.parametrize("name", TABLES)
def test_html(name: str) -> None:
    content = TABLES[name]
    page = _Cells()
    page.feed(table_html(content))
    assert page.columns == heads(content)
    found = {
        (left, right): (name, re.sub(r"\s", "", cell))
        for left, cells in page.rows
        for right, (name, cell) in zip(page.columns, cells, strict=True)
    }
    assert {pair: cell for pair, (_, cell) in found.items()} == texts(content)
    assert {pair for pair, (name, _) in found.items() if "differs" in name.split()} == {
        (content.short(left), content.short(right)) for (left, right), cell in content.cells.items() if cell.differs
    }
    assert page.outside == []


def test_the_headers_of_the_page_stay_visible() -> None:
    page = table_html(TABLES["jax"])
    assert "thead th{position:sticky;top:0" in page
    assert "tbody th{position:sticky;left:0" in page
    assert "<script" not in page
    assert "prefers-color-scheme:dark" in page
    assert '<html lang="en">' in page


def test_a_rejected_cell_gives_the_reason() -> None:
    page = table_html(TABLES["torch"])
    refused = TABLES["torch"].cells[Operand.of("uint16"), Operand.of("int8")].outcome
    assert refused.reason
    assert f"uint16 with int8: rejected, {refused.reason}; {refused.remedy}" in page
