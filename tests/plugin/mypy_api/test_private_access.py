"""Only one folder uses mypy's private names, and each module there names the tests that guard its use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "promo_mypy" / "plugin"
ROOM = PLUGIN / "mypy_api"
OUTSIDE = [file for file in sorted(PLUGIN.rglob("*.py")) if ROOM not in file.parents]

#: Modules of mypy that hold its own state while it runs.
PRIVATE = {
    "mypy.binder", "mypy.build", "mypy.checker", "mypy.checkexpr", "mypy.checkmember", "mypy.constant_fold",
    "mypy.errors", "mypy.exprtotype", "mypy.literals", "mypy.plugins", "mypy.semanal", "mypy.server", "mypy.typeanal",
}  # fmt: skip
#: Attributes of the checker that hold such state.
STATE = {"binder", "error_info_map", "expr_checker", "msg", "widened_vars"}
#: Attributes of nodes in a function's body that decide what mypy checks there: a change of them changes the tree.
TREE = {"callee", "is_inferred_def", "node", "rvalue"}
#: Modules of the folder that need no private name: they only use what mypy gives to every plugin.
PUBLIC = {"__init__", "arguments", "hook_tables", "symbols"}
_OF_NAMED_TUPLES = {"_asdict", "_replace"}


def private_access(source: str) -> Iterator[str]:
    """What a module imports from mypy's private modules, and the private attributes of other objects that it reads."""
    tree = ast.parse(source)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} | _OF_NAMED_TUPLES
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names if _is_private(each.name))
            case ast.ImportFrom(module=str(module), names=names):
                found = (f"{module}.{each.name}" for each in names)
                yield from (name for name in found if _is_private(name))
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store()) if name in TREE:
                yield f"{ast.unparse(owner)}.{name}"
            case ast.Attribute(value=owner, attr=name):
                is_own = name in own or (isinstance(owner, ast.Name) and owner.id in ("self", "cls"))
                if name in STATE or (re.match(r"_(?!_)", name) and not is_own):
                    yield f"{ast.unparse(owner)}.{name}"


def _is_private(name: str) -> bool:
    return any(f"{name}.".startswith(f"{module}.") for module in PRIVATE)


@pytest.mark.parametrize("file", OUTSIDE, ids=lambda file: str(file.relative_to(PLUGIN)))
def test_only_one_folder_uses_private_names_of_mypy(file: Path) -> None:
    assert list(private_access(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from mypy.checker import TypeChecker", "mypy.checker.TypeChecker"),
        ("from mypy import errors", "mypy.errors"),
        ("import mypy.semanal", "mypy.semanal"),
        ("if TYPE_CHECKING:\n    from mypy.server.trigger import make_trigger", "mypy.server.trigger.make_trigger"),
        ("function._name = name", "function._name"),
        ("current.binder.put(target, typ)", "current.binder"),
        ("errors._watchers = []", "errors._watchers"),
        ("statement.rvalue = whole", "statement.rvalue"),
    ],
)
def test_private_access_is_found(source: str, found: str) -> None:
    assert list(private_access(source)) == [found]


def test_public_and_own_names_are_allowed() -> None:
    source = (
        "from mypy.errorcodes import ErrorCode\nfrom mypy.nodes import Var\nself._known = Var.name\n__name__.split()"
    )
    assert list(private_access(source)) == []


@pytest.mark.parametrize("file", sorted(ROOM.glob("*.py")), ids=lambda file: file.stem)
def test_each_step_names_a_test_that_exists(file: Path) -> None:
    named = re.findall(r"\btests/[\w/]+(?:\.py)?", ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "")
    assert bool(named) != (file.stem in PUBLIC)
    assert [path for path in named if not (ROOT / path).exists() and not (ROOT / f"{path}.txt").exists()] == []
