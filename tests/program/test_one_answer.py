"""`infer`, `coverage`, hovers and findings tell one dtype for each expression, and one cause of an unknown one."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.linting.values import named
from promo_mypy.rules import dtypes as dt
from tests.mypy_runs import ROOT, configuration, environment
from tests.needed import needs
from tests.program.executed import place_of, run_command

NEEDS = ("dask", "jax", "jaxtyping", "torch", "scipy")
#: `infer` checks bodies of functions again for each call in the program, the server for those of short functions only.
CALLED_ANEW = ("private_parameters.py.txt",)
#: Programs whose dtypes mypy has, programs with mistakes, and programs whose dtypes follow from others.
PROGRAMS = (
    *(ROOT / "examples").glob("*.py"),
    *(ROOT / "examples" / "mistakes").glob("*.py"),
    *(ROOT / "tests" / "docs" / "finds").glob("*.py.txt"),
    *(each for each in (ROOT / "tests" / "program" / "programs").glob("*.py.txt") if each.name not in CALLED_ANEW),
)
#: Prints for each file what hovers and findings say: the answers of the editor's server for these open files.
_SERVER = """\
import ast, json, sys
from dataclasses import astuple
from pathlib import Path
from promo_mypy.linting.request import LintRequest
from promo_mypy.lsp.hovers import hover_at
from promo_mypy.lsp.messages import Document, Edits
from promo_mypy.lsp.program import Program
sys.setrecursionlimit(2**14)
program = Program(lambda done: None)
texts = {path: Path(path).read_text(encoding="utf-8") for path in sys.argv[2:]}
documents = {path: Document(str(Path(path).resolve()), 1, text) for path, text in texts.items()}
program.update(Edits(tuple(documents.values()), anew=LintRequest((), cache=Path(sys.argv[1]))))
def spot(node):
    # The first place of an expression that is in no other expression inside it.
    inside = [each for each in ast.walk(node) if isinstance(each, ast.expr) and each is not node]
    end = node.end_col_offset if node.end_lineno == node.lineno else node.col_offset + 80
    for column in range(node.col_offset, end):
        here = (node.lineno, column)
        if not any((e.lineno, e.col_offset) <= here < (e.end_lineno, e.end_col_offset) for e in inside):
            return here
told = {}
for path, text in texts.items():
    file = program.file(documents[path].path)
    values, config = program.values(file).followed, program.config().for_module(file.module)
    spots = {spot(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.expr)} - {None}
    hovers = [hover_at(values, config, line, column + 1) for line, column in sorted(spots)]
    found = program.findings(file)
    told[path] = {
        "hovers": [(*astuple(each.span), each.markdown.partition("\\n")[0]) for each in hovers if each is not None],
        "labels": [(*astuple(label.span), label.dtype) for each in found for label in each.labels],
    }
print(json.dumps(told))
"""

#: Line and column of both ends, in characters from 1.
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Answers:
    """What the commands and the server tell about one program.

    Attributes:
        infer: expression -> its dtypes in words; empty for an array of unknown dtype.
        causes: expression of unknown dtype -> the cause, in `coverage`.
        known: how many expressions have one dtype or one of several, in `coverage`.
        hovers: expression -> the first line of a hover over it.
        labels: the operands of findings, with their dtypes.
        in_turns: the expressions that mypy checks once for each context. The server has only the last type of these.
    """

    infer: Mapping[Span, str]
    causes: Mapping[Span, str]
    known: int
    hovers: Mapping[Span, str]
    labels: tuple[tuple[Span, str], ...]
    in_turns: frozenset[Span]

    def differences(self) -> list[str]:
        """What is not the same in two answers."""
        found = []
        listed = sum(bool(dtype) for dtype in self.infer.values())
        if listed != self.known:
            found.append(f"infer lists {listed} dtypes, coverage counts {self.known}")
        for span, dtype in self.infer.items():
            hover = re.match(r"\*\*(.*?)\*\*", self.hovers.get(span, ""))
            shown = hover[1] if hover is not None and hover[1] not in UNKNOWN else ""
            if shown != dtype and span not in self.in_turns:
                found.append(f"{span}: infer lists {dtype!r}, hover shows {shown!r}")
        for span, cause in self.causes.items():
            is_same = self.hovers.get(span) == f"**unknown dtype**: {cause}" or span in self.in_turns
            if self.infer.get(span) or not is_same:
                found.append(f"{span}: coverage counts as unknown {cause!r}, hover shows {self.hovers.get(span)!r}")
        for span, dtype in self.labels:
            if self.infer.get(span, dtype) != dtype:
                found.append(f"{span}: infer lists {self.infer[span]!r}, a finding names {dtype!r}")
        return found


#: The first words of hovers over arrays of unknown dtype.
UNKNOWN = ("unknown dtype", "decided by each call")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path, check_cache: Path) -> Mapping[str, Answers]:
    """File -> what the commands and the server tell about it."""
    needs(*NEEDS)
    folder = tmp_path_factory.mktemp("programs")
    names = []
    for program in PROGRAMS:
        text = program.read_text(encoding="utf-8")
        if text.isascii():  # columns are bytes in one answer and characters in another
            names.append(f"{program.parent.name}_{program.name.partition('.')[0]}.py")
            (folder / names[-1]).write_text(text)
    modules = [name.removesuffix(".py") for name in names]
    (folder / "pyproject.toml").write_text(configuration(plugin_cache, "check_untyped_defs = true", *modules))
    inferred, covered = (
        json.loads(run_command(folder, command, *names, "--format", "json").stdout) for command in ("infer", "coverage")
    )
    done = subprocess.run(
        [sys.executable, "-c", _SERVER, str(check_cache), *names],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = {file["path"]: file for file in covered["files"]}
    return {
        name: Answers(
            {_span(place_of(each)): _dtype(each) for each in inferred["expressions"] if each["path"] == name},
            dict(_causes(files[name])),
            files[name]["exact"] + files[name]["several"],
            {_spanned(hover): hover[4] for hover in told["hovers"]},
            tuple((_spanned(label), label[4]) for label in told["labels"]),
            frozenset(_in_turns(ast.parse((folder / name).read_text()))),
        )
        for name, told in json.loads(done.stdout).items()
    }


def _causes(file: dict[str, Any]) -> Iterator[tuple[Span, str]]:
    for cause in file["causes"]:
        for place in cause["places"]:
            yield _span(tuple(place)), cause["text"]


def _span(place: tuple[int, ...]) -> Span:
    line, column, end_line, end_column = place
    return line, column + 1, end_line, end_column + 1


def _spanned(row: list[Any]) -> Span:
    return row[0], row[1], row[2], row[3]


def _dtype(expression: dict[str, Any]) -> str:
    told: str | list[str] | None = expression["dtype"]
    names = told if isinstance(told, list) else [told] if told is not None else []
    dtypes = [dt.DTYPES[name] for name in names]
    weak = [dt.WEAK[dtype] if expression["weak"] else dtype for dtype in dtypes]
    return named(frozenset(weak)) if weak else ""


def _in_turns(tree: ast.Module) -> Iterator[Span]:
    """The expressions in a lambda or in the body of a `finally`, and those that have a lambda inside."""
    for node in ast.walk(tree):
        inside = [node] if isinstance(node, ast.Lambda) else getattr(node, "finalbody", [])
        yield from (_of(each) for part in inside for each in ast.walk(part) if isinstance(each, ast.expr))
        if isinstance(node, ast.expr) and any(isinstance(each, ast.Lambda) for each in ast.walk(node)):
            yield _of(node)


def _of(node: ast.expr) -> Span:
    return _span((node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0))


def test_every_answer_about_an_expression_is_the_same(answers: Mapping[str, Answers]) -> None:
    assert {name: found for name, each in answers.items() if (found := each.differences())} == {}
    told = Counter(bool(dtype) for each in answers.values() for dtype in each.infer.values())
    assert told[True] > 1000
    assert told[False] > 50
    assert sum(len(each.causes) for each in answers.values()) > 40
    assert sum(span in each.infer for each in answers.values() for span, _ in each.labels) > 50


def test_another_answer_is_found(answers: Mapping[str, Answers]) -> None:
    one = answers["finds_operators.py"]
    assert one.differences() == []
    wrong = dict.fromkeys(one.hovers, "**int8** under numpy promotion")
    assert len(replace(one, hovers=wrong).differences()) == len(one.infer)
    assert replace(one, labels=tuple((span, "int8") for span in one.infer)).differences() != []
    assert replace(one, known=one.known - 1).differences() != []
    unknown = answers["programs_unknowns.py"]
    assert len(replace(unknown, hovers={}).differences()) > len(unknown.causes) > 0
