"""Read how a module uses functions by name: it calls them, or it does something else with them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from promo_mypy.program.syntax.parameters import positional


class FunctionUses:
    """The uses of functions among the nodes of a module.

    Attributes:
        calls: name -> the calls of functions and methods of that name.
        values: the names that it uses otherwise: whatever they stand for may be called anywhere.
        texts: its strings that may name a function for `getattr`: whole names, or their beginnings.
    """

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.calls: Final[defaultdict[str, list[ast.Call]]] = defaultdict(list)
        self.values: Final[set[str]] = set()
        self.texts: Final[set[str]] = set()
        called: set[int] = set()
        for node in nodes:
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    self.calls[name].append(node)
                    called.add(id(node.func))
                    if name == "getattr":
                        self.texts.update(_beginnings(node))
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                    if id(node) not in called:
                        self.values.add(name)
                case ast.ImportFrom(names=names):
                    self.values.update(each.name for each in names if each.asname not in (None, each.name))
                case ast.Constant(value=str(text)) if text.isidentifier() and text.strip("_"):
                    self.texts.add(text)

    def names(self, name: str) -> bool:
        """Whether the module calls or uses anything of that name."""
        return name in self.calls or name in self.values


def _beginnings(call: ast.Call) -> Iterator[str]:
    """The strings that a call of `getattr` puts in front of what it makes a name of."""
    for argument in call.args[1:2]:
        first = argument.values[:1] if isinstance(argument, ast.JoinedStr) else [*ast.walk(argument)]
        yield from (each.value for each in first if isinstance(each, ast.Constant) and isinstance(each.value, str))


def names_function(texts: Iterable[str], name: str) -> bool:
    """Whether one of these strings is the name of a private function, or its beginning."""
    return any(text.startswith("_") and name.startswith(text) for text in texts)


def argument(call: ast.Call, function: ast.FunctionDef, name: str, skipped: int) -> ast.expr | None:
    """What a call passes for a parameter; None if it passes nothing for it, so that its default counts.

    `skipped`: the number of first parameters that the call does not pass: 1 for a method of an object.

    Raises:
        SpreadError: the call spreads a container, or the parameter takes several arguments.
    """
    found = function.args
    is_spread = any(isinstance(each, ast.Starred) for each in call.args) or None in [each.arg for each in call.keywords]
    several = {each.arg for each in (found.vararg, found.kwarg) if each is not None}
    if is_spread or name in several:
        raise SpreadError
    given = dict(zip(positional(function)[skipped:], call.args, strict=False)) | {
        str(each.arg): each.value for each in call.keywords
    }
    return given.get(name)


class SpreadError(Exception):
    """The text of a call does not tell what is passed for a parameter."""


def local_calls(around: ast.AST, name: str) -> Sequence[ast.Call] | None:
    """The calls of a function that a function contains; None if that uses it otherwise."""
    uses = [*_uses(around, name)]
    calls = [each for each in uses if isinstance(each, ast.Call)]
    return calls if len(calls) == len(uses) else None


def _uses(node: ast.AST, name: str) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Call(func=ast.Name(id=called)) if called == name:
                yield child
                for each in (*child.args, *child.keywords):
                    yield from _uses(ast.Expr(each) if isinstance(each, ast.expr) else each, name)
            case ast.Name(id=used, ctx=ast.Load()) if used == name:
                yield child
            case _:
                yield from _uses(child, name)
