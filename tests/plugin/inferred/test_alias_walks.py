"""The aliases of a container are searched once for all of them, and anew when the type of a variable decides."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from mypy import build
from mypy.modulefinder import BuildSource
from mypy.nodes import CallExpr, MypyFile, NameExpr, Var
from mypy.options import Options
from mypy.types import Type

from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
from promo_mypy.plugin.inferred.aliasing.expressions import LEVELS, Key
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.trees.syntax_trees import nodes
from tests.plugin.annotations.miniature import write, write_libraries

NAMES = [f"x{number}" for number in range(8)]
HEADER = """\
from jax import Array
def anything(*given): ...
def asked(given): ...
one: Array
many: list[Array]
deep: list[list[Array]]
pair: tuple[list[Array], int]
count: int
class Program:
    def use(self):
"""
DECLARED = ("one", "many", "deep", "pair", "count")
STATEMENTS = (
    "{0} = {1}",
    "{0} = [{1}, {2}]",
    "{0} = {1}[0]",
    "{0} = [*{1}]",
    "{0} = {1} or {2}",
    "{0} = anything({1}, {2})",
    "{0}.append({1})",
    "{0}[0] = {1}",
    "self.kept = {0}",
    "self.kept[0] = {0}",
    "for {0} in {1}: pass",
)


class Method:
    """A method of these statements, which then passes each variable to a function. mypy has not checked it yet."""

    def __init__(self, folder: Path, statements: list[str]) -> None:
        lines = [f"{name} = None" for name in NAMES] + statements + [f"asked({name})" for name in NAMES]
        write_libraries(folder)
        write(folder, {"program.py": HEADER + "".join(f"        {line}\n" for line in lines)})
        options = Options()
        options.incremental, options.preserve_asts = False, True
        source = BuildSource(str(folder / "program.py"), "program")
        tree = build.build([source], options, alt_lib_path=str(folder)).graph["program"].tree
        assert tree is not None
        self.tree: MypyFile = tree
        calls = [node for node in nodes(tree) if isinstance(node, CallExpr)]
        passed = [call.args[0] for call in calls if isinstance(call.callee, NameExpr) and call.callee.name == "asked"]
        self.passed = sorted((each for each in passed if isinstance(each, NameExpr)), key=lambda each: each.name)
        self.variables = [each.node for each in self.passed if isinstance(each.node, Var)]
        assert [variable.name for variable in self.variables] == NAMES

    def types(self) -> list[Type | None]:
        """Types that a variable may have, and that of one which mypy has not inferred yet."""
        variables = [self.tree.names[name].node for name in DECLARED]
        return [variable.type for variable in variables if isinstance(variable, Var)] + [None]

    def aliases(self) -> ContainerAliases:
        return ContainerAliases(self.tree, WrappedFunctions(Symbols(lambda _: None)))


def _answers(method: Method, aliases: ContainerAliases | None = None) -> list[set[Key]]:
    """The aliases of each variable, of its outer container and of all; without `aliases` each is searched anew."""
    return [
        (aliases or method.aliases()).filled_with(passed, levels)
        for passed in method.passed
        for levels in ([0], range(LEVELS))
    ]


def test_all_aliases_share_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    method = Method(tmp_path, [f"{name} = anything(x0)" for name in NAMES[1:]])
    for variable in method.variables:
        variable.type = method.types()[1]
    searches: list[object] = []
    search = ContainerAliases._walked

    def counted(self: ContainerAliases, start: Iterable[object]) -> object:
        searches.append(start)
        return search(self, start)  # type: ignore[arg-type]  # passed on as it comes

    monkeypatch.setattr(ContainerAliases, "_walked", counted)
    aliases = method.aliases()
    assert all(answer >= set(method.variables) for answer in _answers(method, aliases))
    assert len(searches) == 1
    searches.clear()
    first, *others = method.variables
    first.type = method.types()[-2]  # an integer: what joined the levels of the other variables is gone
    for asked in method.passed[1:]:
        assert aliases.filled_with(asked, range(LEVELS)) & set(method.variables) == set(others)
    assert len(searches) == LEVELS


@pytest.mark.parametrize("seed", range(4))
def test_kept_answers_are_those_of_a_new_search(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    statements = [random.choice(STATEMENTS).format(*random.sample(NAMES, 3)) for _ in range(7)]
    method = Method(tmp_path, statements)
    types, kept, seen = method.types(), method.aliases(), set()
    for _ in range(25):
        for variable in random.sample(method.variables, 2):
            variable.type = random.choice(types)
        answers = _answers(method, kept)
        assert answers == _answers(method)
        seen.add(str([sorted(map(str, answer)) for answer in answers]))
    assert len(seen) > 1
