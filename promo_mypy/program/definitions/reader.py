"""Say what one module of a program tells of its expressions, for answers that lead through several modules."""

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Set
from enum import Enum, auto
from typing import Final, NamedTuple

from promo_mypy.program.checked.array_kinds import KINDS, ArrayKind
from promo_mypy.program.checked.arrays import Arrays
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.rules.around.tables import Made
from promo_mypy.rules.functions.language.arguments import Argument
from promo_mypy.rules.operands import Operand


class Reader(ABC):
    """Reads the expressions of one module."""

    def __init__(self, module: Module, typed: TypedExpressions) -> None:
        self.module: Final = module
        self.typed: Final = typed
        self.scopes: Final = typed.scopes
        self.systems: Final = {kind.library.value: kind.system(module) for kind in KINDS}
        """Library -> its promotion system in this module: see `ArrayKind.system`."""

    @abstractmethod
    def arrays(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value, or an item of it, may be; None if a dtype is unknown, or if it is not an array."""

    @abstractmethod
    def operands(self, expression: ast.expr, kind: ArrayKind) -> frozenset[Operand]:
        """The possible operands that an expression stands for; empty if unknown, or of another library."""

    @abstractmethod
    def arguments(self, expression: ast.expr, kind: ArrayKind) -> Iterator[Argument]:
        """The possible arguments of a function of a library that an expression stands for."""

    @abstractmethod
    def made(self, expression: ast.expr) -> "Sequence[MadeObject]":
        """The objects of libraries that a value may be, all of one class; empty for any other value."""

    @abstractmethod
    def sources(self, expression: ast.expr) -> "Sequence[Source] | None":
        """The expressions from which one of unknown dtype may have it; None if nothing tells them."""

    @abstractmethod
    def bindings(self, attribute: ast.Attribute) -> "Sequence[Source] | None":
        """All that an attribute of a class of the program is bound to; None if the program does not show that.

        A property is bound to what it returns. Calls set a field, too.
        """

    @abstractmethod
    def is_open(self, expression: ast.expr, entered: Set[ast.AST | None] = frozenset()) -> bool:
        """Whether it is a parameter whose dtype each call decides, and not one of the functions that are entered."""

    @abstractmethod
    def is_namespace(self, value: ast.expr) -> bool:
        """Whether a value is the namespace of the functions on some arrays."""


class MadeObject(NamedTuple):
    """An object of a library, the call that makes it if that decides something, and what reads the call."""

    made: Made
    call: ast.Call | None
    reader: Reader


class Way(Enum):
    """How an expression leads to another one."""

    VALUE = auto()
    """It may have its dtype from there."""
    RESULT = auto()
    """A function or another object gives it: whatever parameters decide there, only the arguments and the object do."""
    CLOSURE = auto()
    """A function returns it that sees the parameters of the constructor, or of a function around it. Its own do not
    count."""
    SHAPE = auto()
    """Only its shape counts: no dtype comes from there, but a parameter does."""


class Source(NamedTuple):
    """An expression to which another one of unknown dtype leads, what reads its module, and how it leads there."""

    reader: Reader
    syntax: ast.expr
    way: Way = Way.VALUE

    def given(self) -> "Source":
        """The same, if another object gives it."""
        return self._replace(way=Way.RESULT)
