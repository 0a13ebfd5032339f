"""Compute the table of every operand with every operand, under one promotion system or two."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from promo_mypy.cli.formats.short_names import short_names
from promo_mypy.rules.dtypes import DTYPES, PYTHON_SCALARS, PythonScalar, Shaped, key
from promo_mypy.rules.operands import Operand, Refusal, Result
from promo_mypy.rules.promotion import PromotionSystem

REFUSED: Final = "-"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of one system in one cell: a dtype, or the reason and remedy of a refusal."""

    result: str | None
    reason: str | None = None
    remedy: str | None = None
    brief: str = REFUSED
    """The short name of the result."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The answer of the system, and that of the other one, if there is one."""

    outcome: Outcome
    versus: Outcome | None = None

    @property
    def differs(self) -> bool:
        """Whether the other system gives another dtype. Refusals are equal, whatever their reasons."""
        return self.versus is not None and self.versus.result != self.outcome.result

    @property
    def text(self) -> str:
        """The short name, "f16" or "-"; both short names if the systems differ: "f16≠f32"."""
        return f"{self.outcome.brief}≠{self.versus.brief}" if self.versus and self.differs else self.outcome.brief


@dataclass(frozen=True)
class Table:
    """Rows are left operands, columns right ones."""

    system: str
    versus: str | None
    operation: str
    operands: tuple[Operand, ...]
    cells: Mapping[tuple[Operand, Operand], Cell]
    absent: tuple[str, ...]
    """Operands that are left out because the other system has no such arrays."""
    names: Mapping[type[Shaped] | type[PythonScalar], str]
    """Operand or result -> its short name here."""
    rank_matters: bool
    """Whether one of the systems treats 0-d arrays differently. The table is for n-d arrays."""

    @cached_property
    def differing(self) -> int:
        """The number of cells that differ."""
        return sum(cell.differs for cell in self.cells.values())

    @property
    def title(self) -> str:
        """The title of the table."""
        versus = f", compared with {self.versus}" if self.versus else ""
        what = "promotion" if self.operation == "promote" else self.operation
        return f"{self.system}: {what}{versus}"

    @cached_property
    def legend(self) -> Mapping[str, str]:
        """Short name -> the name, or its meaning: first the operands, then results that are not operands."""
        shown = [operand.dtype for operand in self.operands]
        results = [each for each in DTYPES.values() if each in self.names]
        names = {self.names[dtype]: meaning(Operand(dtype)) for dtype in dict.fromkeys([*shown, *results])}
        return {brief: name for brief, name in names.items() if brief != name}

    def short(self, operand: Operand) -> str:
        """The name of a row or column."""
        return self.names[operand.dtype]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader of the cells."""
        found = ["Rows are left operands, columns right ones."]
        if any(REFUSED in cell.text for cell in self.cells.values()):
            found.append(f'"{REFUSED}" means rejected.')
        if self.versus:
            share = f"{self.differing} of {len(self.cells)} cells"
            found.append(f'"a≠b" is a under {self.system} and b under {self.versus}: {share}.')
        if self.absent:
            found.append(f"Left out, as {self.versus} has no such arrays: {', '.join(self.absent)}.")
        if self.rank_matters:
            found.append("For arrays of at least one dimension; 0-d arrays may yield to those.")
        return tuple(found)


def meaning(operand: Operand) -> str:
    """An operand in words: "float32", "weak float64", "Python int"."""
    if issubclass(operand.dtype, PythonScalar):
        return f"Python {operand.name}"
    return f"weak {operand.dtype.strong.name}" if operand.dtype.weak else operand.name


def table(
    system: PromotionSystem,
    versus: PromotionSystem | None = None,
    *,
    operation: str = "promote",
    everything: bool = False,
) -> Table:
    """The table of a system's ordinary dtypes with its weak dtypes or Python numbers, as in the libraries' documents.

    `everything`: all its dtypes, and all four Python scalars. In a comparison with a system without weak arrays, Python
    numbers stand for the weak dtypes. Operands without arrays in `versus` are left out.
    """
    operands = _everything(system) if everything else system.operands
    absent: list[str] = []
    if versus is not None:
        kept: list[Operand] = []
        for operand in operands:
            dtype = operand.dtype
            if issubclass(dtype, PythonScalar) or versus.has(dtype):
                kept.append(operand)
            elif dtype.weak:
                kept.append(Operand(next(each for each in PYTHON_SCALARS.values() if each.kind == dtype.kind)))
            else:
                absent.append(operand.name)
        operands = tuple(dict.fromkeys(kept))
    systems = (system,) if versus is None else (system, versus)
    answers = {
        (left, right): [_answer(each, operation, left, right) for each in systems]
        for left, right in product(operands, repeat=2)
    }
    results = (answer for row in answers.values() for answer in row if not isinstance(answer, Refusal))
    names = short_names([*(operand.dtype for operand in operands), *results])
    return Table(
        system.name,
        versus.name if versus else None,
        operation,
        operands,
        {pair: Cell(*(_outcome(answer, names) for answer in row)) for pair, row in answers.items()},
        tuple(absent),
        names,
        any(each.rank_matters for each in systems),
    )


def _answer(system: PromotionSystem, operation: str, left: Operand, right: Operand) -> Result:
    return system.promote(left, right) if operation == "promote" else system.resolve(operation, left, right)


def _outcome(answer: Result, names: Mapping[type[Shaped] | type[PythonScalar], str]) -> Outcome:
    if isinstance(answer, Refusal):
        return Outcome(None, answer.reason, answer.remedy)
    return Outcome(answer.name, brief=names[answer])


def _everything(system: PromotionSystem) -> tuple[Operand, ...]:
    strong = (dtype for dtype in DTYPES.values() if not dtype.weak and dtype is not key and system.has(dtype))
    scalars = map(Operand, PYTHON_SCALARS.values())
    return (*map(Operand, strong), *map(Operand, system.weak_dtypes), *scalars)
