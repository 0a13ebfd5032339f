"""Every function, method and attribute of CuPy's registry agrees with the recorded results of a GPU.

Differences are listed with their reasons; each must occur. The report is printed. On a machine with a GPU, a sample of
the record is computed again.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.stored_numbers import ITEMS
from promo_mypy.rules.operands import Form
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.functions.cupy import calls, measure, record
from tests.rules.functions.measuring import DTYPES, Laboratory, Report, written
from tests.rules.golden_tables import golden_tables

ROOT = Path(__file__).parents[4]
LIBRARY = library("cupy")
RECORD = record.read()

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r".*: !CompileException -> .*": "CuPy chooses a kernel that does not compile, for any GPU: the dtype is the one "
    "that it chose",
    r".*\bbfloat16\b.*: !NotImplementedError -> .*": "CuPy does not sort bfloat16 yet: the dtype is the one that other "
    "floats keep",
    r"cp\.histogram\(.*\) complex.*: !NotImplementedError -> .*": "CuPy does not sort complex numbers into bins yet",
    r"cp\.random\.choice\((x|3)\).*: !NotImplementedError -> .*": "CuPy does not choose without a size yet",
    r"cp\.quantile\(.*method='(hazen|weibull)'\) .*: !ValueError -> .*": "CuPy lacks these methods: no dtype decides",
    r"cp\.reshape\(\[x, y\], .*: !AttributeError -> .*": "CuPy takes no list for an array, of any dtype",
    r"cp\.float32\(x\) .*: !TypeError -> .*": "a class of NumPy's, which takes no array on a device, of any dtype",
    r"cp\.arange\(3, dtype=d\) bool: !TypeError -> bool": "CuPy counts no further than two in bools: it "
    "depends on the length",
    r"cp\.add\(a, x\) .*: !TypeError -> .*": "what stands for the library of an array is no business of these rules",
}

#: Variables that are arrays of another form -> the form, and the array that replaces them.
FORMS = {"s": Form.SCALAR, "p": Form.ZERO_D, "a": Form.ARRAY}


def unused(variable: str, name: str) -> object:
    raise NotImplementedError


LABORATORY = Laboratory(
    get_system("cupy"), "cupy.ndarray", (("cp", "cupy"),), {}, DTYPES, unused,
    lambda _code, _values: "", DIFFERENCES,
)  # fmt: skip


def readable(text: str, dtypes: Mapping[str, str]) -> tuple[str, dict[str, str], dict[str, Form]]:
    """The call as `expressions` reads it: arrays of constants are lists, and forms are separate."""
    text = re.sub(r"(?<=.)cp\.asarray\((\[[^]]*\])\)", r"\1", text).replace("cp.stack([x, x])", "x")
    text = text.replace("x[0].item()", "x.item()")
    given = dict(dtypes)
    forms = {}
    for variable, form in FORMS.items():
        if variable in given:
            text = re.sub(rf"\b{variable}\b", "y", text)
            given["y"], forms["y"] = given.pop(variable), form
    return text, given, forms


def compare(text: str, report: Report) -> None:
    """Compare every recorded cell of one call."""
    for names, measured in RECORD.cells[text].items():
        shown, dtypes, forms = readable(text, dict(zip(measure.variables(text), names, strict=True)))
        asked = LABORATORY.read(shown)
        LABORATORY.note(report, text, asked, {v: dtypes[v] for v in asked.variables}, measured, forms)


@pytest.fixture(scope="module")
def report() -> Report:
    found = Report("CuPy")
    for texts in calls.by_row():
        found.rows += 1
        for text in texts:
            compare(text, found)
    return found


def test_cupy_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{report}; CuPy {RECORD.version}, {RECORD.device}, {RECORD.date}\n")
    assert report.differences == []
    assert report.rows > 450
    assert report.cells > 25_000
    assert report.unknown < 170


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0


def test_everything_is_recorded() -> None:
    tables = golden_tables("cupy-gpu")
    assert tables.keys() == calls.TABLES.keys()
    assert set(calls.texts()) == RECORD.cells.keys() | set(calls.TABLES.values())


def test_every_method_is_called() -> None:
    members = LIBRARY.methods.keys() | LIBRARY.shared_methods.keys() | LIBRARY.attributes.keys()
    # A method that sets items needs a number that is written out. Floats as indices raise, as CuPy documents.
    assert members == written(calls.METHODS).keys() | {ITEMS, "__getitem__"}


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    cells: dict[str, record.Cells] = {
        "cp.eye(3)": {(): "float64"},
        "cp.sin(x)": {("int8",): "float16", ("bool",): "float16", ("complex64",): "!TypeError"},
        "cp.tan(x)": {("int8",): "float16", ("bool",): "float16", ("complex64",): "!TypeError"},
        "cp.divmod(u, v)": {("uint8", "py_int"): "uint8|uint8"},
        "cp.add(x, k)": {("uint8", "-1"): "!OverflowError", ("uint8", "255"): "uint8"},
        "u + v": {("uint8", "int8"): "int16"},
    }
    file = tmp_path / "record.json"
    file.write_text(record.to_json(record.Record("1.0", "a device", "2026-01-02", cells)), encoding="utf-8")
    found = record.read(file)
    assert (found.version, found.device, found.date) == ("1.0", "a device", "2026-01-02")
    assert found.cells == {text: each for text, each in cells.items() if text != "u + v"}


STAND_IN = """\
from types import SimpleNamespace as _Namespace
from numpy import *
def asarray(x):
    return x
def sqrt(x, **options):
    raise MemoryError
cuda = _Namespace(runtime=_Namespace(getDeviceProperties=lambda number: {"name": b"no device"}))
__version__ = "0"
"""


def test_the_command_records_what_a_library_computes(tmp_path: Path) -> None:
    """With NumPy in CuPy's place."""
    (tmp_path / "cupy.py").write_text(STAND_IN, encoding="utf-8")
    file = tmp_path / "record.json"
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    run = subprocess.run(
        [sys.executable, "-m", "tests.rules.functions.cupy.measure", file, "--workers", "1", "--only",
         r"^cp\.(sin|sqrt)\(u\)$|^x \+= v$|^cp\.add\(x, k\)$"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "no device, CuPy 0: 4 expressions, 483 cells; missed 0" in run.stdout
    cells = record.read(file).cells
    assert cells["cp.sin(u)"]["uint8",] == "float16"
    assert cells["cp.sqrt(u)"]["uint8",] == "!MemoryError"
    assert cells["cp.add(x, k)"]["uint8", "255"] == "uint8"
    assert cells["cp.add(x, k)"]["uint8", "256"] == "!OverflowError"
    assert '"uint8": "u8 u8 u8' in file.read_text(encoding="utf-8")


def test_a_record_is_completed(tmp_path: Path) -> None:
    """What is measured anew replaces what was recorded; the tables stay."""
    text, kept = list(RECORD.cells)[:2]
    assert not record.lacks(kept, measure.combinations(kept))
    assert record.lacks("cp.lacking(x)", measure.combinations("cp.lacking(x)"))
    measured = record.Record(RECORD.version, "a device", "2026-01-02", {text: {("int8",): "float16"}})
    file = tmp_path / "record.json"
    file.write_text(record.completed(measured), encoding="utf-8")
    found = record.read(file)
    assert (found.cells[text], found.cells[kept]) == ({("int8",): "float16"}, RECORD.cells[kept])
    assert (found.cells.keys(), found.device) == (RECORD.cells.keys(), "a device")
    tables = [json.loads(path.read_text(encoding="utf-8"))["tables"] for path in (file, record.PATH)]
    assert tables[0] == tables[1]


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore")  # warnings of CuPy and NumPy about divisions and casts
def test_a_gpu_gives_the_recorded_results() -> None:
    cupy = imported("cupy")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        pytest.skip(f"CuPy finds no CUDA device: {error}")
    device, compared, differing = measure.Device(), 0, []
    for text, cells in list(RECORD.cells.items())[::12]:
        for names, recorded in list(cells.items())[::9]:
            compared += 1
            found = device.measure(text, names)
            if found != recorded:
                differing.append(f"{text} {', '.join(names)}: {recorded}, now {found}")
    assert differing == []
    assert compared > 50
