"""`pytest --promo-confirm`: looking at values does not change a program; differences are found, counted, reported."""

import ast
import json
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_pytest.inference_runs import source_of
from promo_runtime.validation.confirmations import Confirmations
from promo_runtime.validation.confirmed_sources import LOOK, with_looks
from promo_runtime.validation.inferred_expressions import InferenceError, Span, read_inference
from tests.slow_tests import slow_but

if TYPE_CHECKING:  # the class is in conftest.py, which cannot be imported
    from tests.runtime.validation.conftest import Project
else:
    Project = Any

PROGRAM = '''
"""A module with every kind of expression."""
from __future__ import annotations
import sys

log = []

def noted(x, *rest, **named):
    log.append((x, rest, tuple(named.items())))
    return x

def first(a: int = noted(1), *, b: "int" = noted(2)) -> int:
    """Its doc string."""
    x = noted(a) + noted(b) * -noted(3)
    x += noted(4)
    y = z = [noted(i) for i in range(noted(2)) if noted(True)]
    y[noted(0)] += noted(5)
    (w := noted(6))
    del y[noted(1)]
    u, *v = noted((1, 2, 3))
    t: dict[str, int] = {**{"k": noted(7)}, "l": noted(8)}
    return noted(x) if noted(x) < noted(9) < noted(100) else (lambda q=noted(1), *r: q + len(r))(*v) + u + w + len(t)

class Base:
    __private = noted(10)
    @property
    def value(self): return self.__private
    def grow(self, by): return noted(by)

class Derived(Base):
    def grow(self, by):
        return super().grow(by) + __class__.__mro__[1].grow(self, by=by)

def generated():
    got = yield noted(11)
    yield from (noted(12), got)

async def awaited():
    async def inner(): return noted(13)
    return await inner() + noted(1)

def matched(x):
    match noted(x):
        case {"a": [1, y]} if noted(y): return y
        case Base.value: return 0
        case _: return noted(f"{noted(14)!r:>{noted(4)}}{x=}")

def driven(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value

def everything():
    running = generated()
    results = [first(), first(50, b=1), Derived().grow(2), Derived().value]
    results += [next(running), running.send(3), next(running)]
    results += [driven(awaited()), matched({"a": [1, 2]}), matched(3), {noted(1): noted(2)}, {*noted((1, 2))}]
    with open(sys.executable, "rb") as file, memoryview(noted(b"x")) as view:
        results.append(bytes(view))
    assert noted(1), noted("message")
    try:
        raise ValueError(noted("wrong")) from None
    except (ValueError, KeyError) as error:
        results.append(str(error))
    while noted(len(log)) % 2: noted(0)
    return results, log, first.__doc__, __doc__, first.__annotations__

def fails():
    before = noted(1)
    return (noted(2)
            + noted("text"))
'''


def spans(tree: ast.Module) -> dict[Span, int]:
    """Every expression of the module."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    places = [(n.lineno, n.col_offset, n.end_lineno or 0, n.end_col_offset or 0) for n in nodes]
    return {Span(*place): number for number, place in enumerate(dict.fromkeys(places))}


def executed(tree: ast.Module, **names: Any) -> dict[str, Any]:
    """Execute a tree, and return its namespace."""
    module = {"__name__": "program", **names}
    exec(compile(tree, "program.py", "exec", dont_inherit=True), module)
    return module


def test_a_program_with_a_look_at_every_expression_does_the_same() -> None:
    looks = []

    def look(value: object, number: int) -> object:
        looks.append(number)
        return value

    plain = executed(ast.parse(PROGRAM))
    changed = with_looks(ast.parse(PROGRAM), spans(ast.parse(PROGRAM)))
    looked = executed(changed, **{LOOK: look})
    assert looked["everything"]() == plain["everything"]()
    assert len(set(looks)) > 150


def test_tracebacks_keep_their_lines_and_columns() -> None:
    def positions(module: dict[str, Any]) -> list[Any]:
        try:
            module["fails"]()
        except TypeError as error:
            extracted = traceback.TracebackException.from_exception(error).stack[1:]
            return [(each.lineno, each.end_lineno, each.colno, each.end_colno, each.name) for each in extracted]
        raise AssertionError("it has to fail")

    changed = with_looks(ast.parse(PROGRAM), spans(ast.parse(PROGRAM)))
    assert positions(executed(changed, **{LOOK: lambda value, _: value})) == positions(executed(ast.parse(PROGRAM)))


def test_the_places_of_all_nodes_stay() -> None:
    def places(tree: ast.Module) -> set[Any]:
        kept = (node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt))
        return {(type(n).__name__, n.lineno, n.col_offset, n.end_lineno, n.end_col_offset) for n in kept}

    changed = with_looks(ast.parse(PROGRAM), spans(ast.parse(PROGRAM)))
    assert places(ast.parse(PROGRAM)) <= places(changed)


def inference(file: Path, **expressions: str | list[str] | None) -> str:
    """The output of `promo-mypy infer`: expressions by their text, `_` for a space, each at its first place."""
    nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.expr)]
    found = []
    for text, dtype in expressions.items():
        node = next(node for node in nodes if ast.unparse(node).replace(" ", "_") == text)
        place = {"line": node.lineno, "column": node.col_offset, "end_line": node.end_lineno}
        place["end_column"] = node.end_col_offset
        row = {"path": str(file), **place, "library": "numpy", "system": "numpy", "dtype": dtype, "weak": False}
        found.append(row)
    return json.dumps({"version": 1, "files": [str(file)], "expressions": found})


class TestCounting:
    def seen(self, tmp_path: Path, values: list[Any], dtype: str | list[str]) -> Confirmations:
        file = tmp_path / "one.py"
        file.write_text("x")
        confirmations = Confirmations(read_inference(inference(file, x=dtype), tmp_path))
        module = with_looks(ast.parse("x"), {Span(1, 0, 1, 1): 0})
        for value in values:
            executed(module, x=value, **{LOOK: confirmations.look})
        return confirmations

    @pytest.mark.parametrize(
        ("values", "dtype", "summary"),
        [
            ([], "float32", "1 expressions: 0 confirmed, 1 never reached, 0 differ"),
            ([np.float32(1), np.ones(1, "f4")], "float32", "1 expressions: 1 confirmed, 0 never reached, 0 differ"),
            ([1.0, True, None, "x", [np.ones(1)]], "float32", "1 expressions: 0 confirmed, 1 never reached, 0 differ"),
            ([np.ones(1), np.int8(1)], ["int8", "float64"], "1 expressions: 1 confirmed, 0 never reached, 0 differ"),
            ([np.ones(1), np.int8(1)], "int8", "1 expressions: 0 confirmed, 0 never reached, 1 differ"),
            ([np.array(["a"])], "float32", "1 expressions: 0 confirmed, 0 never reached, 1 differ"),
            ([pr.asarray(1.0, system="jax-x32")], "float32", "1 expressions: 1 confirmed, 0 never reached, 0 differ"),
        ],
    )
    def test_what_is_confirmed(self, tmp_path: Path, values: list[Any], dtype: str | list[str], summary: str) -> None:
        assert self.seen(tmp_path, values, dtype).summary() == summary

    def test_the_report_counts_wrong_dtypes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_x.py::test_it (call)")
        seen = self.seen(tmp_path, [np.ones(1), np.ones(1, "f4"), np.ones(1), np.int8(1)], "float32")
        (line,) = seen.report({str(tmp_path / "one.py"): "one.py"})
        counts = "float64 (2 of 4 times), int8 (1 of 4 times) first in tests/test_x.py::test_it"
        assert line == f"one.py:1:1: x: inferred float32, was {counts}"
        other = self.seen(tmp_path, [], "float32")
        other.add(json.loads(json.dumps(seen.state())))
        assert other.report({}) == seen.report({})

    def test_a_dtype_from_recorded_runs_is_named_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PYTEST_CURRENT_TEST")
        file = tmp_path / "one.py"
        file.write_text("x")
        content = json.loads(inference(file, x="float32"))
        content["expressions"][0]["observed"] = True
        confirmations = Confirmations(read_inference(json.dumps(content), tmp_path))
        confirmations.look(np.ones(1), 0)
        (line,) = confirmations.report({str(file): "one.py"})
        assert line == "one.py:1:1: x: recorded float32, was float64 (1 of 1 times)"

    def test_an_unknown_dtype_is_not_looked_at(self, tmp_path: Path) -> None:
        file = tmp_path / "one.py"
        file.write_text("x")
        assert read_inference(inference(file, x=None), tmp_path) == ()

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"version": 1, "expressions": [{}]}'])
    def test_an_invalid_file_is_one_clear_error(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(InferenceError, match=r"^(not the output of promo-mypy infer|the inference has version 2)"):
            read_inference(text, tmp_path)


APP = """
import numpy as np


def double(x):
    return x * 2


def never(x):
    return x + 1


class Signal:
    def __init__(self, x):
        self.x = x - 1
"""

TESTS = """
import numpy as np
from app import signals


def test_both():
    assert signals.double(np.ones(2, "f4")).dtype == "f4"
    signals.Signal(np.ones(2))


def test_other():
    signals.double(np.ones(2, "f8"))
"""


# What some packages do to see every import.
WRAPPING = """
import sys


class Finder:
    def __init__(self, wrapped):
        self.wrapped = wrapped

    def find_spec(self, name, path=None, target=None):
        return self.wrapped.find_spec(name, path, target) if hasattr(self.wrapped, "find_spec") else None


sys.meta_path[:] = [Finder(each) for each in sys.meta_path]
"""


class TestSessions:
    def project(self, project: Project, **expressions: str) -> tuple[str, ...]:
        project.write("app/__init__.py", "")
        file = project.write("app/signals.py", APP)
        project.write("tests/test_app.py", TESTS)
        project.write("inferred.json", inference(file, **expressions))
        return ("--promo-confirm=app", "--promo-confirm-from=inferred.json")

    @pytest.mark.parametrize("workers", slow_but([()], [(), ("-n2",)]), ids=["one process", "xdist"])
    def test_a_difference_fails_the_session(self, project: Project, workers: tuple[str, ...]) -> None:
        given = self.project(project, **{"x_*_2": "float32", "x_+_1": "float32", "x_-_1": "float64"})
        run = project.pytest(*given, *workers)
        assert run.returncode == pytest.ExitCode.TESTS_FAILED
        assert "2 passed" in run.stdout
        lines = run.stdout.splitlines()
        assert "promo-confirm: app: 3 expressions: 1 confirmed, 1 never reached, 1 differ" in lines
        wrong = "float64 (1 of 2 times) first in tests/test_app.py::test_other"
        assert f"app/signals.py:6:12: x * 2: inferred float32, was {wrong}" in lines

    def test_without_a_difference_it_passes(self, project: Project) -> None:
        given = self.project(project, **{"x_-_1": "float64"})
        run = project.pytest(*given, "--promo-check=app")
        assert run.returncode == 0, run.stdout
        assert "promo-confirm: app: 1 expressions: 1 confirmed, 0 never reached, 0 differ" in run.stdout
        assert re.search(r"promo-check: 0 calls of 0 functions", run.stdout)

    @pytest.mark.parametrize("workers", slow_but([()], [(), ("-n2",)]), ids=["one process", "xdist"])
    def test_code_that_is_left_as_it_is_counts_apart(self, project: Project, workers: tuple[str, ...]) -> None:
        self.project(project)
        code = "import numba\n\n\n@numba.njit\ndef f(x):\n    return x / 2\n\n\ndef g(x):\n    return x // 4\n"
        project.write("numba.py", "def njit(function):\n    return function\n")
        compiled = project.write("app/compiled.py", code)
        test = project.write("app/test_inside.py", "import app.compiled\n\n\ndef test_it():\n    assert abs(-3) == 3\n")
        expressions = json.loads(inference(compiled, **{"x_/_2": "float64", "x_//_4": "float64"}))
        expressions["expressions"] += json.loads(inference(test, **{"abs(-3)": "float64"}))["expressions"]
        project.write("inferred.json", json.dumps(expressions))
        run = project.pytest("--promo-confirm=app", "--promo-confirm-from=inferred.json", "app", "tests", *workers)
        counts = "0 confirmed, 1 never reached, 0 differ, 2 in code that is left as it is"
        assert f"promo-confirm: app: 3 expressions: {counts}" in run.stdout.splitlines(), run.stdout

    def test_an_empty_sequence_is_named_apart(self, project: Project) -> None:
        self.project(project)
        code = (
            "import numpy as np\n\n\ndef size(shape):\n    n = np.prod(shape)\n    m = n * 2\n    return m + 1, n - n\n"
        )
        file = project.write("app/sizes.py", code)
        test = "import app.sizes\n\n\ndef test_it():\n    app.sizes.size((2,))\n    app.sizes.size(())\n"
        project.write("tests/test_sizes.py", test)
        expressions = {"np.prod(shape)": "int64", "n_*_2": "int64", "m_+_1": "int64"}
        content = json.loads(inference(file, **expressions))
        content["expressions"][0]["if_empty"] = ["float64"]
        project.write("inferred.json", json.dumps(content))
        given = ("--promo-confirm=app", "--promo-confirm-from=inferred.json")
        run = project.pytest(*given)
        assert run.returncode == 0, run.stdout
        lines = run.stdout.splitlines()
        counts = "0 confirmed, 0 never reached, 0 differ, 3 differ for empty sequences"
        place = lines.index(f"promo-confirm: app: 3 expressions: {counts}")
        assert lines[place + 1] == "because a sequence is empty:"
        was = "inferred int64, was float64 (1 of 2 times) first in tests/test_sizes.py::test_it"
        texts = ("5:9: np.prod(shape)", "6:9: n * 2", "7:12: m + 1")
        assert lines[place + 2 : place + 5] == [f"app/sizes.py:{text}: {was}" for text in texts]
        content["expressions"][0]["if_empty"] = ["float32"]
        project.write("inferred.json", json.dumps(content))
        assert project.pytest(*given).returncode == pytest.ExitCode.TESTS_FAILED

    def test_an_option_given_twice_adds_packages(self, project: Project) -> None:
        self.project(project, **{"x_-_1": "float64"})
        project.write("other/__init__.py", "")
        given = ("--promo-check=app", "--promo-check=other", "--promo-confirm=app", "--promo-confirm=other,app")
        run = project.pytest(*given, "--promo-confirm-from=inferred.json", "-n2")
        lines = run.stdout.splitlines()
        assert "promo-confirm: app, other: 1 expressions: 1 confirmed, 0 never reached, 0 differ" in lines
        assert any(line.startswith("promo-check: ") and " checked in app, other: " in line for line in lines)
        assert "never imported: other" in lines

    def test_a_package_may_wrap_the_finders_of_imports(self, project: Project) -> None:
        given = self.project(project, **{"x_-_1": "float64"})
        project.write("app/__init__.py", WRAPPING)
        run = project.pytest(*given, "--promo-check=app")
        assert run.returncode == 0, run.stdout
        assert "promo-confirm: app: 1 expressions: 1 confirmed, 0 never reached, 0 differ" in run.stdout

    def test_a_file_without_an_inference_is_a_usage_error(self, project: Project) -> None:
        given = self.project(project, **{"x_-_1": "float64"})
        project.write("inferred.json", "{}")
        run = project.pytest(*given)
        assert run.returncode == pytest.ExitCode.USAGE_ERROR
        assert "ERROR: --promo-confirm: not the output of promo-mypy infer: KeyError: 'version'" in run.stderr

    @pytest.mark.parametrize(
        ("package", "problem"),
        [
            ("ap", "ap cannot be found: install it, or name its folder in pytest's option pythonpath"),
            ("app.signals.x", "app.signals.x cannot be found: "),
            ("sys", "sys cannot be found: "),
            ("pytest", "pytest is installed in "),
        ],
    )
    def test_a_package_without_sources(self, project: Project, package: str, problem: str) -> None:
        self.project(project, **{"x_-_1": "float64"})
        with pytest.raises(InferenceError, match=f"^{re.escape(problem)}"):
            source_of(package, [project.folder])

    def test_a_package_is_found_without_importing_it(self, project: Project) -> None:
        self.project(project, **{"x_-_1": "float64"})
        project.write("app/__init__.py", "raise AssertionError")
        assert source_of("app", [project.folder]) == project.folder / "app"
        assert source_of("app.signals", [project.folder]) == project.folder / "app/signals.py"
        assert source_of("statistics", []).name == "statistics.py"

    def test_a_package_that_cannot_be_found_is_a_usage_error(self, project: Project) -> None:
        run = project.pytest("--promo-confirm=ap")
        assert run.returncode == pytest.ExitCode.USAGE_ERROR
        assert "ERROR: --promo-confirm: ap cannot be found: install it, or name its folder in" in run.stderr
