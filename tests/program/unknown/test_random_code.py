"""No expression whose dtype depends on what no rule knows counts as known, or as relative to a parameter.

A program is executed for two dtypes of its opaque values, and for the same arguments. Where the dtypes of an expression
differ between the two runs, more than the arguments decides. Where dtypes are inferred, each run has one of them.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mypy_runs import configuration, environment
from tests.program.executed import executed
from tests.program.unknown.random_code import program

_ELSEWHERE = "import numpy as np\ndef opaque():\n    return np.ones((2, 2), np.{dtype})\n"
_SKIPPED = "[[tool.mypy.overrides]]\nmodule = 'elsewhere'\nfollow_imports = 'skip'\n"
#: Prints the places of the expressions that count, of those whose dtype counts as known, and the inferred dtypes.
_KNOWN = """\
import json, sys
from pathlib import Path
from promo_mypy.program.coverage import counted_as
from promo_mypy.program.checked.program import check
from promo_mypy.program.model import models_of
path = Path(sys.argv[1])
(model,) = models_of(check([path])).values()
every = list(model.counted)
counts = [(each, counted_as(each, model)) for each in every]
known = [each for each, count in counts if count != "unknown"]
open_ = [each for each, count in counts if count == "several"]
inferred = [(each.arrays.dtypes or () if each.arrays is not None else ()) for each in every]
dtypes = [[dtype.strong.name for dtype in each] for each in inferred]
print(json.dumps([[list(each.place) for each in found] for found in (every, known, open_)] + [dtypes]))
"""


def wrong(folder: Path, cache: Path, text: str) -> tuple[list[str], int, float]:
    """The known expressions whose dtypes differ, in words; the number of all that differ; the share of known ones.

    Expressions with another dtype than the inferred ones are among the first.
    """
    path = folder / "program.py"
    path.write_text(text)
    settings = configuration(cache, "check_untyped_defs = true", "program")
    (folder / "pyproject.toml").write_text(settings + _SKIPPED)
    done = subprocess.run(
        [sys.executable, "-c", _KNOWN, path.name], cwd=folder, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    every, known, several, dtypes = json.loads(done.stdout)
    places = [dict(zip(("line", "column", "end_line", "end_column"), place, strict=True)) for place in every]
    found = []
    for dtype in ("float16", "complex128"):
        (folder / "elsewhere.py").write_text(_ELSEWHERE.format(dtype=dtype))
        found.append(executed(path, places))
    lines = text.splitlines()
    differing = {place for place in found[0] if found[0][place] != found[1].get(place)}
    mistaken = differing.intersection(map(tuple, known)).difference(map(tuple, several))
    for place, inferred in zip(map(tuple, every), dtypes, strict=True):
        seen = {each for run in found for each in run.get(place, ()) if each != "no array"}
        if inferred and not {each.split()[1] for each in seen} <= set(inferred):
            mistaken.add(place)
    told = [f"{line}: {lines[line - 1].strip()} [{lines[line - 1][a:b]}]" for line, a, _, b in sorted(mistaken)]
    return told, len(differing), len(known) / len(every)


@pytest.mark.slow
def test_a_dtype_that_depends_on_the_other_module_is_unknown(tmp_path: Path, plugin_cache: Path) -> None:
    text = program(seed=7, functions=40)
    ast.parse(text)
    told, differing, share = wrong(tmp_path, plugin_cache, text)
    assert told == []
    assert differing > 100
    assert share > 0.4
