"""Execute calls in a real library over all combinations of dtypes, and compare the results with the rules."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, product
from types import CodeType
from typing import Any
from zlib import crc32

import pytest

from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.operands import Form
from promo_mypy.rules.promotion import PromotionSystem
from tests.rules.functions.expressions import (
    ARRAYS,
    MIXED,
    NO_FORMS,
    PYTHON,
    PYTHON_DTYPES,
    Expression,
    agree,
    expression,
    spelled,
)

DTYPES: tuple[str, ...] = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip
"""The dtypes of libraries that have NumPy's."""
OTHER_DTYPES = frozenset({"out_type", "output_type"})
"""Parameters that take a dtype, beside those whose names end so."""
NUMBERS: Mapping[str, object] = {"py_bool": True, "py_int": 1, "py_float": 1.0, "py_complex": 1j}


def sampled(names: tuple[str, ...]) -> bool:
    """Equal dtypes, and every seventh of the other pairs, for libraries that call NumPy. NumPy has all of them."""
    one, other, *_ = ([*DTYPES, *PYTHON].index(name) for name in names)
    return one == other or (one + other) % 7 == 0


def one_in(count: int) -> Callable[[tuple[str, ...]], bool]:
    """Equal dtypes, and about one in so many of the other combinations, always the same."""
    return lambda names: len(set(names)) == 1 or crc32(" ".join(names).encode()) % count == 0


def by_signature(row: Row, prefix: str, names: str = "xyz") -> str:
    """A call with an array for every required argument: `np.add(x, y)`."""
    required = [p for p in signature(row.signature).parameters if p.default is None and p.positional]
    return f"{prefix}.{row.name}({', '.join(names[: len(required)])})"


def with_dtype(row: Row, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The calls, and the first one with a dtype argument that varies, if the function takes one and none has it."""
    if not texts or any(re.search(r"\bd\b", text) for text in texts):
        return texts
    named = (parameter.name for parameter in signature(row.signature).parameters)
    taken = next((name for name in named if name.endswith("dtype") or name in OTHER_DTYPES), None)
    call = ast.parse(texts[0], mode="eval").body
    if taken is None or not isinstance(call, ast.Call):
        return texts
    call.keywords.append(ast.keyword(taken, ast.Name("d")))
    return (*texts, ast.unparse(call))


def written(calls: Mapping[str, str], prefix: str = "") -> dict[str, tuple[str, ...]]:
    """Name -> all calls written for it, from names that share calls."""
    found: dict[str, tuple[str, ...]] = {}
    for names, texts in calls.items():
        for name in names.split():
            more = tuple(text.strip().replace("{}", prefix + name) for text in texts.split(";") if text.strip())
            found[name] = (*found.get(name, ()), *more)
    return found


def calls_of(
    functions: Mapping[str, Row], calls: Mapping[str, Iterable[str]], not_called: str, prefix: str, under: str = ""
) -> Iterator[tuple[str, Iterable[str]]]:
    """Every function with its calls: those written for it, or the one of its signature; none if `not_called` lists it.
    `under` begins names in the library that `calls` leaves out.
    """
    skipped = not_called.split()
    for name, row in functions.items():
        short = name.removeprefix(under)
        # The methods of generators are the distributions of the module; `at` returns nothing.
        if not short.startswith(("random.Generator.", "random.RandomState.")) and not short.endswith(".at"):
            yield name, () if short in skipped else calls.get(short) or (by_signature(row, prefix),)


@dataclass
class Report:
    """The result of a comparison."""

    library: str
    rows: int = 0
    cells: int = 0
    unknown: int = 0
    """Number of cells where the library gives a dtype and the rules do not know it."""
    differences: list[str] = field(default_factory=list)
    """Unexpected differences: "call dtypes: measured -> ours"."""
    explained: Counter[str] = field(default_factory=Counter)
    """Deliberate differences: pattern -> how many cells."""

    def __str__(self) -> str:
        return (
            f"{self.library}: {self.rows} rows, {self.cells} cells, {self.unknown} left open, "
            f"{self.explained.total()} deliberate differences, {len(self.differences)} others"
        )

    def show(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Print the figures, also where pytest captures the output."""
        with capsys.disabled():
            sys.stdout.write(f"\n{self}\n")


@dataclass(frozen=True)
class Laboratory:
    """A real library: how to make its variables and name its results."""

    system: PromotionSystem
    array_class: str
    namespaces: tuple[tuple[str, str], ...]
    globals: Mapping[str, object]
    dtypes: tuple[str, ...]
    """The dtypes of a variable."""
    value: Callable[[str, str], object]
    """(variable, dtype) -> its value; for the variable d the dtype itself."""
    measure: Callable[[CodeType, dict[str, object]], str]
    """The dtype of the result, or "!" and the exception."""
    expected: Mapping[str, str]
    """Deliberate differences: pattern of the text of one -> the reason."""
    pairs: Callable[[tuple[str, ...]], bool] = lambda _: True
    """Which combinations of several variables are tried."""

    def read(self, text: str) -> Expression:
        """The call in that text."""
        return expression(text, self.array_class, self.namespaces)

    def combinations(self, variables: tuple[str, ...], mixed: str = MIXED) -> Iterator[dict[str, str]]:
        """The dtypes of variables: all of them, three variables along the diagonal of the last two.

        `mixed`: the variables that may be Python numbers.
        """
        strong = [name for name in self.dtypes if not name.endswith("*")]
        choices = [
            [*self.dtypes, *PYTHON] if v in mixed else strong if v == "d" else self.dtypes for v in variables[:2]
        ]
        for names in product(*choices):
            if len(names) > 1 and (set(names) <= set(PYTHON) or not self.pairs(names)):
                continue
            more = (_named(names[-1]) if variable == "d" else names[-1] for variable in variables[2:])
            yield dict(zip(variables, (*names, *more), strict=True))

    def report(self, library: str, *calls: Iterable[tuple[str, Iterable[str]]]) -> Report:
        """Compare every cell of functions, methods and attributes: pairs of a name and its calls."""
        found = Report(library)
        for name, texts in chain(*calls):
            self.compare(name, texts, found)
        return found

    def compare(self, name: str, texts: Iterable[str], report: Report) -> None:
        """Add every cell of the calls of one function to the report."""
        report.rows += 1
        every = tuple(texts)
        for text in with_dtype(self.read(every[0]).row, every) if every else ():
            asked, code = self.read(text), compile(text, name, "eval")
            for dtypes in self.combinations(asked.variables):
                values = {variable: self.value(variable, dtype) for variable, dtype in dtypes.items()}
                self.note(report, text, asked, dtypes, self.measure(code, {**self.globals, **values}))

    def compare_scalars(
        self,
        name: str,
        texts: Iterable[str],
        forms: Mapping[Form, Callable[[Any], object]],
        report: Report,
        changes: Iterable[Callable[[Any], object]] = (),
    ) -> None:
        """Compare every cell that the library accepts with some or all of the arrays in another form.

        `forms`: form -> what makes an operand of that form of an array. Functions also take Python numbers for arrays.
        `changes` make further arrays of the arrays: every different result of a cell counts.
        """
        report.rows += 1
        for text in texts:
            asked, code = self.read(text), compile(text, name, "eval")
            arrays = [variable for variable in asked.variables if variable in ARRAYS + MIXED]
            for dtypes in self.combinations(asked.variables, MIXED if text.startswith("x.") else ARRAYS + MIXED):
                if dtypes.get("d") in PYTHON:
                    continue
                values = {variable: self.value(variable, dtype) for variable, dtype in dtypes.items()}
                every = [values, *({v: change(x) for v, x in values.items()} for change in changes)]
                changed = [variable for variable in arrays if dtypes[variable] not in PYTHON]
                scalars = set(product(*([variable in changed, False] for variable in arrays)))
                for form, chosen in product(forms, scalars):
                    if not any(chosen) and len(changed) == len(arrays):
                        continue
                    made = dict.fromkeys((v for v, each in zip(arrays, chosen, strict=True) if each), form)
                    given = ({v: forms[form](x) if v in made else x for v, x in each.items()} for each in every)
                    results = {self._accepted(code, each) for each in given}
                    for measured in (result for result in results if result is not None):
                        self.note(report, text, asked, dtypes, measured, made)

    def _accepted(self, code: CodeType, values: Mapping[str, object]) -> str | None:
        """The dtype of the result; None for a rejection."""
        try:
            measured = self.measure(code, {**self.globals, **values})
        except Exception:  # any exception, since dimensions are missing
            return None
        return None if measured.startswith("!") else measured

    def note(
        self,
        report: Report,
        text: str,
        asked: Expression,
        dtypes: Mapping[str, str],
        measured: str,
        forms: Mapping[str, Form] = NO_FORMS,
    ) -> None:
        """Add one cell to the report."""
        ours = spelled(asked.ask(self.system, dtypes, forms))
        report.cells += 1
        # A result without a dtype of the rules cannot be inferred.
        report.unknown += "?" in ours and "object" not in measured and not measured.startswith("!")
        if agree(measured, ours):
            return
        shown = (f"{dtype} {forms[v].value}" if v in forms else dtype for v, dtype in dtypes.items())
        difference = f"{text} {', '.join(shown)}: {measured} -> {ours}"
        pattern = next((p for p in self.expected if re.fullmatch(p, difference)), None)
        if pattern is None:
            report.differences.append(difference)
        else:
            report.explained[pattern] += 1


def _named(dtype: str) -> str:
    """The dtype that a dtype argument can name: not that of a Python number, and never weak."""
    return PYTHON_DTYPES.get(dtype.removeprefix("py_"), dtype.removesuffix("*"))
