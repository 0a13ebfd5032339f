"""Compare the values of inferred expressions with their dtypes while tests run, and count the results."""

import ast
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from promo_runtime.actual_dtypes import actual_dtype, dtype_text
from promo_runtime.validation.confirmed_sources import with_looks
from promo_runtime.validation.empty_sequences import following
from promo_runtime.validation.inferred_expressions import InferredExpression, Span


@dataclass(slots=True)
class Sightings:
    """The observations of one expression.

    Attributes:
        right: how often the dtype was right.
        wrong: wrong dtype -> how often.
        first: the first test in which it was wrong.
    """

    right: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    first: str = ""

    def add(self, other: "Sightings") -> None:
        """Add the observations of another process."""
        self.right += other.right
        self.wrong.update(other.wrong)
        self.first = self.first or other.first


class Confirmations:
    """Checks the values of expressions.

    Attributes:
        expressions: the expressions. Their positions here are their numbers.
        seen: the observations of each expression.
        placed: the numbers of the checked expressions in imported modules.
        left_out: the numbers of those that cannot be checked: another hook loads their module, or another library
            compiles their function.
    """

    def __init__(self, expressions: Sequence[InferredExpression]) -> None:
        self.expressions = expressions
        self.seen = [Sightings() for _ in expressions]
        self.placed: set[int] = set()
        self.left_out: set[int] = set()
        self._passed: list[set[tuple[type, Any]]] = [set() for _ in expressions]
        self._sources = _Sources()
        self._files: dict[str, dict[Span, int]] = {}
        for number, expression in enumerate(expressions):
            self._files.setdefault(expression.path, {})[expression.span] = number

    def instrument(self, tree: ast.Module, path: str) -> ast.Module:
        """A module's tree with a check of each of its expressions."""
        numbers = self._files.get(str(Path(path).resolve()), {})
        placed: set[int] = set()
        changed = with_looks(tree, numbers, placed) if numbers else tree
        self.placed |= placed
        self.left_out |= set(numbers.values()) - placed
        return changed

    def leave_out(self, path: str) -> None:
        """Note that a module is not instrumented. The file of an extension module stands for the source beside it."""
        file = Path(path).resolve()
        source = file if file.suffix == ".py" else file.with_name(f"{file.name.partition('.')[0]}.py")
        self.left_out.update(self._files.get(str(source), {}).values())

    def look(self, value: Any, number: int) -> Any:
        """Record the dtype of a value and return the value. Only arrays count; Python numbers do not."""
        given = getattr(value, "dtype", None)
        if given is None:
            return value
        try:
            if (type(value), given) in self._passed[number]:
                self.seen[number].right += 1
                return value
        except TypeError:  # an attribute of that name that is not a dtype
            return value
        actual = actual_dtype(value)
        if actual is None:
            return value
        seen = self.seen[number]
        if actual in self.expressions[number].dtypes:
            self._passed[number].add((type(value), given))
            seen.right += 1
        else:
            seen.wrong[dtype_text(actual)] += 1
            seen.first = seen.first or os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)")
        return value

    def state(self) -> list[Any]:
        """The observations as plain values, for transfer between processes."""
        seen = {
            number: [each.right, dict(each.wrong), each.first]
            for number, each in enumerate(self.seen)
            if each.right or each.wrong
        }
        return [list(seen.items()), sorted(self.placed), sorted(self.left_out)]

    def add(self, state: Iterable[Any]) -> None:
        """Add the `state` of another process with the same expressions."""
        seen, placed, left_out = state
        for number, (right, wrong, first) in seen:
            self.seen[number].add(Sightings(right, Counter(wrong), first))
        self.placed.update(placed)
        self.left_out.update(left_out)

    def report(self, names: Mapping[str, str]) -> list[str]:
        """One line for each expression that differs. `names`: absolute path -> name of the file in messages."""
        return [self._line(number, names) for number in sorted(self._differing() - self._of_empty())]

    def report_of_empty(self, names: Mapping[str, str]) -> list[str]:
        """The same for the expressions that differ because a sequence was empty."""
        return [self._line(number, names) for number in sorted(self._differing() & self._of_empty())]

    def _line(self, number: int, names: Mapping[str, str]) -> str:
        each, seen = self.expressions[number], self.seen[number]
        first = f" first in {seen.first}" if seen.first else ""
        place = f"{names.get(each.path, each.path)}:{each.span.line}:{each.span.column + 1}"
        return f"{place}: {self._sources.text(each)}: {each.text}, was {_counted(seen)}{first}"

    def _differing(self) -> set[int]:
        return {number for number, seen in enumerate(self.seen) if seen.wrong}

    def _of_empty(self) -> set[int]:
        """The expressions that differ where a call has had the dtype of an empty sequence, or after such a call."""
        calls: dict[str, set[Span]] = {}
        for number in self._differing():
            each = self.expressions[number]
            if set(self.seen[number].wrong) <= {dtype_text(dtype) for dtype in each.if_empty}:
                calls.setdefault(each.path, set()).add(each.span)
        places = {path: following(ast.parse(self._sources.content(path)), spans) for path, spans in calls.items()}
        return {number for number, each in enumerate(self.expressions) if each.span in places.get(each.path, ())}

    def summary(self) -> str:
        """The numbers of confirmed, different and never reached expressions, and of those that cannot be checked."""
        wrong, empty = self._differing(), self._of_empty()
        confirmed = sum(bool(each.right and not each.wrong) for each in self.seen)
        left_out = len(self.left_out - self.placed)
        missed = len(self.seen) - len(wrong) - confirmed - left_out
        counts = [
            f"{len(self.seen)} expressions: {confirmed} confirmed, {missed} never reached, {len(wrong - empty)} differ",
            *([f"{len(wrong & empty)} differ for empty sequences"] if wrong & empty else []),
            *([f"{left_out} in code that is left as it is"] if left_out else []),
        ]
        return ", ".join(counts)

    @property
    def differ(self) -> bool:
        """Whether a value had another dtype than inferred, and not because a sequence was empty."""
        return bool(self._differing() - self._of_empty())


def _counted(seen: Sightings) -> str:
    total = seen.right + seen.wrong.total()
    return ", ".join(f"{name} ({count} of {total} times)" for name, count in seen.wrong.most_common())


class _Sources:
    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def content(self, path: str) -> bytes:
        """The content of a file."""
        if path not in self._contents:
            self._contents[path] = Path(path).read_bytes()
        return self._contents[path]

    def text(self, expression: InferredExpression) -> str:
        """The source of the expression on one line."""
        span = expression.span
        lines = self.content(expression.path).splitlines()[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
