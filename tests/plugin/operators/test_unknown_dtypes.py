"""Operators and calls with NumPy arrays of unknown dtype: what mypy still infers holds for every dtype.

Each operator, function and method of the registry is written with arrays of any dtype and of a category. It is then
executed for all dtypes that such an array may have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import CodeType

import pytest

from promo_mypy.rules.dtypes import DTYPES
from tests.agreement.dialects import DIALECTS
from tests.agreement.inferred import infer
from tests.agreement.programs import Program, Statement
from tests.plugin.calls.registry_programs import NUMPY, texts_of
from tests.rules.functions.numpy.test_functions import LABORATORY, measure, value

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*:numpy.exceptions.ComplexWarning"),
    pytest.mark.filterwarnings("ignore:.*:numpy.exceptions.RankWarning"),
]

#: Annotation of all arrays -> the kinds of their dtypes.
ANNOTATIONS = {
    "npt.NDArray[Any]": "buifc",
    "npt.NDArray[np.inexact[Any]]": "fc",
    "npt.NDArray[np.floating[Any]]": "f",
    "npt.NDArray[np.integer[Any]]": "ui",
}


#: The other operand of `x` in an operation.
OTHERS = ("y", "2", "2.5", "np.ones(3, np.float32)", "np.arange(3)", "np.int16(1)", "np.float64(1)")
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@", "<", "==")


@dataclass(frozen=True)
class Line:
    """An expression in the program, and its variables."""

    text: str
    variables: tuple[str, ...]

    def wrong(self, dtypes: frozenset[str], kinds: str) -> Iterator[str]:
        """The results whose dtype is outside these."""
        code = compile(self.text, "<call>", "eval")
        for names in LABORATORY.combinations(self.variables):
            if all(variable == "d" or _is_of(name, kinds) for variable, name in names.items()):
                measured = _measured(code, names)
                if not measured.startswith("!") and measured not in dtypes:
                    yield f"{self.text} {', '.join(names.values())}: {measured}, inferred {sorted(dtypes)}"


def _is_of(name: str, kinds: str) -> bool:
    # NumPy's categories do not hold the dtypes of ml_dtypes.
    return name in DTYPES and DTYPES[name].kind in kinds and (name != "bfloat16" or "b" in kinds)


def _measured(code: CodeType, names: Mapping[str, str]) -> str:
    values = {variable: value(variable, name) for variable, name in names.items()}
    return measure(code, {**LABORATORY.globals, **values})


def _lines() -> Iterator[Line]:
    """Every expression with an array in it, once for each item of a tuple."""
    for text in dict.fromkeys(texts_of(NUMPY)):
        yield from _items(text, LABORATORY.read(text).variables)
    for sign, other in product(SIGNS, OTHERS):
        variables = ("x", "y") if other == "y" else ("x",)
        yield from (Line(f"x {sign} {other}", variables), Line(f"{other} {sign} x", variables))
    for text in ("-x", "+x", "~x", "abs(x)", "x.real", "x[0]", "x[1:]", "pow(x, 2)"):
        yield Line(text, ("x",))
    yield from _items("divmod(x, 2)", ("x",))


def _items(text: str, variables: tuple[str, ...]) -> Iterator[Line]:
    if not set(variables) - {"d"}:
        return
    code = compile(text, "<call>", "eval")
    results = (_measured(code, names) for names in LABORATORY.combinations(variables))
    shown = next((result for result in results if not result.startswith("!")), "")
    count = shown.count("|") + 1
    yield from (Line(f"({text})[{item}]", variables) for item in range(count)) if count > 1 else [Line(text, variables)]


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return list(_lines())


@pytest.fixture(scope="module")
def claims(
    lines: list[Line], tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path
) -> Mapping[str, Mapping[int, frozenset[str]]]:
    """Annotation -> the number of a line -> the type that mypy infers, if it is not Any."""
    programs = {annotation: _program(f"calls{n}", annotation, lines) for n, annotation in enumerate(ANNOTATIONS)}
    folder = tmp_path_factory.mktemp("calls")
    inferred = infer(DIALECTS["numpy"], list(programs.values()), folder, plugin_cache)
    found: dict[str, dict[int, frozenset[str]]] = {}
    for annotation, program in programs.items():
        source = program.source().splitlines()
        whole = {
            span.line: frozenset(each.dtypes)
            for span, each in inferred[program.name].expressions.items()
            if source[span.line - 1][: span.column].isspace() and span.end_column == len(source[span.line - 1])
        }
        bodies = [place for place, text in enumerate(source, 1) if text.startswith("    ")]
        found[annotation] = {number: whole[place] for number, place in enumerate(bodies) if whole.get(place)}
    return found


def _program(name: str, annotation: str, lines: Sequence[Line]) -> Program:
    statements = []
    for number, line in enumerate(lines):
        parameters = (f"{v}: {'np.dtype[Any]' if v == 'd' else annotation}" for v in line.variables)
        statements.append(Statement((f"def f{number}({', '.join(parameters)}) -> None:", f"    {line.text}")))
    return Program(name, DIALECTS["numpy"].header, tuple(statements))


@pytest.mark.slow
@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_what_is_inferred_holds_for_every_dtype(
    annotation: str, lines: list[Line], claims: Mapping[str, Mapping[int, frozenset[str]]]
) -> None:
    found = claims[annotation]
    assert len(found) > 50
    kinds = ANNOTATIONS[annotation]
    assert [each for number, dtypes in found.items() for each in lines[number].wrong(dtypes, kinds)] == []


def test_one_dtype_of_several_is_wrong(lines: list[Line]) -> None:
    (total,) = [line for line in lines if line.text == "np.sum(x)"]
    assert next(total.wrong(frozenset({"float64"}), "f")) == "np.sum(x) float16: float16, inferred ['float64']"
    assert not list(total.wrong(frozenset({"float64", "float32", "float16", "float128"}), "f"))
