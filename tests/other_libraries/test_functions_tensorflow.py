"""Every function of TensorFlow's registry, executed for every admissible dtype.

In processes of its own: TensorFlow aborts some of them, and then another one goes on. Differences are listed with their
reasons; each must occur. The report is printed.
"""

import json
import os
import re
import subprocess
import sys

import pytest

from promo_mypy.rules.functions import library
from tests.mypy_runs import ROOT
from tests.needed import needs
from tests.rules.functions.measuring import Report

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r".*: !(NotFoundError|UnimplementedError) -> .*": "a kernel that the CPU lacks, for a dtype that the operation has",
    r"tf\.linalg\.lstsq\(m, n\) float32, bfloat16: .*": "it multiplies first, which takes this one pair of dtypes",
    r"tf\.constant\(\[1\], dtype=d\) bool: .*": "the number decides: 1 is no bool, True is",
    r"tf\.(convert_to_tensor|Variable)\(x, dtype=d\) .*: !ValueError -> .*": "the rules do not distinguish a tensor, "
    "which it refuses to cast, from a NumPy array, which it casts",
    r"tf\.one_hot\(\[0, 1\], 2, dtype=d\) bool: .*": "the numbers 1 and 0 are no bools",
}


@pytest.fixture(scope="module")
def report() -> Report:
    needs("tensorflow")
    found = Report("TensorFlow")
    names = list(library("tensorflow").functions)
    for _ in range(10):
        command = [sys.executable, "-m", "tests.rules.functions.tensorflow.laboratory", *names]
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        )
        for line in run.stdout.splitlines():
            row = json.loads(line)
            names.remove(row["name"])
            found.rows += 1
            found.cells += row["cells"]
            found.unknown += row["unknown"]
            found.differences += row["differences"]
        if run.returncode >= 0:
            break
    assert run.returncode == 0, run.stderr[-2000:]
    assert names == []
    for pattern in DIFFERENCES:
        found.explained[pattern] = sum(bool(re.fullmatch(pattern, text)) for text in found.differences)
    found.differences = [text for text in found.differences if not any(re.fullmatch(p, text) for p in DIFFERENCES)]
    return found


def test_tensorflow_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert report.differences == []
    assert report.rows > 220
    assert report.cells > 18_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0
