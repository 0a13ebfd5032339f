"""Write a program from a source of random numbers; the library executes each statement while it is written."""

from random import Random
from typing import Any

from tests.agreement.dialects import Dialect
from tests.agreement.execution import run
from tests.agreement.programs import Program, Statement
from tests.agreement.scope import Scope
from tests.agreement.statements import annotation, is_strong, statement, tried

LENGTH = 12


def write(dialect: Dialect, random: Random, name: str, length: int = LENGTH) -> Program:
    """A program of about that many statements."""
    names: dict[str, Any] = {"__name__": name}
    run(dialect.header, names)
    scope = Scope(dialect, random, names, [], set(), [0], mistakes=True)
    parameters = None
    statements: list[Statement] = []
    created = [_creation(scope, texts) for texts in _shapes(scope)]
    if scope.chance(0.5):
        parameters = tuple(_parameter(scope, text) for text in created)
    else:
        for text in created:
            target = scope.fresh()
            statements += tried(scope, [f"{target} = {text}"], target)
    for _ in range(length):
        statements += statement(scope)
    return Program(name, dialect.header, tuple(statements), parameters)


def _shapes(scope: Scope) -> list[tuple[str, ...]]:
    """The first statements of a program: vectors and matrices, sometimes a scalar."""
    dialect = scope.dialect
    more = [dialect.creations, dialect.matrices, dialect.scalars]
    return [dialect.creations, dialect.matrices, dialect.creations, *([scope.random.choice(more)] * scope.chance(0.7))]


def _creation(scope: Scope, texts: tuple[str, ...]) -> str:
    dialect = scope.dialect
    text: str = scope.random.choice(texts)
    return text.format(d=dialect.dtype(scope.random.choice(dialect.dtypes)))


def _parameter(scope: Scope, text: str) -> tuple[str, str, str]:
    name = scope.fresh("x")
    tried(scope, [f"{name} = {text}"], name)
    value = scope.names[name]
    scope.fixed.add(name)
    return name, annotation(scope, value) if is_strong(scope, value) else "Any", text
