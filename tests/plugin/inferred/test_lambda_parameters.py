"""mypy gives the parameters of a lambda an Any that fits the first of several overloads: no dtype follows from that."""

from pathlib import Path
from typing import Any, Final

from tests.mypy_runs import run_mypy

HEADER: Final = """\
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=True
import numpy as np
"""
PROGRAM: Final = """\
def read(x, y):
    total = lambda x: sum([x, y])
    reveal_type(np.sin(total(x)))
    items = lambda x: sum(x)
    reveal_type(np.sqrt(items([x, y])))
    more = lambda x: sum([x, y]) + 1
    reveal_type(np.exp(more(x)))
    square = lambda x: pow(x, 2)
    reveal_type(np.sqrt(square(x)))
    size = lambda x: abs(sum([x, y]))
    reveal_type(np.log(size(x)))
    several = lambda x: [sum([x, y])]
    reveal_type(np.cos(several(x)[0]))
"""


def _executed() -> set[str]:
    shown: list[str] = []
    namespace: dict[str, Any] = {"reveal_type": lambda value: shown.append(str(value.dtype))}
    exec(HEADER + PROGRAM, namespace)
    namespace["read"](*[namespace["np"].ones(3, "float32")] * 2)
    return set(shown)


def test_the_first_overload_gives_no_dtype(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "lambdas.py").write_text(HEADER + PROGRAM)
    run = run_mypy(tmp_path, "lambdas.py", cache=plugin_cache)
    assert run.errors() == []
    assert len(run.revealed()) == PROGRAM.count("reveal_type")
    assert set(run.revealed().values()) == {"Any"}
    assert _executed() == {"float32"}
