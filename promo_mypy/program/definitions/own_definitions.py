"""Read the functions and classes of a program from their definitions in its files."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from promo_mypy.program.definitions.dynamic_attributes import binds_dynamically
from promo_mypy.program.definitions.reader import Reader
from promo_mypy.rules.decorators import Kept, keeping

_TRANSPARENT: Final = keeping(Kept.DTYPES)
_PROPERTIES: Final = frozenset({"property", "cached_property", "lazyproperty"})
_SETTERS: Final = frozenset({"setter", "deleter"})
#: Statements with others in them.
_STATEMENTS: Final = (ast.If, ast.Try, ast.With, ast.For, ast.While)


class OwnFunction:
    """A function of the program, with what reads the expressions of its module."""

    def __init__(self, node: ast.FunctionDef, reader: Reader, *, is_method: bool = False) -> None:
        self.node: Final = node
        self.is_method: Final = is_method
        self.reader: Final = reader
        self.returned: Final = reader.scopes.returned(node)
        names = [_last_name(each) for each in node.decorator_list]
        plain = [each for each in names if each != "abstractmethod"]
        self.is_property: Final = len(plain) == 1 and plain[0] in _PROPERTIES
        named = zip(node.decorator_list, names, strict=True)
        others = () if self.is_property else tuple(each for each, name in named if name not in _TRANSPARENT)
        #: Decorators after which it may return something else.
        self.decorators: Final = others
        self.returns_values: Final = bool(self.returned) and not reader.scopes.is_generator(node)
        self.is_followed: Final = self.returns_values and not others
        #: It only raises an error, or has no statements: a subclass has to define it.
        self.is_abstract: Final = not self.returned and isinstance(node.body[-1], ast.Raise | ast.Pass | ast.Expr)


class OwnClass:
    """A class of the program."""

    def __init__(self, node: ast.ClassDef, reader: Reader) -> None:
        self.node: Final = node
        self.reader: Final = reader
        #: Names of its bases, and their full names as the module imports them.
        self.imported: Final = {str(_last_name(each)): reader.scopes.imported(_bare(each)) for each in node.bases}
        self.bases: Final = frozenset(filter(None, map(_last_name, node.bases)))
        body = tuple(statements(node.body))
        self.methods: Final = {
            each.name: OwnFunction(each, reader, is_method=True)
            for each in body
            if isinstance(each, ast.FunctionDef) and not _is_setter(each)
        }
        annotated = (each.target for each in body if isinstance(each, ast.AnnAssign))
        #: The names that it annotates: a base class or a decorator may make them parameters of its calls.
        self.declared: Final = frozenset(each.id for each in annotated if isinstance(each, ast.Name))

    @property
    def is_dynamic(self) -> bool:
        """Whether a statement in it may bind any attribute."""
        return self.reader.scopes.once(binds_dynamically, self.node)


def _is_setter(method: ast.FunctionDef) -> bool:
    """Whether it is the second function of a property, as in `@name.setter`."""
    return any(isinstance(each, ast.Attribute) and each.attr in _SETTERS for each in method.decorator_list)


def may_be_container(value: ast.expr) -> bool:
    """Whether a value may be a container that is filled later."""
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.ListComp | ast.DictComp | ast.Call)


def is_private(name: str) -> bool:
    """Whether only the program itself is meant to use a name, or to override it."""
    return name.startswith("_") and not name.endswith("__")


def is_super(value: ast.expr) -> bool:
    """Whether it is a call of `super`."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "super"


def is_type(value: ast.expr) -> bool:
    """Whether it is the class of an object, `type(x)`."""
    match value:
        case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
            return True
    return False


def is_owner(value: ast.expr) -> bool:
    """Whether it stands for what a method belongs to, not for what a call passes."""
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def is_none(value: ast.expr) -> bool:
    """Whether an expression is `None`."""
    return isinstance(value, ast.Constant) and value.value is None


def statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, and those of the blocks among them."""
    for each in body:
        yield each
        if isinstance(each, _STATEMENTS):
            for inner in ast.iter_child_nodes(each):
                if isinstance(inner, ast.stmt):
                    yield from statements([inner])
                elif isinstance(inner, ast.ExceptHandler):
                    yield from statements(inner.body)


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _bare(base: ast.expr) -> ast.expr:
    """A base class without its type arguments."""
    return base.value if isinstance(base, ast.Subscript) else base


def _last_name(decorator: ast.expr) -> str | None:
    """The last part of the name of a decorator or base class; of the wrapped one in `partial(jit, ...)`."""
    match decorator:
        case ast.Call(func=function, args=[first, *_]) if _name(function) == "partial":
            return _last_name(first)
        case ast.Call(func=function) | ast.Subscript(value=function):
            return _last_name(function)
    return _name(decorator)
