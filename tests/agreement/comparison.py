"""Compare the types that mypy infers in programs with their execution, and count the results."""

import ast
from collections import Counter
from dataclasses import dataclass, field

from promo_mypy.program.expressions import InferredExpression
from promo_runtime.validation.inferred_expressions import Span
from tests.agreement.execution import Executed, Execution, texts
from tests.agreement.inferred import Inferred
from tests.agreement.programs import Program

#: These codes mean that the library raises an exception.
REFUSALS = frozenset({"promo-undefined", "promo-overflow", "promo-inplace", "promo-carry"})
FAILURE = "promo-failure"
#: If mypy or another library's stubs reject a line, the types of its names are guesses.
_STOCK_ERRORS = frozenset(
    {
        *("arg-type", "assignment", "attr-defined", "call-arg", "call-overload", "dict-item", "index", "list-item"),
        *("misc", "operator", "union-attr"),
    }
)
_NOWHERE = 10**6
WEAKNESS = "weak, and inferred as strong, or the other way round"


@dataclass(frozen=True)
class Disagreement:
    """An expression whose value has another dtype than the inferred one, or an error about a line that runs."""

    program: Program
    line: int
    text: str
    what: str
    is_refusal: bool = False

    def __str__(self) -> str:
        return f"{self.program.name}:{self.line}: {self.text}: {self.what}"


@dataclass
class Report:
    """Counts of a comparison. Locals are counted where they are read after their assignment."""

    programs: int = 0
    statements: int = 0
    locals: Counter[str] = field(default_factory=Counter)
    expressions: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    """Number of statements that the library rejects: reported and not."""
    cut: int = 0
    """Number of programs that are compared only up to a line that stock mypy rejects."""
    unexecuted: list[str] = field(default_factory=list)
    """Number of programs that did not run again as they ran while they were written."""
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, program: Program, execution: Execution, inferred: Inferred) -> None:
        """Compare one program."""
        self.programs += 1
        self.statements += len(program.statements)
        tree = ast.parse(program.source())
        wrong: list[tuple[Span, str]] = []
        errors = (error.line for error in inferred.errors if error.code in _STOCK_ERRORS)
        end = min((_first_line(tree, line) for line in errors), default=_NOWHERE)
        self.cut += end < _NOWHERE
        refused = program.refused_lines()
        for span, values in execution.values.items():
            if span.line >= end or span.line in refused or all(not value.dtype for value in values):
                continue
            verdict, what = compared(inferred.expressions.get(span), values)
            self.expressions[verdict] += 1
            if span in execution.locals:
                self.locals[verdict] += 1
            if verdict == "wrong":
                wrong.append((span, what))
        self.disagreements += [
            Disagreement(program, span.line, texts(program)[span], what) for span, what in _first(wrong)
        ]
        self._note_errors(program, execution, inferred, end)

    def _note_errors(self, program: Program, execution: Execution, inferred: Inferred, end: int) -> None:
        refused = program.refused_lines()
        reported = {error.line for error in inferred.errors if error.code in REFUSALS and error.line in refused}
        self.refusals["reported"] += len(reported)
        self.refusals["not reported"] += len(refused) - len(reported)
        # Some errors of mypy have no column.
        places = {(span.line, column) for span in execution.values for column in (span.column, -1)}
        lines = program.source().splitlines()
        vague = {span.line for span, each in inferred.expressions.items() if each.dtype is None}
        vague |= _lines_of_items(program)
        for error in inferred.errors:
            executed = error.line < end and (error.line, error.column - 1) in places and error.line not in refused
            what, text = f"{error.code}: {error.text}", lines[error.line - 1].strip()
            if error.code == FAILURE:
                self.disagreements.append(Disagreement(program, error.line, text, what))
            # For operands of several possible dtypes, mypy requires that all of them are accepted.
            if error.code in REFUSALS and executed and error.line not in vague:
                self.disagreements.append(Disagreement(program, error.line, text, what, is_refusal=True))

    def __iadd__(self, other: "Report") -> "Report":
        """Add the counts of another comparison."""
        self.programs += other.programs
        self.cut += other.cut
        self.statements += other.statements
        self.locals += other.locals
        self.expressions += other.expressions
        self.refusals += other.refusals
        self.unexecuted += other.unexecuted
        self.disagreements += other.disagreements
        return self

    def __str__(self) -> str:
        reported, refused = self.refusals["reported"], self.refusals.total()
        return (
            f"{self.programs} programs ({self.cut} cut), {self.statements} statements; "
            f"locals: {_figures(self.locals)}; all expressions: {_figures(self.expressions)}; "
            f"refusals of the library: {reported} of {refused} reported; {len(self.disagreements)} disagreements"
        )


def _lines_of_items(program: Program) -> set[int]:
    """The lines where an in-place operator binds an item or an attribute, for which nothing is inferred."""
    statements = (node for node in ast.walk(ast.parse(program.source())) if isinstance(node, ast.AugAssign))
    return {statement.lineno for statement in statements if isinstance(statement.target, ast.Subscript | ast.Attribute)}


def compared(inferred: InferredExpression | None, values: set[Executed]) -> tuple[str, str]:
    """How the values of an expression match the inferred dtypes: "exact", "several", "unknown" or "wrong"."""
    if inferred is None or not inferred.dtypes:
        return "unknown", ""
    for value in values:
        if value.dtype and value.dtype not in inferred.dtypes:
            return "wrong", f"{value.dtype}, inferred {' | '.join(inferred.dtypes)}"
        # One strong dtype is a promise; several may come from an annotation, which does not tell weakness.
        exact = inferred.dtype is not None and value.dtype not in ("", "bool")
        if exact and inferred.weak not in (None, value.weak):
            return "wrong", WEAKNESS
    return ("exact" if len(inferred.dtypes) == 1 else "several"), ""


def _first_line(tree: ast.Module, error: int) -> int:
    """The first line where mypy's types may be guesses: that of the statement with the error, or of the first class."""
    body = [each for node in tree.body for each in (node.body if isinstance(node, ast.FunctionDef) else [node])]
    inside = [node for node in body if node.lineno <= error <= (node.end_lineno or node.lineno)]
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    is_attribute = any(isinstance(node, ast.Attribute | ast.ClassDef) for each in inside for node in ast.walk(each))
    return min(node.lineno for node in [*inside, *(classes if is_attribute else [])]) if inside else error


def _first(wrong: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Only the first place, and there the innermost: after it the rest of the program is wrong as a consequence."""
    return sorted(wrong, key=lambda each: (each[0].line, each[0].end_line, each[0].end_column, -each[0].column))[:1]


def _figures(counts: Counter[str]) -> str:
    kinds = ("exact", "several", "unknown", "wrong")
    return f"{counts.total()}, " + ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
