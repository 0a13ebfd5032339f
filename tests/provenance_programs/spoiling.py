"""Spoil a true program: another dtype in one annotation, or a cast of one value that comes to an annotation."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from tests.agreement.dialects import Dialect
from tests.agreement.programs import Statement
from tests.provenance_programs.annotating import dtype_of, exact_places, with_dtype
from tests.provenance_programs.recording import Record, record
from tests.provenance_programs.samples import Sample, TypedSample

#: Dtypes that every library has, and annotations can name.
_DTYPES = (
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


def with_other_annotation(true: TypedSample, seen: Record, dialect: Dialect, random: Random) -> TypedSample | None:
    """The program with another dtype in one place that values came to; None without such a place."""
    places = exact_places(seen, true.types, dialect)
    if not places:
        return None
    place = random.choice(places)
    new = _other(dtype_of(seen[place], dialect), dialect, random)
    changed = with_dtype(seen[place], new, dialect, random)
    return replace(true, types={**true.types, place: changed}, mistake=f"{true.types[place]} -> {changed}", place=place)


def with_cast(true: TypedSample, seen: Record, dialect: Dialect, random: Random) -> TypedSample | None:
    """The program with a cast before one annotation; None unless it runs, and another dtype comes to the place."""
    places = exact_places(seen, true.types, dialect)
    statements = true.sample.statements
    found = [
        (number, place, value)
        for number, statement in enumerate(statements)
        for place, value in _annotated_values(ast.parse(statement.text), true.types)
        if place in places and value.lineno == value.end_lineno
    ]
    if not found:
        return None
    number, place, value = random.choice(found)
    old = dtype_of(seen[place], dialect)
    dtype = dialect.dtype(_other(old, dialect, random))
    statement, cast = _cast(statements[number], value, dtype, dialect)
    sample = replace(true.sample, statements=(*statements[:number], statement, *statements[number + 1 :]))
    now = _dtype_in(sample, place, dialect)
    mistake = f"{true.types[place]} = {cast}"
    return None if now in ("", old) else replace(true, sample=sample, mistake=mistake, place=place)


def _other(dtype: str, dialect: Dialect, random: Random) -> str:
    return random.choice([each for each in _DTYPES if each != dtype and each in dialect.dtypes])


def _cast(statement: Statement, value: ast.expr, dtype: str, dialect: Dialect) -> tuple[Statement, str]:
    lines = list(statement.lines)
    line = lines[value.lineno - 1].encode()
    before = line[value.col_offset : value.end_col_offset].decode()
    cast = f"({before}).{'to' if dialect.library == 'torch' else 'astype'}({dtype})"
    changed = line[: value.col_offset] + cast.encode() + line[value.end_col_offset :]
    lines[value.lineno - 1] = changed.decode()
    return replace(statement, lines=tuple(lines)), cast


def _dtype_in(sample: Sample, place: str, dialect: Dialect) -> str:
    try:
        seen = record(sample.modules())
    except Exception:  # any exception of the library, of what follows the cast
        return ""
    return dtype_of(seen.get(place, set()), dialect)


def _annotated_values(tree: ast.Module, types: Mapping[str, str]) -> Iterator[tuple[str, ast.expr]]:
    """The values that are bound to a place, or returned to one: not those of functions with a parameter of type Any."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.annotation, ast.Name):
            yield node.annotation.id, node.value
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name) and not _gets_anything(node, types):
            for each in node.body:
                if isinstance(each, ast.Return) and each.value is not None:
                    yield node.returns.id, each.value


def _gets_anything(function: ast.FunctionDef, types: Mapping[str, str]) -> bool:
    """Whether a parameter is of type Any, as in `q: Any | None = None`: the dtype of the result may be unknown."""
    annotations = [ast.walk(each.annotation) for each in function.args.args if each.annotation is not None]
    names = {node.id for nodes in annotations for node in nodes if isinstance(node, ast.Name)}
    return any(types.get(name, name) == "Any" for name in names)
