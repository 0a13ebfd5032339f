"""Find the tests whose results depend on the libraries that are installed.

They use a name of `tests/needed.py`, or a fixture, function or constant that does, in their own file or in another one
below `tests`. To ask for a library that `.[test]` installs, or for a program, does not count. All others give the same
result in every environment with `.[test]`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from tests.optional_libraries import ALWAYS

ROOT: Final = Path(__file__).resolve().parents[1]
_ASKED: Final = "tests.needed"
#: Every name of a module, and any one of them.
_ALL: Final = "*"
_ANY: Final = "?"

Name = tuple[str, str]
"""A module, and a name in it."""


def asks(file: Path, test: str) -> bool:
    """Whether a test asks for libraries: a function or class of a file."""
    module = _name(file)
    return bool(_asking() & {(module, test), (module, _ALL)})


@cache
def _asking() -> frozenset[Name]:
    """All names that ask."""
    files = ROOT.glob("tests/**/*.py")
    modules = [Module(_name(file), ast.parse(file.read_text(encoding="utf-8"))) for file in files]
    return frozenset(asking({module.name: module for module in modules}))


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@dataclass(frozen=True)
class Module:
    """The syntax tree of a module, and which names its definitions use."""

    name: str
    tree: ast.Module

    @cached_property
    def imports(self) -> dict[str, Name]:
        """Local name -> the module and name that it stands for. A module as a whole has all names."""
        found: dict[str, Name] = {}
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    found |= {each.asname or each.name.partition(".")[0]: (each.name, _ALL) for each in names}
                case ast.ImportFrom(module=str(module), names=names):
                    found |= {each.asname or each.name: (module, each.name) for each in names}
                case _:
                    pass
        return found

    def uses(self, asked: str) -> Iterator[tuple[str, set[Name]]]:
        """Each definition with what it uses.

        A statement that defines nothing, an autouse fixture, and a question at the top of a file are for all.
        """
        for statement in self.tree.body:
            used = set(map(self._meant, _read(statement)))
            match statement:
                case ast.Import() | ast.ImportFrom():
                    pass
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    is_for_all = any("autouse=True" in ast.unparse(each) for each in statement.decorator_list)
                    yield _ALL if is_for_all else name, used
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    yield _ALL if any(module == asked for module, _ in used) else name, used
                case _:
                    yield _ALL, used

    def _meant(self, name: str) -> Name:
        return self.imports.get(name, (self.name, name))


def _read(statement: ast.stmt) -> Iterator[str]:
    """The names in a statement. A parameter may be a fixture, and `usefixtures` names one in a text."""
    nodes: list[ast.AST] = [statement]
    while nodes:
        match node := nodes.pop():
            case ast.Call() if _is_always_there(node):
                continue
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text
            case _:
                pass
        nodes += ast.iter_child_nodes(node)


def _is_always_there(call: ast.Call) -> bool:
    """Whether a call asks for a program, or for nothing but libraries that `.[test]` installs."""
    match call.func:
        case ast.Name(id="needs_program"):
            return True
        case ast.Name(id="needs" | "imported"):
            return all(isinstance(each, ast.Constant) and each.value in ALWAYS for each in call.args)
        case _:
            return False


def asking(modules: dict[str, Module], asked: str = _ASKED) -> set[Name]:
    """The names that use a name of the module that is asked, or one that does, and so on."""
    users: dict[Name, set[Name]] = {}
    for module in modules.values():
        fixtures = [name for name in _fixtures(module.name) if name in modules]
        for name, used in module.uses(asked):
            user = module.name, name
            meant = {*used, *((other, fixture) for other in fixtures for _, fixture in used)}
            for each in (*meant, *(whole for one in meant for whole in _wholes(one))):
                users.setdefault(each, set()).add(user)
            users.setdefault(user, set()).add((module.name, _ANY))
    found: set[Name] = set()
    more = {user for each, all_users in users.items() if asked in (each[0], ".".join(each)) for user in all_users}
    while more:
        found |= more
        more = set().union(*(users.get(each, set()) for each in more)) - found
    return found


def _wholes(used: Name) -> Iterator[Name]:
    """What else makes a used name ask: all names of its module, or any name of a module that is used as a whole."""
    module, name = used
    yield module, _ALL
    yield (module, _ANY) if name == _ALL else (f"{module}.{name}", _ANY)


def _fixtures(module: str) -> Iterator[str]:
    """The modules that may have fixtures for the tests of a module."""
    folder = module
    while folder:
        folder = folder.rpartition(".")[0]
        yield f"{folder}.conftest"
