"""Casts that are inserted: where they stand, what stays as it is, and that a second run changes nothing."""

import ast
from pathlib import Path

import pytest

from promo_mypy.rules.findings import Cast, Span
from tests.cli.check.checks import HEADER, MISTAKE, check, check_json
from tests.needed import imported

cst = imported("libcst")

F32 = "{}.astype(np.float32)"


def cast_in(source: str, expression: str, template: str = F32) -> str:
    """The source with a cast around the only place of an expression."""
    from promo_mypy.fixing.fixes import with_casts

    (node,) = [
        each
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.expr) and ast.get_source_segment(source, each) == expression
    ]
    lines = source.splitlines()
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    end = len(lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
    span = Span(node.lineno, start + 1, node.end_lineno, end + 1)
    module, count = with_casts(cst.parse_module(source), [Cast(span, template)])
    assert count == 1
    code: str = module.code
    return code


#: Source, the expression to cast, and the source with the cast.
CASTS = {
    "a name": ("y = x\n", "x", "y = x.astype(np.float32)\n"),
    "an item": ("y = x.T[0]\n", "x.T[0]", "y = x.T[0].astype(np.float32)\n"),
    "a call": ("y = f(x)\n", "f(x)", "y = f(x).astype(np.float32)\n"),
    "a sum": ("y = a + b\n", "a + b", "y = (a + b).astype(np.float32)\n"),
    "in parentheses": ("y = (a + b)\n", "a + b", "y = (a + b).astype(np.float32)\n"),
    "an argument": ("y = f(a + b, c)  # why\n", "a + b", "y = f((a + b).astype(np.float32), c)  # why\n"),
    "an operand": ("y = a @ b * c\n", "a @ b", "y = (a @ b).astype(np.float32) * c\n"),
    "a sign": ("y = -a\n", "-a", "y = (-a).astype(np.float32)\n"),
    "a condition": ("y = a if c else b\n", "a if c else b", "y = (a if c else b).astype(np.float32)\n"),
    "awaited": ("async def f(): await g()\n", "await g()", "async def f(): (await g()).astype(np.float32)\n"),
    "over lines": (
        "y = f(\n    a  # first\n    + b,\n)\n",
        "a  # first\n    + b",
        "y = f(\n    (a  # first\n    + b).astype(np.float32),\n)\n",
    ),
    "other scripts": (
        "größe = 'é', äh * 2\r\nz = 1\r\n",
        "äh * 2",
        "größe = 'é', (äh * 2).astype(np.float32)\r\nz = 1\r\n",
    ),
    "after a tab": ("if x:\n\ty = a\n", "a", "if x:\n\ty = a.astype(np.float32)\n"),
}


def test_another_dtype_takes_the_place_of_the_written_one() -> None:
    source = "y = (a + b).astype(np.float64, copy=False)\n"
    assert cast_in(source, "np.float64", "np.float32") == "y = (a + b).astype(np.float32, copy=False)\n"


@pytest.mark.parametrize(("source", "expression", "expected"), CASTS.values(), ids=CASTS)
def test_a_cast_wraps_the_expression_and_nothing_else(source: str, expression: str, expected: str) -> None:
    assert cast_in(source, expression) == expected


def test_a_function_casts_too() -> None:
    assert cast_in("y = a + b\n", "a + b", "np.float32({})") == "y = np.float32(a + b)\n"
    assert cast_in("y = x\n", "x", "tf.cast({}, tf.float32)") == "y = tf.cast(x, tf.float32)\n"


PROGRAMS = {
    "plain": MISTAKE,
    "twice in a line": f"{HEADER}def f(x: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:\n"
    "    a: NDArray[np.float32] = x; b: NDArray[np.float32] = x * 2\n    return a, b\n",
    "in a call": f"{HEADER}def g(x: NDArray[np.float32]) -> NDArray[np.float32]:\n    return x\n\n\n"
    "def f(x: NDArray[np.float64]) -> NDArray[np.float64]:\n    return g(g(x) + x)\n",
    "a number out of range": f"{HEADER}def f(x: NDArray[np.uint8]) -> NDArray[np.uint8]:\n    return x + 300\n",
    "a marked file": "\ufeff" + MISTAKE,
    "line ends of Windows": MISTAKE.replace("\n", "\r\n"),
    "a lossy one": f"{HEADER}def f(x: NDArray[np.float64]) -> NDArray[np.int32]:\n    return x\n",
}
UNCHANGED = {"a lossy one"}


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory, check_cache: Path) -> tuple[Path, str]:
    """A folder whose files were mended, and what would have been changed."""
    folder = tmp_path_factory.mktemp("fixed")
    for name, program in PROGRAMS.items():
        (folder / f"{name}.py").write_bytes(program.encode())
    shown = check(folder, check_cache, "--show-fixes")
    assert shown.status == 1
    assert shown.errors.splitlines()[-1] == "promo-mypy: would insert 8 casts in 6 files"
    assert {name: (folder / f"{name}.py").read_bytes() for name in PROGRAMS} == {
        name: program.encode() for name, program in PROGRAMS.items()
    }
    done = check(folder, check_cache, "--fix")
    # Of casts around each other the inner one comes first.
    told = [line for line in done.errors.splitlines() if "inserted" in line]
    assert told == ["promo-mypy: inserted 8 casts in 6 files", "promo-mypy: inserted 1 cast in 1 file"]
    return folder, shown.output


def test_only_casts_are_inserted(fixed: tuple[Path, str]) -> None:
    """Without the casts the files are, byte for byte, what they were."""
    for name, program in PROGRAMS.items():
        content = (fixed[0] / f"{name}.py").read_bytes().decode()
        changed = [pair for pair in zip(program.split("\n"), content.split("\n"), strict=True) if pair[0] != pair[1]]
        assert (not changed) == (name in UNCHANGED)
        for before, after in changed:
            assert ".astype(np." in after
            assert _bare(after) == _bare(before)


def _bare(line: str) -> str:
    """A line without casts and parentheses."""
    for dtype in ("float32", "float64", "uint16"):
        line = line.replace(f".astype(np.{dtype})", "")
    return line.replace("(", "").replace(")", "")


def test_a_second_run_changes_nothing(fixed: tuple[Path, str], check_cache: Path) -> None:
    before = {file.name: file.read_bytes() for file in fixed[0].glob("*.py")}
    done = check_json(fixed[0], check_cache, "--fix")
    assert "inserted" not in done.errors
    assert {file.name: file.read_bytes() for file in fixed[0].glob("*.py")} == before
    # The sum of uint16 no longer fits the annotation, and a float is not cut off behind the user's back.
    assert {each["path"] for each in done.findings} == {"a number out of range.py", "a lossy one.py"}


def test_findings_without_a_fix_are_counted(fixed: tuple[Path, str], check_cache: Path) -> None:
    shown = check(fixed[0], check_cache, "--show-fixes")
    assert (shown.output, shown.status) == ("", 1)
    assert shown.errors.splitlines()[-1] == "promo-mypy: no fix for 2 findings"


def test_what_is_shown_is_what_is_done(fixed: tuple[Path, str], tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "plain.py").write_text(PROGRAMS["plain"])
    part = fixed[1][fixed[1].index("--- a/plain.py") :].partition("\n--- ")[0] + "\n"
    (tmp_path / "change.diff").write_text(part)
    subprocess.run(["git", "apply", "change.diff"], cwd=tmp_path, check=True)
    assert (tmp_path / "plain.py").read_text() == (fixed[0] / "plain.py").read_text()


def test_the_mended_program_computes_the_declared_dtype(fixed: tuple[Path, str]) -> None:
    import numpy as np

    program: dict[str, object] = {}
    exec((fixed[0] / "plain.py").read_text(), program)
    centred = program["centred"]
    assert callable(centred)
    assert centred(np.ones(3, np.float32)).dtype == np.float32


def test_a_name_that_is_not_imported_is_not_used(tmp_path: Path, check_cache: Path) -> None:
    source = (
        "from numpy import float32, float64\nfrom numpy.typing import NDArray\n\n\n"
        "def f(x: NDArray[float64]) -> NDArray[float32]:\n    return x\n"
    )
    (tmp_path / "a.py").write_text(source)
    (finding,) = check_json(tmp_path, check_cache, "--fix").findings
    assert finding["cast"] is None
    assert (tmp_path / "a.py").read_text() == source


def test_without_libcst_there_is_one_message(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "libcst.py").write_text("raise ImportError('none')")
    from tests.mypy_runs import environment

    path = f"{tmp_path / 'blocked'}:{environment()['PYTHONPATH']}"
    done = check(tmp_path, check_cache, "a.py", "--fix", PYTHONPATH=path)
    assert done.status == 2
    assert done.errors.strip().endswith('promo-mypy: error: fixes need libcst: python -m pip install "promo-mypy[fix]"')
    assert (tmp_path / "a.py").read_text() == MISTAKE
