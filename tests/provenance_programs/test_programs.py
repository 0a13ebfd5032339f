"""Programs at random, with and without declared dtypes. `python -m tests.provenance_programs` writes more."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.agreement.dialects import DIALECTS
from tests.agreement.programs import Statement
from tests.mypy_runs import Message
from tests.needed import needs
from tests.provenance_programs.kinds import KINDS, Failure, checked, typed, written
from tests.provenance_programs.known_values import are_unknown
from tests.provenance_programs.places import placed
from tests.provenance_programs.printed_classes import is_about_arrays
from tests.provenance_programs.quick import COUNT, failures
from tests.provenance_programs.recording import lines_of, record
from tests.provenance_programs.reducing import reduced
from tests.provenance_programs.reviewed import (
    is_known_limit,
    is_of_branches,
    is_of_numpy_number,
    is_of_several,
    is_of_stubs,
    is_unchecked,
)
from tests.provenance_programs.samples import Sample, TypedSample
from tests.provenance_programs.stub_numbers import is_after, is_of_stub_numbers, is_of_sums
from tests.provenance_programs.writing import write


@pytest.mark.slow
@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("kind", KINDS)
def test_programs(kind: str, library: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(library, "jaxtyping")
    count, found = failures(kind, library, tmp_path, (plugin_cache, stock_cache))
    assert count > 0.5 * COUNT
    assert [f"{each}\n{each.case.right.modules}" for each in found] == []


def test_a_seed_writes_the_same_programs() -> None:
    one, other = (written("true", DIALECTS["numpy"], [Random("same")]) for _ in range(2))
    assert one[0].right.modules == other[0].right.modules


def _sample(*lines: str, header: str = "import numpy as np\nimport numpy.typing as npt") -> Sample:
    return Sample("program", header, tuple(Statement((line,)) for line in lines), 1, None)


def test_a_program_has_two_modules() -> None:
    modules = _sample("a1 = np.ones(3)", "a2 = a1 * 2").modules()
    assert "from programs.program_base import a1" in modules["program"]
    assert "a1 = np.ones(3)" in modules["program_base"]


def test_places_see_their_values() -> None:
    lines = ["def f(p: D1, q: list[D2]) -> D3:\n    return p", "a = f(np.ones(3, np.float32), [np.int8(1)])"]
    seen = record(_sample(*lines).modules())
    assert {place: {(each.dtype, each.is_scalar) for each in found} for place, found in seen.items()} == {
        "D1": {("float32", False)},
        "D2": {("int8", True)},
        "D3": {("float32", False)},
    }


def test_variables_see_each_value() -> None:
    lines = "a: D1 = np.ones(3)\na = np.int8(1)\na += np.int32(1)\nb, (a, *c) = 1, (np.ones(3, bool), 2)"
    seen = record(_sample(lines, "b = a").modules())
    assert {each.dtype for each in seen["D1"]} == {"float64", "int8", "int32", "bool"}


def test_a_line_that_fails_is_not_executed() -> None:
    first, second = "b = 1\n", "def f() -> int:\n    c = 1\n    return c // 0\nf()\n"
    assert lines_of({"a": first, "b": second}) == {("a", 1), ("b", 1), ("b", 2)}


def test_fields_see_their_values() -> None:
    lines = [
        "import dataclasses\n@dataclasses.dataclass\nclass C:\n    b1: D1\n    b2: D2 | None = None",
        "c = C(np.ones(3))\nc.b2 = np.zeros(2, bool)",
    ]
    seen = record(_sample(*lines).modules())
    assert {each.dtype for each in seen["D1"]} == {"float64"}
    assert {each.dtype for each in seen["D2"]} == {"bool"}


def test_annotations_may_be_left_out() -> None:
    sample = _sample("def f(p: D1, q: D2 = 1) -> D3: ...", "a: D4 = f(1)")
    types = dict.fromkeys(("D1", "D2", "D3", "D4"), "int")
    text = "\n".join(TypedSample(sample, types, frozenset({"D1", "D3", "D4"})).modules.values())
    assert "def f(p, q: int = 1): ..." in text
    assert "a = f(1)" in text


@pytest.mark.parametrize("kind", ["new", "not reported"])
def test_failures_are_found(kind: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    """An error that only the plugin makes, and a mistake that mypy does not report, are failures."""
    first = "a1: npt.NDArray[np.int8] = np.sqrt(np.ones(3, np.float32))" if kind == "new" else "a1 = 1"
    dialect = DIALECTS["numpy"]
    case = typed("quiet", _sample(first, "a2 = 1"), dialect, Random(0))
    assert case is not None
    spoiled = replace(case, wrong=case.right)
    checks = {"new": ("quiet", case), "not reported": ("spoiled", spoiled)}
    asked, given = checks[kind]
    found = checked(asked, [given], dialect, tmp_path, (plugin_cache, stock_cache))
    assert [each.what for each in found] == [kind]


def test_mistakes_about_unknown_values(tmp_path: Path, plugin_cache: Path) -> None:
    """A result, an item of a display, an argument and a keyword, each of a known dtype and of none."""
    header, types = (
        "from collections.abc import Callable\nfrom typing import Any, NamedTuple\na0: Any = np.ones(3)",
        {"D1": "npt.NDArray[np.int8]"},
    )
    texts = [
        "a1: D1 = {}",
        "a1: dict[str, list[D1]] = {{'a': [{}]}}",
        "def f(n: int, p: D1) -> None: ...\nf(1, {})",
        "def f(n: int, p: D1) -> None: ...\nf(1, p={})",
        "def f(p: Any) -> D1:\n    return {}",
        "def f(p: Any) -> tuple[int, D1]:\n    return 1, {}",
        "class C(NamedTuple):\n    n: int\n    p: D1\nC(1, {})",
        "f: Callable[[int, D1], int] = lambda n, p: n\nf(1, {})",
        "a1: tuple[int, D1] = (1, {})",
        "a1: tuple[D1, ...] = ({0}, {0})",
        "def f(n: int, p: D1 = {}) -> None: ...",
        "def f(n: Any, p: D1) -> None: ...\na1 = list(map(f, [a0], [{}]))",
    ]
    values = {"np.ones(3)": False, "a0": True}
    samples = [
        TypedSample(_sample("a9 = 0", f"{header}\n{text.format(value)}"), types, place="D1")
        for text in texts
        for value in values
    ]
    samples = [replace(each, sample=replace(each.sample, name=f"program{n}")) for n, each in enumerate(samples)]
    assert are_unknown(samples, DIALECTS["numpy"], tmp_path, plugin_cache) == [*values.values()] * len(texts)


def test_mistakes_behind_a_protocol(tmp_path: Path, plugin_cache: Path) -> None:
    """Where the protocol declares Any, each method fits."""
    text = """\
class P(Protocol):
    def run(self, p: D0) -> None: ...
class C:
    def run(self, p: D1) -> None: ...
def f(each: P) -> None: ...
f(C())"""
    header = "from typing import Any, Protocol\nimport numpy as np\nimport numpy.typing as npt"
    array = "npt.NDArray[np.int8]"
    samples = [
        TypedSample(_sample("a = 0", text, header=header), types, place="D1")
        for types in ({"D0": "Any", "D1": array}, {"D0": array, "D1": array})
    ]
    samples = [replace(each, sample=replace(each.sample, name=f"program{n}")) for n, each in enumerate(samples)]
    assert are_unknown(samples, DIALECTS["numpy"], tmp_path, plugin_cache) == [True, False]


@pytest.mark.parametrize("kind", KINDS)
def test_no_programs_have_no_failures(kind: str, tmp_path: Path) -> None:
    assert checked(kind, [], DIALECTS["numpy"], tmp_path, (tmp_path, tmp_path)) == []


@pytest.mark.slow
def test_a_program_that_cannot_be_smaller_is_kept(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    case = typed("quiet", _sample("a1 = 1"), DIALECTS["numpy"], Random(0))
    assert case is not None
    message = Message("program_base.py", 1, "error", "", "operator")
    failure = Failure(case, "new", message, "a line that no smaller program has")
    assert reduced("quiet", [failure], DIALECTS["numpy"], tmp_path, (plugin_cache, stock_cache)) == [failure]


@pytest.mark.parametrize("executed", [False, True])
def test_a_rejected_operation_that_executes_is_a_failure(
    executed: bool, tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    line = "a1 = np.int8(1) or np.array([True]) - np.array([True])"
    dialect = DIALECTS["numpy"]
    case = typed("quiet", _sample(line.replace("np.int8(1) or ", "") if executed else line), dialect, Random(0))
    assert (case is None) == executed  # NumPy rejects it, too
    if case is not None:
        assert checked("quiet", [case], dialect, tmp_path, (plugin_cache, stock_cache)) == []


def test_messages_of_several_dtypes() -> None:
    text = 'Argument 1 to "f" has incompatible type "ndarray[int8] | ndarray[int16]"; expected "ndarray[int8]"'
    assert is_of_several(Message("a.py", 1, "error", text, "arg-type"))
    assert not is_of_several(Message("a.py", 1, "error", text.replace(" | ndarray[int16]", ""), "arg-type"))
    joined = text.replace("ndarray[int8] | ndarray[int16]", "ndarray[dtype[number[_64Bit, float]]]")
    assert is_of_several(Message("a.py", 1, "error", joined, "arg-type"))
    beside = 'Unsupported operand types for * ("C" and "Array[complex64 | float32]")'
    assert is_of_several(Message("a.py", 1, "error", beside, "operator"))
    default = 'Incompatible default for parameter "q" (default has type "Tensor[Float]", parameter has type "T")'
    assert is_of_several(Message("a.py", 1, "error", default, "assignment"))
    given = 'Argument 2 to "f" has incompatible type "Callable[[T], T]"; expected "Callable[[Tensor[Real]], T]"'
    assert is_of_several(Message("a.py", 1, "error", given, "arg-type"))
    assert not is_of_several(Message("a.py", 1, "error", given.replace("Real", "float16"), "arg-type"))
    entry = 'Dict entry 0 has incompatible type "str": "float64 | float32"; expected "str": "float32"'
    assert is_of_several(Message("a.py", 1, "error", entry, "dict-item"))


def test_variables_of_branches() -> None:
    source = "if c:\n    a = 1\nelse:\n    a = 2\nb = f(a)\nd = f(b)\n"
    assert is_of_branches(5, source, [])
    assert not is_of_branches(6, source, [])
    assert is_of_branches(1, "b = f(a)", [source])
    assert not is_of_branches(1, "d = f(b)", [source])
    assert is_of_branches(1, "d = a if c else b", [])
    once = "for b in c:\n    a = b\n"
    assert not is_of_branches(3, f"{once}d = f(a)\n", [])


def test_reviewed_messages() -> None:
    stubs = Message("a.py", 1, "error", 'Unsupported operand types for + ("ndarray[Any]" and "int")', "operator")
    other = Message("a.py", 1, "error", '"A" has no attribute "b"', "attr-defined")
    assert is_of_stubs(stubs)
    assert not is_of_stubs(other)
    index = Message("a.py", 1, "error", "Tuple index out of range", "misc")
    assert is_of_stubs(index, "b = a.shape[-1]")
    assert not is_of_stubs(index, "b = a[-1]")
    results = Message("a.py", 1, "error", "Too many values to unpack (2 expected, 3 provided)", "misc")
    assert is_of_stubs(results, "q, r = jnp.linalg.qr(a)")
    assert not is_of_stubs(results, "q, r = a")
    none = 'No overload variant of "__add__" of "ndarray" matches argument type "None"'
    assert is_of_stubs(Message("a.py", 1, "error", none.replace("None", "float"), "operator"))
    assert not is_of_stubs(Message("a.py", 1, "error", none, "operator"))
    unary = Message("a.py", 1, "error", 'Unsupported operand type for unary + ("generic[int]")', "operator")
    assert is_of_stubs(unary)


def test_reviewed_messages_about_numpy_numbers() -> None:
    pair = 'Incompatible types in assignment (expression has type "tuple[int, bool]", target has type "int")'
    assert is_of_numpy_number(Message("a.py", 1, "error", pair, "assignment"))
    assert not is_of_numpy_number(Message("a.py", 1, "error", pair.replace("bool", "A"), "assignment"))
    for text in (
        'Unsupported target for indexed assignment ("int")',
        'Item "bool" of "bool | float" has no attribute "shape"',
        'Value of type "Any | Literal[0]" is not indexable',
        'Argument 1 to "nonzero" has incompatible type "int"; expected "_SupportsArray[dtype[Any]]"',
    ):
        assert is_of_numpy_number(Message("a.py", 1, "error", text, "operator"))
        other = Message("a.py", 1, "error", re.sub(r"int\b|bool|float|Literal.0.", "A", text), "operator")
        assert not is_of_numpy_number(other)


@pytest.mark.parametrize(
    ("given", "expected", "is_about_dtypes"),
    [
        ("ndarray[Any, dtype[float64]]", "floating[_32Bit]", True),
        ("tuple[ndarray[Any], int]", "tuple[bool[Any], int]", True),
        ("tuple[ndarray[Any], str]", "tuple[bool[Any], int]", False),
        ("Callable[[Any], float64]", "Callable[[int], bfloat16]", True),
        ("ndarray[Any, dtype[Any]]", "float", False),
        ("float64 | None", "ndarray[Any, dtype[Any]]", False),
        ("list[float64]", "ndarray[Any, dtype[Any]]", False),
        ("floating[Any]", "str", False),
    ],
)
def test_classes_in_a_message(given: str, expected: str, is_about_dtypes: bool) -> None:
    text = f'Argument 1 to "f" has incompatible type "{given}"; expected "{expected}"'
    assert is_about_arrays(text) is is_about_dtypes


def test_known_limits_are_not_fair() -> None:
    text = 'Argument 1 to "f" has incompatible type "ndarray[Any, dtype[Any]]"; expected "float"'
    limit = Message("a.py", 1, "error", text, "arg-type")
    assert is_known_limit(limit)
    assert not is_of_stubs(limit)
    assert not is_known_limit(Message("a.py", 1, "error", text.replace("float", "str"), "arg-type"))


def test_arrays_that_are_numbers_to_the_stubs() -> None:
    base = "x, n = lax.while_loop(more, body, (x, 0))\nclass C:\n    k = [1 == x]\nt = 0\nt += y\n"
    lines = [
        "import base",
        "m = int(3)",
        "f(n)",
        "f(m)",
        "f(sum([y, y]))",
        "C.k.append(y)",
        "r = {}",
        "r['a'] = n",
        "f(r)",
    ]
    source = "\n".join([*lines, "f(t)"])
    modules, text = {"base": base, "m": source}, 'Argument 1 to "f" has incompatible type "int"; expected "Array"'
    rejected = 'Incompatible types in assignment (expression has type "Array[int8]", variable has type "int")'
    others = [Message("base.py", 5, "error", rejected, "assignment")]
    found = [
        line
        for line in range(1, 11)
        if is_of_stub_numbers(Message("m.py", line, "error", text, "arg-type"), others, modules)
    ]
    assert found == [3, 5, 6, 7, 8, 9, 10]
    assert not is_of_stub_numbers(Message("m.py", 10, "error", text, "arg-type"), [], modules)
    other = Message("m.py", 3, "error", text.replace("int", "str"), "arg-type")
    assert not is_of_stub_numbers(other, others, modules)


def test_sums_of_arrays_that_are_numbers_to_the_stubs() -> None:
    source = "a = sum([p + 7 for p in x])\nb = a < c\nb.astype(d)\nx.sum().astype(d)\ne.astype(d)"
    union = "ndarray[Any, dtype[bool]] | numpy.bool | builtins.bool"
    text = f'Item "builtins.bool" of "{union}" has no attribute "astype"'
    messages = [Message("m.py", line, "error", text, "union-attr") for line in (3, 4, 5)]
    assert [is_of_sums(each, {"m": source}) for each in messages] == [True, False, False]
    other = Message("m.py", 3, "error", text.replace(union, "str | builtins.bool"), "union-attr")
    assert not is_of_sums(other, {"m": source})


def test_values_that_stock_mypy_does_not_know_after_its_error() -> None:
    source = "a = t - n\nb = a.sum()\nc = t.sum()\n"
    lost = [Message("m.py", 1, "error", "", "operator")]
    found = [is_after(Message("m.py", line, "error", "", "assignment"), lost, {"m": source}) for line in (2, 3)]
    assert found == [True, False]
    assert not is_after(Message("m.py", 2, "error", "", "assignment"), [], {"m": source})


def test_code_that_stock_mypy_takes_for_unreachable() -> None:
    source = "if len(a.shape) > 0:\n    b = a\nelse:\n    b = 1\nc = a if len(a.shape) > 0 else b\n"
    found = [is_unchecked(Message("a.py", line, "error", "", "misc"), source) for line in range(1, 6)]
    assert found == [True, True, False, False, True]


def test_programs_are_written_in_places() -> None:
    sample = write(placed(DIALECTS["numpy"]), Random(1), "program1", "true")
    assert len(sample.statements) > sample.first > 0
