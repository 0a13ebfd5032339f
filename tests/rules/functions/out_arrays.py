"""Calls with an array for the result, `out=z`: its dtype decides with those of the other arguments."""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from tests.rules.functions.expressions import PYTHON
from tests.rules.functions.measuring import Laboratory, Report, one_in

#: Dtypes of which one is accepted by nearly every function.
_TRIED = ("float32", "int64", "bool", "complex64")
_CASTINGS = ("unsafe", "safe")


@dataclass(frozen=True)
class OutArrays:
    """Calls every function of a library with an array for its result."""

    laboratory: Laboratory
    empty: Callable[[tuple[int, ...], str], object]
    """An array of that shape and dtype."""
    mixed: str = ""
    """The variables that may be Python numbers."""

    def report(self, library: str, *calls: Iterable[tuple[str, Iterable[str]]]) -> Report:
        """Compare the first call of each function and method, with every dtype of the array for its result."""
        found = Report(library)
        for name, texts in chain(*calls):
            for text in islice(texts, 1):
                self._compare(name, text, found)
        return found

    def _compare(self, name: str, text: str, report: Report) -> None:
        calls = list(calls_with_out(self.laboratory.read(text).row, text))
        shape = self._shape(text) if calls else None
        if shape is None:
            return
        report.rows += 1
        for changed in calls:
            asked, code = self.laboratory.read(changed), compile(changed, name, "eval")
            for dtypes in self._combinations(text):
                values = {variable: self.laboratory.value(variable, dtype) for variable, dtype in dtypes.items()}
                given = {**self.laboratory.globals, **values, "z": self.empty(shape, dtypes["z"])}
                ordered = {variable: dtypes[variable] for variable in asked.variables}
                self.laboratory.note(report, changed, asked, ordered, self.laboratory.measure(code, given))

    def _combinations(self, text: str) -> Iterator[dict[str, str]]:
        """All dtypes of one array, about every seventh pair of several, each with every dtype of the result."""
        variables = self.laboratory.read(text).variables
        chosen = one_in(7) if len(variables) > 1 else lambda _: True
        for dtypes in self.laboratory.combinations(variables, self.mixed):
            if chosen(tuple(dtypes.values())):
                for dtype in self.laboratory.dtypes:
                    yield {**dtypes, "z": dtype}

    def _shape(self, text: str) -> tuple[int, ...] | None:
        """The shape of the result; None if there are several results, or for none of some dtypes."""
        code = compile(text, text, "eval")
        for dtype in _TRIED:
            values = {each: self.laboratory.value(each, dtype) for each in self.laboratory.read(text).variables}
            try:
                result = eval(code, {**self.laboratory.globals, **values})
            except (TypeError, ValueError, RuntimeError):
                continue
            return tuple(result.shape) if hasattr(result, "shape") else None
        return None


def calls_with_out(row: Row, text: str) -> Iterator[str]:
    """The call with `out=z`, also with arguments for the cast; none if the function does not take it, or has it."""
    names = {parameter.name for parameter in signature(row.signature).parameters}
    call = ast.parse(text, mode="eval").body
    if "out" not in names or not isinstance(call, ast.Call) or _names(call) & {"z", "d", *PYTHON}:
        return
    call.keywords.append(ast.keyword("out", ast.Name("z")))
    yield ast.unparse(call)
    if "casting" in names:
        for casting in _CASTINGS:
            yield f"{ast.unparse(call)[:-1]}, casting='{casting}')"


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
