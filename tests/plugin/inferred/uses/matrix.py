"""Use values in places, with the plugin and without it, and compare mypy's errors cell by cell."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.mypy_runs import Message, run_mypy
from tests.plugin.inferred.uses.rows import CERTAIN, EXPRESSIONS, LOST, MORE_EXACT, PRELUDE, USES, VALUES

#: The program uses functions without annotations, as code without dtypes does.
_SETTINGS = "\n".join(
    (
        *(f"allow_{name} = true" for name in ("untyped_defs", "incomplete_defs", "untyped_calls", "any_generics")),
        *(f"warn_{name} = false" for name in ("return_any", "unused_ignores")),
    )
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A use, and the expression in it."""

    use: str
    expression: str

    def text(self) -> str:
        """The function that uses the expression."""
        body = re.sub(r"\bE\b", lambda _: f"({self.expression})", self.use)
        return f"def _() -> Any:\n    {body}\n"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first error of each cell that mypy reports with the plugin alone, or without it alone."""

    cells: int
    new: Mapping[Cell, Message]
    lost: Mapping[Cell, Message]


def cells(library: str, every: int = 1) -> Sequence[Cell]:
    """All cells of a library, or one in so many."""
    expressions = [each for each in EXPRESSIONS[library] if each not in MORE_EXACT[library]]
    return [Cell(use, expression) for expression, use in product(expressions, USES)][::every]


def expected_lost(library: str, chosen: Sequence[Cell]) -> set[Cell]:
    """Those of some cells for which a reason is written why they lose an error."""
    return {cell for cell in chosen if (cell.use, cell.expression) in LOST[library]}


def program(library: str, chosen: Sequence[Cell]) -> str:
    """A program with the functions of these cells."""
    return PRELUDE + VALUES[library] + "".join(cell.text() for cell in chosen)


def compare(library: str, chosen: Sequence[Cell], folder: Path, plugin_cache: Path, stock_cache: Path) -> Comparison:
    """Check the functions of these cells. An error of the plugin is not a new one: it stands for one of mypy's."""
    (folder / "uses.py").write_text(program(library, chosen), encoding="utf-8")
    places = dict(_places(chosen, program(library, ()).count("\n") + 1))
    found, reported = [], set[Cell]()
    for plugin in (True, False):
        cache = plugin_cache if plugin else stock_cache
        run = run_mypy(folder, "uses.py", cache=cache, plugin=plugin, settings=_SETTINGS)
        assert run.errors(), run.output
        errors: dict[Cell, Message] = {}
        for error in run.errors():
            if (error.code or "").startswith("promo-"):
                reported |= {places[error.line]} if error.line in places else set()
            elif error.line in places:
                errors.setdefault(places[error.line], error)
        found.append(errors)
    with_plugin, stock = found
    return Comparison(
        len(chosen),
        {cell: error for cell, error in with_plugin.items() if cell not in stock and cell.use not in CERTAIN},
        {cell: error for cell, error in stock.items() if cell not in with_plugin and cell not in reported},
    )


def _places(chosen: Sequence[Cell], line: int) -> Iterator[tuple[int, Cell]]:
    """Line -> the cell there."""
    for cell in chosen:
        for _ in range(cell.text().count("\n")):
            yield line, cell
            line += 1
