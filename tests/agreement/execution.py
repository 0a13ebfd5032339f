"""Execute a program, and record the dtypes of the values of its expressions."""

import ast
import contextlib
import warnings
from typing import Any, NamedTuple

from promo_runtime.actual_dtypes import actual_dtype, dtype_text
from promo_runtime.validation.confirmed_sources import LOOK, with_looks
from promo_runtime.validation.inferred_expressions import Span
from tests.agreement.programs import Program
from tests.time_limits import time_limit


class Executed(NamedTuple):
    """The value of an expression: the dtype of an array or NumPy scalar, or "" for anything else."""

    dtype: str
    weak: bool


class Execution:
    """The values of all expressions of one execution, by their places."""

    def __init__(self, program: Program, *, may_fail: bool = False) -> None:
        """Execute the program. Raises its exceptions, unless it may fail: then the values before that are kept.

        One that takes too long raises TimeLimitError.
        """
        self.values: dict[Span, set[Executed]] = {}
        tree = ast.parse(program.source())
        statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
        self.locals = {span_of(value) for value in statements if isinstance(value, ast.Name)}
        self._spans = list({span_of(node) for node in ast.walk(tree) if isinstance(node, ast.expr)})
        tree = with_looks(tree, {span: number for number, span in enumerate(self._spans)})
        code = compile(ast.fix_missing_locations(tree), program.name, "exec")
        failures = (Exception,) if may_fail else ()
        limited = time_limit(f"{program.name}:\n{program.source()}")
        with warnings.catch_warnings(), contextlib.suppress(*failures), limited:
            ignore_warnings()
            exec(code, {"__name__": program.name, LOOK: self._look})

    @property
    def lines(self) -> frozenset[int]:
        """The lines where something was evaluated."""
        return frozenset(span.line for span in self.values)

    def _look(self, value: Any, number: int) -> Any:
        self.values.setdefault(self._spans[number], set()).add(executed(value))
        return value


def ignore_warnings() -> None:
    """Ignore warnings, but raise the one by which JAX announces an error."""
    warnings.simplefilter("ignore")
    warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)


def texts(program: Program) -> dict[Span, str]:
    """The expressions of a program, by their places."""
    tree = ast.parse(program.source())
    return {span_of(node): ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.expr)}


def executed(value: Any) -> Executed:
    """The description of a value."""
    actual = actual_dtype(value)
    if actual is None:
        return Executed("", False)
    name = dtype_text(actual)
    return Executed(name, name != "bool" and bool(getattr(value, "weak_type", False)))


def run(text: str, names: dict[str, Any]) -> None:
    """Execute statements in these names. Raises their exceptions, or TimeLimitError."""
    with warnings.catch_warnings(), time_limit(text):
        ignore_warnings()
        exec(compile(text, "<statement>", "exec", dont_inherit=True), names)


def span_of(node: ast.expr) -> Span:
    """The place of a node."""
    return Span(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
