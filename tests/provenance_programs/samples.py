"""Programs of two modules: statements of which the first ones are in a module that the second module imports."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tests.agreement.programs import Program, Statement
from tests.provenance_programs.places import PLACE

PACKAGE = "programs"
#: An annotation that may be left out: of a parameter, of a variable that is bound at once, or of a result.
_OPTIONAL = re.compile(r"(?::\s*|(?P<result> -> ))(?P<place>D\d+)(?=(?(result):|\s*(?:[,)]|=)))")


@dataclass(frozen=True)
class Sample:
    """A program with places for annotations.

    Attributes:
        name: of its second module.
        header: imports of both modules.
        statements: of both modules.
        first: how many statements the first module has.
        parameters: those of the function that holds the second module's statements; None without that function.
    """

    name: str
    header: str
    statements: tuple[Statement, ...]
    first: int
    parameters: tuple[tuple[str, str, str], ...] | None

    def modules(self) -> dict[str, str]:
        """The sources of the modules by their names, with places."""
        imported, own = self.statements[: self.first], self.statements[self.first :]
        base = Program(f"{self.name}_base", self.header, imported).source()
        source = Program(self.name, self.header, own, self.parameters).source()
        names = [name for name in _bound(imported) if re.search(rf"\b{name}\b", source)]
        line = f"\nfrom {PACKAGE}.{self.name}_base import {', '.join(names)}" if names else ""
        return {f"{self.name}_base": base, self.name: self.header + line + source.removeprefix(self.header)}

    def without(self, *places: int) -> "Sample":
        """The program without the statements at these indices."""
        left = tuple(each for place, each in enumerate(self.statements) if place not in places)
        return replace(self, statements=left, first=self.first - sum(place < self.first for place in places))


@dataclass(frozen=True)
class TypedSample:
    """A program with a type in each of its places.

    Attributes:
        sample: the program.
        types: place -> type.
        left_out: the places without an annotation, where Python does not need one.
        mistake: what is wrong in it, in words; "" for nothing.
        place: where a value does not have its type, for a mistake.
    """

    sample: Sample
    types: Mapping[str, str]
    left_out: frozenset[str] = frozenset()
    mistake: str = ""
    place: str = ""

    @cached_property
    def modules(self) -> dict[str, str]:
        """The sources by the names of the modules."""
        return {name: self._shown(text) for name, text in self.sample.modules().items()}

    def _shown(self, text: str) -> str:
        fewer = _OPTIONAL.sub(lambda match: "" if match["place"] in self.left_out else match[0], text)
        return PLACE.sub(lambda match: self.types[match[0]], fewer)


def _bound(statements: tuple[Statement, ...]) -> list[str]:
    """The names that the statements bind at the top level."""
    names: dict[str, None] = {}
    for statement in statements:
        names |= dict.fromkeys(statement.targets)
        for node in ast.parse(statement.text).body:
            names |= dict.fromkeys(_bound_by(node))
    return list(names)


def _bound_by(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
