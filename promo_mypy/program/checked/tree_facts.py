"""Read from mypy's tree of a module what later answers need: mypy may empty it when it has checked the module."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mypy.nodes import DictionaryComprehension, GeneratorExpr, MypyFile, Node, Var

from promo_mypy.config import Config
from promo_mypy.plugin.interface.trees import (
    Definition,
    FileDefinitions,
    definitions,
    definitions_in,
    recorded_places,
)
from promo_mypy.program.checked.nodes import Nodes, nodes_of
from promo_mypy.program.expressions import Place
from promo_mypy.rules.profiles import Observations

_COMPREHENSIONS: Final = (GeneratorExpr, DictionaryComprehension)


@dataclass(frozen=True)
class TreeFacts:
    """What mypy's tree of a module says, and what the user's profile has seen in it."""

    nodes: Nodes
    definitions: FileDefinitions
    recorded: Mapping[Place, Observations]

    @classmethod
    def of(cls, tree: MypyFile, written: Iterable[Node], config: Config) -> "TreeFacts":
        """Read the tree of a module that mypy has checked, and its nodes, with the user's options."""
        found = recorded_places(tree, config.profile.of_module(tree.fullname)).expressions
        recorded = {Place(*span): observations for span, observations in found.items()}
        return cls(nodes_of(written), definitions(tree), recorded)

    def bound(self, variable: Var) -> Sequence[Definition]:
        """What binds a variable: statements, or a comprehension."""
        return self.definitions.of_variable(variable) or self._in_comprehensions.get(variable, ())

    @cached_property
    def _in_comprehensions(self) -> Mapping[Var, Sequence[Definition]]:
        found: defaultdict[Var, list[Definition]] = defaultdict(list)
        for (kind, _), nodes in self.nodes.items():
            if kind in _COMPREHENSIONS:
                for each in (each for node in nodes for each in definitions_in(node)):
                    if each.variable is not None:
                        found[each.variable].append(each)
        return dict(found)
