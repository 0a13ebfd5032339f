"""`check` reports what certainly fails in a function for the dtypes that its calls pass: exactly what execution shows.

Each function `call_...` of a program is executed, until one of its calls fails. The line in which it fails is expected.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.plugin.interface import bodies
from tests.cli.check.checks import check_json
from tests.mypy_runs import ROOT, environment
from tests.needed import needs

PROGRAMS = sorted((ROOT / "tests" / "program" / "passed" / "programs").glob("*.py.txt"))
#: Those that run with JAX's strict promotion.
STRICT = [each for each in PROGRAMS if each.name.startswith("strict_")]

#: Prints the line in which each call fails: the innermost one of the program.
_RUNNER = """\
import sys, traceback, warnings
warnings.simplefilter("ignore")
path = sys.argv[1]
space = {"__name__": "program"}
exec(compile(open(path).read(), path, "exec"), space)
for name, call in list(space.items()):
    if name.startswith("call_"):
        try:
            call()
        except Exception as error:
            print([each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == path][-1])
"""


def library_of(program: Path) -> str:
    """The library of a program."""
    return program.name.removeprefix("strict_").partition("_calls")[0]


def failing_lines(program: Path, **variables: str) -> set[int]:
    """The lines in which calls fail when they are executed."""
    command = [sys.executable, "-c", _RUNNER, str(program)]
    surroundings = environment() | variables
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(map(int, done.stdout.split()))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_what_fails_for_the_dtypes_of_a_call_is_reported(program: Path, tmp_path: Path, check_cache: Path) -> None:
    library, promotion = library_of(program), "strict" if program in STRICT else "standard"
    needs(library)
    file = tmp_path / program.name.removesuffix(".txt")
    shutil.copy(program, file)
    (tmp_path / "promo-mypy.toml").write_text(f'jax_numpy_dtype_promotion = "{promotion}"\n')
    reported = {line for line, _ in check_json(tmp_path, check_cache, file.name).codes}
    lines = dict(enumerate(file.read_text().splitlines(), start=1))
    failing = failing_lines(file, JAX_NUMPY_DTYPE_PROMOTION=promotion)
    assert failing
    assert {line: lines[line] for line in sorted(reported)} == {line: lines[line] for line in sorted(failing)}


CALLED = """\
import numpy as np


def shifted(x):
    return x + 70000{comment}


def main() -> None:
    shifted(np.arange(3))
    outer(np.zeros(3, np.uint16))


def outer(values):
    return shifted(values * 2)
"""


def test_a_finding_names_its_calls_and_casts_nothing(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "main.py").write_text(CALLED.format(comment=""))
    (found,) = check_json(tmp_path, check_cache, "main.py").findings
    assert found["origin"] == [
        "called from line 14 with uint16 for `x`",
        "called from line 10 with uint16 for `values`",
    ]
    assert [(each["line"], each["column"]) for each in found["calls"]] == [(14, 12), (10, 5)]
    assert "cast" not in found or found["cast"] is None  # a cast would change the result of the first call


def test_comments_and_selection_hold(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "main.py").write_text(CALLED.format(comment=""))
    (tmp_path / "accepted.py").write_text(CALLED.format(comment="  # promo: ignore[promo-overflow]"))
    found = check_json(tmp_path, check_cache, ".", "--report-unused").findings
    assert [(each["path"], each["code"]) for each in found] == [("main.py", "promo-overflow")]
    assert check_json(tmp_path, check_cache, ".", "--select", "promo-undefined").findings == []


def test_an_unchanged_file_keeps_its_findings(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "main.py").write_text(CALLED.format(comment=""))
    # mypy's cache has no decorators: those of the second file are not at hand when only the first one is checked.
    (tmp_path / "one.py").write_text("import numpy as np\nimport two\n\ntwo.kept(np.arange(3))\n")
    (tmp_path / "two.py").write_text("import functools\n\n\n@functools.cache\ndef kept(x):\n    return x\n")
    first = check_json(tmp_path, check_cache, ".")
    (tmp_path / "one.py").write_text("import numpy as np\nimport two\n\ntwo.kept(np.arange(4))\n")
    second = check_json(tmp_path, check_cache, ".")
    assert first.codes == second.codes == [(5, "promo-overflow")]


MEANT = """\
import numpy as np
import pytest


def shifted(x):
    return x + 70000


def test_shifted():
    with pytest.raises(OverflowError):
        shifted(np.zeros(3, np.uint16))
"""


def test_a_call_that_is_meant_to_fail_is_left_out(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "test_main.py").write_text(MEANT)
    (tmp_path / "main.py").write_text(MEANT.replace("pytest.raises(OverflowError)", "np.errstate(all='ignore')"))
    assert check_json(tmp_path, check_cache, ".").codes == [(6, "promo-overflow")]


GROWN = """\
import numpy as np


def chosen(values, limits):
    found = []
    for limit in limits:
        found = found + np.where(values > limit)[0].tolist()
    return found


print(chosen(np.zeros(3), [1, 2]))
"""


def test_a_list_that_begins_empty_is_no_reason_to_stop(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "main.py").write_text(GROWN)
    assert check_json(tmp_path, check_cache, "main.py").findings == []


@pytest.mark.broken_plugin
def test_an_internal_error_is_a_finding(tmp_path: Path, check_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ValueError("defect")

    monkeypatch.setattr(bodies, "findings_in_body", fail)
    file = tmp_path / "main.py"
    file.write_text(CALLED.format(comment=""))
    found = lint(LintRequest((file,), cache=check_cache)).findings
    assert {(each.code, each.span.line) for each in found} == {("promo-failure", 4), ("promo-failure", 13)}
