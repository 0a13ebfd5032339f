"""`check` reports what certainly fails in a function for the dtypes and ints that calls in other files pass."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.check.checks import check_json
from tests.copied_caches import copy_cache
from tests.mypy_runs import ROOT, environment
from tests.needed import needs

FILES = sorted((ROOT / "tests" / "program" / "passed" / "files").glob("*.py.txt"))

#: Prints the file and line in which each call fails: the innermost ones of the program.
_RUNNER = """\
import pathlib, sys, traceback
sys.path.insert(0, "")
import calls
for name, call in list(vars(calls).items()):
    if name.startswith("call_"):
        try:
            call()
        except Exception as error:
            frames = [each for each in traceback.extract_tb(error.__traceback__)
                      if pathlib.Path(each.filename).parent == pathlib.Path.cwd()]
            print(pathlib.Path(frames[-1].filename).name, frames[-1].lineno)
"""

HELPER = """\
def shifted(x):
    return x + 70000{comment}
"""
CALLER = """\
import numpy as np
from helper import shifted

shifted(np.zeros(3, np.{dtype}))
"""


def test_what_fails_for_a_call_in_another_file_is_reported(tmp_path: Path, check_cache: Path) -> None:
    needs("torch")
    for file in FILES:
        shutil.copy(file, tmp_path / file.name.removesuffix(".txt"))
    ran = subprocess.run(
        [sys.executable, "-c", _RUNNER], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    failing = {(name, int(line)) for name, line in map(str.split, ran.stdout.splitlines())}
    found = check_json(tmp_path, check_cache, ".").findings
    assert {(each["path"], each["line"]) for each in found} == failing
    assert len(found) == len(failing) > 10
    (product,) = [each for each in found if each["path"] == "further.py" and "@" in each["message"]]
    lines = (tmp_path / "calls.py").read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, start=1) if "product(" in text and "float64" in text]
    assert product["origin"] == [f"called from line {line} of calls.py with float32 for `left` and float64 for `right`"]
    assert product["calls"] == []


@pytest.mark.slow
def test_findings_follow_both_files(tmp_path: Path, check_cache: Path) -> None:
    """Kept results and mypy's cache hide no finding, whichever of the files is edited."""
    folder, cache = tmp_path / "program", tmp_path / "cache"
    copy_cache(check_cache, cache)
    folder.mkdir()
    files = {
        "helper.py": HELPER.format(comment=""),
        "caller.py": CALLER.format(dtype="uint16"),
        "second.py": CALLER.format(dtype="uint32"),
        "apart.py": "x = 1\n",
    }
    edits = [
        ("apart.py", "x = 2\n", ["helper.py"]),
        ("second.py", CALLER.format(dtype="int8"), ["helper.py"]),
        ("caller.py", CALLER.format(dtype="float64"), ["helper.py"]),
        ("second.py", CALLER.format(dtype="float32"), []),
        ("caller.py", CALLER.format(dtype="int16"), ["helper.py"]),
        ("helper.py", HELPER.format(comment="  # promo: ignore"), []),
        ("caller.py", CALLER.format(dtype="int64"), ["helper.py"]),  # the comment accepts nothing now
        ("helper.py", HELPER.format(comment="").replace("70000", "7"), []),
        ("helper.py", HELPER.format(comment=""), []),
    ]
    for file, content in files.items():
        (folder / file).write_text(content)
    first = check_json(folder, cache, ".", "--report-unused")
    assert [each["path"] for each in first.findings] == ["helper.py"]
    for file, content, expected in edits:
        (folder / file).write_text(content)
        found = check_json(folder, cache, ".", "--report-unused").findings
        assert [each["path"] for each in found] == expected, (file, content)


@pytest.mark.slow
def test_a_call_that_a_test_expects_to_fail_is_left_out(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER.format(comment=""))
    call = "shifted(np.zeros(3, np.uint16))"
    expected = f"import pytest\n\n\ndef test_it():\n    with pytest.raises(OverflowError):\n        {call}\n"
    expected += f"\n\n@pytest.mark.xfail(reason='too large')\ndef test_that():\n    {call}\n"
    (tmp_path / "test_helper.py").write_text(CALLER.format(dtype="uint16").replace(call, "") + expected)
    assert check_json(tmp_path, check_cache, ".").findings == []
    (tmp_path / "main.py").write_text(CALLER.format(dtype="uint16"))
    assert len(check_json(tmp_path, check_cache, ".").findings) == 1


#: The values of the attributes follow from each other.
STEPS = """\
import numpy as np

class Steps:
    first: np.ndarray
    second: np.ndarray

    def __init__(self, x: np.ndarray) -> None:
        self.first = self.second = x

    def move(self) -> None:
        self.first = self.first + self.second
        self.second = self.first * self.second

    def meet(self) -> None:
        self.first, self.second = self.second, self.first + self.second

def moved(x):
    return Steps(x).first * x + 70000
"""


def test_attributes_of_another_file_are_decided_in_the_end(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "helper.py").write_text(STEPS, encoding="utf-8")
    (tmp_path / "calls.py").write_text(CALLER.format(dtype="uint16").replace("shifted", "moved"), encoding="utf-8")
    done = check_json(tmp_path, check_cache, ".")
    assert done.status in (0, 1), done.errors
