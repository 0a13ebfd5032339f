"""Every reported place is one of `ast`, and its value has a reported dtype when the program runs."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.mypy_runs import ROOT, configuration
from tests.needed import needs
from tests.program.executed import differences, infer_json, place_of, run_command
from tests.slow_tests import slow_but

PROGRAMS = Path(__file__).parent / "programs"
NEEDS = {
    "fixed": ("jax", "scipy", "torch"),
    "weak": ("jax", "jaxtyping"),
    "unknowns": ("jax", "torch"),
    "scipy_results": ("scipy",),
    "own_results": ("jax", "torch"),
    "followed_arrays": ("jax", "torch"),
    "cast_modules": ("torch",),
    "private_parameters": ("jax", "torch"),
    "images": ("PIL",),
    "joined_arrays": (),
    "bound_from_themselves": ("torch",),
    "numpy_names": ("torch",),
}
#: The programs whose comments have the dtypes of their lines.
AGREEING = ("passes", "elements", "attributes", *NEEDS)
#: Names of arrays; the last is not ASCII, and has four bytes.
ARRAYS = ("x", "w", "é", "\N{MATHEMATICAL SCRIPT CAPITAL X}")
EXAMPLES = {
    "quickstart/exposure.py": (), "numpy_signal.py": (), "sensor_fusion.py": (), "portable.py": (),
    "jax_training_step.py": ("jax", "jaxtyping"), "dask_statistics.py": ("dask", "jaxtyping"),
    "torch_mixed_precision.py": ("torch", "jaxtyping"), "own_lattice/telescope.py": ("jax", "jaxtyping"),
}  # fmt: skip


def _configured(folder: Path, cache: Path, module: str) -> None:
    (folder / "pyproject.toml").write_text(configuration(cache, "check_untyped_defs = true", module))


def _inferred(name: str, folder: Path, cache: Path) -> tuple[Path, list[dict[str, Any]]]:
    needs(*NEEDS.get(name, ()))
    _configured(folder, cache, name)
    program = folder / f"{name}.py"
    program.write_bytes((PROGRAMS / f"{name}.py.txt").read_bytes())
    return program, infer_json(folder, program.name)["expressions"]


def _told(program: Path, expressions: list[dict[str, Any]]) -> dict[int, str]:
    """Line -> the type of its longest expression, as the comments of the programs have it."""
    told: dict[int, str] = {}
    for each in sorted(expressions, key=lambda each: each["end_column"] - each["column"]):
        dtype = each["dtype"]
        names = f"[{', '.join(dtype)}]" if isinstance(dtype, list) else str(dtype)
        told[each["line"]] = ("weak " if each["weak"] else "") + names
    lines = program.read_text().splitlines()
    return {line: text for line, text in told.items() if re.search(r"  # (?!type)", lines[line - 1])}


@pytest.mark.parametrize("name", AGREEING)
def test_the_inferred_dtype_is_the_executed_one(name: str, tmp_path: Path, plugin_cache: Path) -> None:
    program, expressions = _inferred(name, tmp_path, plugin_cache)
    assert differences(program, expressions) == []
    comments = {
        number: match[1]
        for number, line in enumerate(program.read_text().splitlines(), start=1)
        if (match := re.search(r"  # (?!type|nothing)(.*)", line))
    }
    assert _told(program, expressions) == comments


def test_unreachable_code_has_no_expressions(tmp_path: Path, plugin_cache: Path) -> None:
    program, expressions = _inferred("passes", tmp_path, plugin_cache)
    nothing = [n for n, line in enumerate(program.read_text().splitlines(), 1) if "# nothing" in line]
    assert len(nothing) == 2
    assert {each["line"] for each in expressions}.isdisjoint(nothing)


@pytest.mark.parametrize("name", ["places", "parentheses"])
def test_every_array_expression_is_reported_once_where_ast_has_it(
    name: str, tmp_path: Path, plugin_cache: Path
) -> None:
    program, expressions = _inferred(name, tmp_path, plugin_cache)
    assert differences(program, expressions) == []
    places = [place_of(each) for each in expressions]
    assert len(set(places)) == len(places)
    assert places == sorted(places)
    # In these programs each of these names is an array wherever it is read, except in f-strings before 3.12,
    # and so is the result of each operation on them.
    tree = ast.parse(program.read_bytes())
    in_f_strings = {id(n) for f in ast.walk(tree) if isinstance(f, ast.JoinedStr) for n in ast.walk(f)}
    arrays = {
        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id in ARRAYS and isinstance(node.ctx, ast.Load))
        or isinstance(node, ast.BinOp)
        if id(node) not in in_f_strings
    }
    assert arrays <= set(places)
    assert len(arrays) > 50


@pytest.mark.parametrize("example", slow_but(["quickstart/exposure.py", "numpy_signal.py"], EXAMPLES))
def test_the_examples_agree_with_their_execution(example: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs(*EXAMPLES[example])
    program = tmp_path / Path(example).name
    _configured(tmp_path, plugin_cache, program.stem)
    for file in (ROOT / "examples" / example).parent.glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    expressions = infer_json(tmp_path, program.name)["expressions"]
    assert differences(program, expressions) == []
    assert len(expressions) > 10


def test_a_wrong_dtype_or_place_is_found(tmp_path: Path, plugin_cache: Path) -> None:
    program = tmp_path / "program.py"
    _configured(tmp_path, plugin_cache, program.stem)
    program.write_text(
        "import numpy as np\nfrom typing import cast, Any\n"
        "x = cast('np.ndarray[Any, np.dtype[np.float32]]', np.ones(2))\nx + x\n"
    )
    expressions = infer_json(tmp_path, program.name)["expressions"]
    assert [found.split(": ")[1] for found in differences(program, expressions)][-3:] == ["x", "x + x", "x"]
    for each in expressions:
        each["column"] += 1
    with pytest.raises(AssertionError, match="AssertionError"):
        differences(program, expressions)


@pytest.mark.slow
def test_a_file_needs_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import numpy as np\nx = np.ones(2, np.float32)\nx * 2.5\n")
    (tmp_path / ".mypy_cache").mkdir()
    assert [each["dtype"] for each in infer_json(tmp_path, "program.py")["expressions"]] == ["float32"] * 3
    assert run_command(tmp_path, "infer", "program.py").stderr == ""
