"""`promo-mypy check` reads notebooks, names the cells of findings, and changes nothing but lines of cells."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.check.checks import Done, check, check_json, piped
from tests.needed import needs
from tests.notebooks.notebook_files import stored

needs("nbformat")

IMPORTS = "%matplotlib inline\nimport numpy as np\nfrom numpy.typing import NDArray"
CENTRED = """\
def centred(image: NDArray[np.float32]) -> NDArray[np.float32]:
    mean = np.array([0.485, 0.456])
    return image - mean"""
NOTEBOOK = stored(
    "# \nA notebook",
    IMPORTS,
    CENTRED,
    "weights = np.ones(3)\ndisplay(weights)\nawait something\nwide: NDArray[np.float32] = weights * 2\n!ls",
    "%time small: NDArray[np.float32] = weights",
    # Defined again: the first definition does not decide about these calls.
    "def scaled(x: NDArray[np.float32]) -> NDArray[np.float32]: return x",
    "def scaled(x: NDArray[np.float64]) -> NDArray[np.float64]: return x\nscaled(weights)",
    "accepted: NDArray[np.float32] = weights  # promo: ignore[promo-mismatch] -- for the test",
    "print 'Python 2'",
    "%%bash\nls",
)
FOUND = [(3, 3, "promo-mismatch"), (4, 4, "promo-mismatch"), (5, 1, "promo-mismatch")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("notebooks")
    (home / "deep").mkdir()
    (home / "deep" / "a-b c.ipynb").write_text(NOTEBOOK, encoding="utf-8")
    (home / "random.ipynb").write_text(stored("x = 1", "import numpy"), encoding="utf-8")
    (home / "r.ipynb").write_text(stored("x <- 1", kernelspec={"language": "R"}), encoding="utf-8")
    (home / "broken.ipynb").write_text("{", encoding="utf-8")
    (home / ".ipynb_checkpoints").mkdir()
    (home / ".ipynb_checkpoints" / "x.ipynb").write_text("{")
    (home / "module.py").write_text("x = 1\n")
    return home


@pytest.fixture(scope="module")
def done(folder: Path, check_cache: Path) -> Done:
    return check_json(folder, check_cache)


def test_findings_name_the_cell(done: Done) -> None:
    assert [(each["cell"], each["line"], each["code"]) for each in done.findings] == FOUND
    first, second, third = done.findings
    assert first["source"] == "return image - mean"
    assert first["origin"][0] == "`mean` is float64: line 2 of cell 3 sets it to `np.array([0.485, 0.456])`"
    assert second["operands"][0]["line"] == 4
    assert (second["column"], second["end_column"]) == (29, 40)
    assert (third["column"], third["cast"]) == (36, None)  # its line is no Python
    assert all(each["path"] == "deep/a-b c.ipynb" for each in done.findings)


def test_what_cannot_be_read_is_left_out(done: Done) -> None:
    content = json.loads(done.output)
    assert content["files"] == ["deep/a-b c.ipynb", "module.py", "random.ipynb"]
    left_out = {each["path"]: each["reason"] for each in content["left_out"]}
    assert left_out.keys() == {"broken.ipynb", "deep/a-b c.ipynb:cell 9"}
    assert left_out["broken.ipynb"] == "nbformat finds no notebook in it"
    assert done.status == 2


@pytest.mark.slow
def test_other_formats_name_the_cell(folder: Path, check_cache: Path) -> None:
    text = check(folder, check_cache, "deep").output
    assert text.startswith("deep/a-b c.ipynb:cell 3:3:12: promo-mismatch: The returned value")
    assert "\n1 | %time small: NDArray[np.float32] = weights\n" in text
    lines = check(folder, check_cache, "deep", "-f", "github").output.splitlines()
    assert lines[0].startswith("::error file=deep/a-b c.ipynb,title=promo-mismatch::cell 3, line 3: The returned value")
    (run,) = json.loads(check(folder, check_cache, "deep", "-f", "sarif").output)["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["logicalLocations"] == [{"fullyQualifiedName": "cell 3, line 3, column 12"}]
    assert "region" not in location["physicalLocation"]


@pytest.mark.slow
def test_a_notebook_from_standard_input_has_its_cells(check_cache: Path, tmp_path: Path) -> None:
    done = piped(tmp_path, check_cache, NOTEBOOK.encode(), "-", "--stdin-filename", "sub/a.ipynb")
    assert done.output.startswith("sub/a.ipynb:cell 3:3:12: promo-mismatch: ")
    assert "\n3 |     return image - mean\n" in done.output
    assert "line 2 of cell 3 sets it" in done.output
    assert "left out sub/a.ipynb:cell 9" in done.errors


@pytest.mark.slow
def test_a_notebook_that_has_changed_is_checked_again(check_cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.ipynb"
    file.write_text(NOTEBOOK, encoding="utf-8")
    assert len(check_json(tmp_path, check_cache).findings) == len(FOUND)
    file.write_text(NOTEBOOK.replace("return image - mean", "return image"), encoding="utf-8")
    assert len(check_json(tmp_path, check_cache).findings) == len(FOUND) - 1


@pytest.mark.slow
def test_folders_may_leave_notebooks_out(folder: Path, check_cache: Path) -> None:
    without = json.loads(check_json(folder, check_cache, "--no-notebooks").output)
    assert (without["files"], without["left_out"]) == (["module.py"], [])
    named = check_json(folder, check_cache, "deep/a-b c.ipynb", "--no-notebooks")
    assert len(named.findings) == len(FOUND)
    assert check(folder, check_cache, "broken.ipynb").status == 2


def test_fixes_change_lines_of_cells_and_nothing_else(check_cache: Path, tmp_path: Path) -> None:
    needs("libcst")
    file = tmp_path / "a.ipynb"
    file.write_text(NOTEBOOK, encoding="utf-8")
    shown = check(tmp_path, check_cache, "--show-fixes").output
    assert "--- a/a.ipynb:cell 3\n" in shown
    assert file.read_text(encoding="utf-8") == NOTEBOOK
    done = check(tmp_path, check_cache, "--fix")
    assert "inserted 2 casts in 1 file" in done.errors
    before, after = NOTEBOOK.split("\n"), file.read_text(encoding="utf-8").split("\n")
    changed: list[Any] = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert changed == [
        ('    "    return image - mean"', '    "    return image - mean.astype(np.float32)"'),
        (
            '    "wide: NDArray[np.float32] = weights * 2\\n",',
            '    "wide: NDArray[np.float32] = (weights * 2).astype(np.float32)\\n",',
        ),
    ]
