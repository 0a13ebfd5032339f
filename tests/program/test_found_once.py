"""Facts about nodes that depend on each other are the same, whichever node is asked about first."""

import ast
from itertools import permutations

import pytest

from promo_mypy.program.syntax.found_once import FoundOnce

#: Name -> the names that it depends on. One known name makes each name known that depends on it.
NEEDS = {"x": "y", "y": "zx", "z": "yk", "k": "", "a": "b", "b": "a"}
NODES = {name: ast.Name(name) for name in NEEDS}


@pytest.mark.parametrize("order", list(permutations(NEEDS)), ids="".join)
def test_the_order_of_questions_does_not_matter(order: tuple[str, ...]) -> None:
    def find(node: ast.Name) -> bool:
        return node.id == "k" or True in [facts(NODES[each]) for each in NEEDS[node.id]]

    facts = FoundOnce(find, unknown=False)
    assert {name: facts(NODES[name]) for name in order} == {name: name in "xyzk" for name in NEEDS}
