"""Write a program of places: each statement is executed while it is written."""

import re
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.agreement.execution import run
from tests.agreement.programs import Statement
from tests.agreement.scope import Scope
from tests.agreement.statements import annotation, is_strong, statement, tried
from tests.agreement.structures import filled, texts_of
from tests.provenance_programs.places import PlacedDialect, bound_places
from tests.provenance_programs.samples import Sample

_FOLDER: Final = Path(__file__).with_name("texts")
#: Between what stands in the first module and what stands in the second.
_ELSEWHERE: Final = "\n---\n"
#: Types of Python, for `<H>`: they may be wrong, and mypy says the same with the plugin and without.
_PYTHON: Final = ("float", "float", "int", "int", "complex", "bool", "str")
_TYPE = re.compile("<H>")
FIRST, SECOND = 5, 12


def write(dialect: PlacedDialect, random: Random, name: str, kind: str) -> Sample:
    """A program, of texts for that kind and those for all kinds."""
    names: dict[str, Any] = {"__name__": name, **bound_places()}
    run(dialect.header, names)
    scope = Scope(dialect, random, names, [], set(), [0])
    texts = _texts(dialect.library, kind)
    statements: list[Statement] = []
    for each in (dialect.creations, dialect.matrices, dialect.scalars):
        target = scope.fresh()
        statements += tried(scope, [f"{target} = {_creation(scope, each)}"], target)
    later: list[tuple[list[str], list[str]]] = []
    for _ in range(FIRST):
        statements += _written(scope, texts, later)
    first = len(statements)
    # The second module imports them.
    scope.fixed |= set(scope.locals)
    parameters = None
    if scope.chance(0.5):
        created = (_creation(scope, each) for each in (dialect.creations, dialect.matrices))
        parameters = tuple(_parameter(scope, text) for text in created)
    for lines, targets in later:
        statements += tried(scope, lines, *targets)
    for _ in range(SECOND):
        statements += _written(scope, texts, None)
    return Sample(name, dialect.header, tuple(statements), first, parameters)


def _written(scope: Scope, texts: tuple[str, ...], later: list[tuple[list[str], list[str]]] | None) -> list[Statement]:
    """One statement; what belongs to the second module is added to `later`."""
    if scope.chance(0.35):
        return [each for each in statement(scope) if not each.refused]
    assert isinstance(scope.dialect, PlacedDialect)
    text = scope.dialect.with_places(_TYPE.sub(lambda _: scope.random.choice(_PYTHON), scope.random.choice(texts)))
    found = filled(scope, text)
    if found is None:
        return []
    lines = "\n".join(found.lines)
    here, _, there = lines.partition(_ELSEWHERE)
    if not there or later is None:
        return tried(scope, lines.replace(_ELSEWHERE, "\n").splitlines(), *found.names)
    made = tried(scope, here.splitlines(), *(name for name in found.names if name in here))
    if made:
        later.append((there.splitlines(), [name for name in found.names if name not in here]))
    return made


def _texts(library: str, kind: str) -> tuple[str, ...]:
    names = ("all", library, "quiet", f"quiet_{library}") if kind == "quiet" else ("all", library)
    return tuple(text for name in names for text in texts_of(_FOLDER, name))


def _creation(scope: Scope, texts: tuple[str, ...]) -> str:
    text: str = scope.random.choice(texts)
    return text.format(d=scope.dialect.dtype(scope.random.choice(scope.dialect.dtypes)))


def _parameter(scope: Scope, text: str) -> tuple[str, str, str]:
    name = scope.fresh("x")
    tried(scope, [f"{name} = {text}"], name)
    value = scope.names[name]
    scope.fixed.add(name)
    return name, annotation(scope, value) if is_strong(scope, value) else "Any", text
