"""Compare the values of inferred expressions with their dtypes while tests run, and count the results."""

import ast
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from promo_runtime.validation.actual_dtypes import actual_dtype, dtype_text
from promo_runtime.validation.confirmed_sources import with_looks
from promo_runtime.validation.inferred_expressions import InferredExpression, Span


@dataclass(slots=True)
class Sightings:
    """The observations of one expression: how often the dtype was right, and wrong dtypes with their counts.

    `first`: the first test in which it was wrong.
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

    `placed` are the numbers of the checked expressions in imported modules, `left_out` those that cannot be checked:
    another hook loads their module, or another library compiles their function.
    """

    def __init__(self, expressions: Sequence[InferredExpression]) -> None:
        self.expressions = expressions
        self.seen = [Sightings() for _ in expressions]
        self.placed: set[int] = set()
        self.left_out: set[int] = set()
        self._passed: list[set[tuple[type, Any]]] = [set() for _ in expressions]
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
        sources = _Sources()
        return [
            f"{names.get(each.path, each.path)}:{each.span.line}:{each.span.column + 1}: {sources.text(each)}: "
            f"inferred {each.text}, was {_counted(seen)}{f' first in {seen.first}' if seen.first else ''}"
            for each, seen in zip(self.expressions, self.seen, strict=True)
            if seen.wrong
        ]

    def summary(self) -> str:
        """The numbers of confirmed, different and never reached expressions, and of those that cannot be checked."""
        differ = sum(bool(each.wrong) for each in self.seen)
        confirmed = sum(bool(each.right and not each.wrong) for each in self.seen)
        left_out = len(self.left_out - self.placed)
        missed = len(self.seen) - differ - confirmed - left_out
        counts = f"{len(self.seen)} expressions: {confirmed} confirmed, {missed} never reached, {differ} differ"
        return f"{counts}, {left_out} in code that is left as it is" if left_out else counts

    @property
    def differ(self) -> bool:
        """Whether a value had another dtype than inferred."""
        return any(each.wrong for each in self.seen)


def _counted(seen: Sightings) -> str:
    total = seen.right + seen.wrong.total()
    return ", ".join(f"{name} ({count} of {total} times)" for name, count in seen.wrong.most_common())


class _Sources:
    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}

    def text(self, expression: InferredExpression) -> str:
        """The source of the expression on one line."""
        if expression.path not in self._lines:
            self._lines[expression.path] = Path(expression.path).read_bytes().splitlines()
        span = expression.span
        lines = self._lines[expression.path][span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
