"""A function with a type variable that has a list of types: mypy checks a copy of it for each of them.

No copy may change what is reported. So each function of many programs gets one more parameter, of such a type variable.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

TESTS: Final = Path(__file__).parents[2]
PROGRAMS: Final = (
    "plugin/inferred/provenance/declared_dtypes",
    "plugin/inferred/provenance/inferred_targets",
    "plugin/inferred/provenance/other_reasons",
    "plugin/inferred/provenance/true_errors",
    "plugin/inferred/provenance/values_of_any",
    "plugin/calls/whole",
    "plugin/transforms/executed",
)
PARAMETER: Final = '_further: "_Further | None" = None'
DEFINITIONS: Final = """
# mypy: disable-error-code="used-before-def"
import typing as _typing
_Further = _typing.TypeVar("_Further", int, str)
_Kept = _typing.TypeVar("_Kept")
def _kept(function: _Kept) -> _Kept:
    return function
"""
#: An index after a rejected assignment: mypy goes on with the type from before.
AFTER_ERROR: Final = """\
import numpy as np
from numpy.typing import NDArray


def cropped(image: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    first, last = corners.flatten()
    first = int(first)
    last = int(last)
    return image[first:last]
"""


def generic(text: str) -> str:
    """A program whose functions with types have a type variable, but for those that are passed to others."""
    tree, lines = ast.parse(text), text.splitlines()
    for line, column, inserted in sorted(_parameters(tree, lines), reverse=True):
        encoded = lines[line].encode()
        lines[line] = (encoded[:column] + inserted.encode() + encoded[column:]).decode()
    return "\n".join(lines)


def decorated(text: str) -> str:
    """A program whose functions have a decorator that changes nothing."""
    lines = text.splitlines()
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef) and not function.decorator_list:
            lines[function.lineno - 1] = f"@_kept\n{lines[function.lineno - 1]}"
    return "\n".join(lines)


def _parameters(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each parameter."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    passed = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called}
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.name in passed:
            continue
        arguments = function.args
        given = [*arguments.posonlyargs, *arguments.args]
        if arguments.vararg or arguments.kwonlyargs or arguments.kwarg:
            continue
        if function.returns is None:
            continue  # its calls would have other results
        if given:
            last = arguments.defaults[-1] if arguments.defaults else given[-1].annotation or given[-1]
            yield (last.end_lineno or 0) - 1, last.end_col_offset or 0, f", {PARAMETER}"
        else:
            yield function.lineno - 1, lines[function.lineno - 1].index("(") + 1, PARAMETER


def _messages(folder: Path, programs: dict[str, str], cache: Path, *, plugin: bool) -> set[tuple[str, int, str]]:
    for name, text in programs.items():
        (folder / name).write_text(f"{text}\n{DEFINITIONS}")
    run = run_mypy(folder, *programs, cache=cache, plugin=plugin)
    return {(each.file, each.line, each.text) for each in run.messages}


def test_an_error_before_the_use_is_not_forgotten(tmp_path: Path, plugin_cache: Path) -> None:
    forms = {
        "plain.py": AFTER_ERROR,
        "generic.py": generic(AFTER_ERROR),
        "decorated.py": decorated(AFTER_ERROR),
        "both.py": decorated(generic(AFTER_ERROR)),
    }
    found = _messages(tmp_path, forms, plugin_cache, plugin=True)
    lines = {name: {line for file, line, _ in found if file == name} for name in forms}
    assert lines == {"plain.py": {7, 8}, "generic.py": {7, 8}, "decorated.py": {8, 9}, "both.py": {8, 9}}


@pytest.mark.slow
@pytest.mark.parametrize("folder", PROGRAMS)
@pytest.mark.parametrize("form", [str, decorated])
def test_a_type_variable_changes_nothing(
    folder: str, form: Callable[[str], str], tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    needs("jax", "torch")
    texts = {f"{path.name.partition('.')[0]}.py": path.read_text() for path in sorted((TESTS / folder).glob("*.txt"))}
    plain = {name: form(text) for name, text in texts.items()}
    changed = {name: form(generic(text)) for name, text in texts.items()}
    assert sum(text.count(PARAMETER) for text in changed.values()) > 10, "few functions have types"
    (with_plugin := tmp_path / "plugin").mkdir()
    (stock := tmp_path / "stock").mkdir()
    ours = _messages(with_plugin, plain, plugin_cache, plugin=True)
    theirs = _messages(stock, plain, stock_cache, plugin=False)
    of_copies = _messages(with_plugin, changed, plugin_cache, plugin=True)
    of_stock = theirs ^ _messages(stock, changed, stock_cache, plugin=False)
    places = {(file, line) for file, line, _ in of_stock}
    assert sorted(each for each in ours ^ of_copies if each[:2] not in places) == []
