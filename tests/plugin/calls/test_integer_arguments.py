"""Floats for parameters that take nothing but integers: each call is executed in tests/rules/functions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.rules.functions.integer_calls import CALLS
from tests.rules.functions.test_integer_parameters import calls_of, is_untyped

_NUMBER: Final = re.compile(r"\{(\d)\}")
_HEADERS: Final = {
    "numpy": "import numpy as np\nx, m = np.ones(3), np.eye(3)\n",
    "jax": "import jax\nimport jax.numpy as jnp\nimport numpy as np\nx, m, d = jnp.ones(3), jnp.eye(3), jnp.float32\n",
    "torch": "import numpy as np\nimport torch\nx, m = torch.ones(3), torch.eye(3)\n",
}
#: Results for which stock mypy infers Any, so that its own types accept them.
_FLOAT: Final = r"np.sqrt(\1)"


def test_each_float_is_reported_and_no_integer(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "torch")
    for library, text in _HEADERS.items():
        (tmp_path / f"of_{library}.py").write_text(text + "".join(f"{line}\n" for _, line in _lines(library)))
    run = run_mypy(tmp_path, *(f"of_{library}.py" for library in _HEADERS), cache=plugin_cache)
    found = [(message.file, message.line, message.code) for message in run.errors()]
    wanted = []
    for library, text in _HEADERS.items():
        numbered = enumerate(_lines(library), text.count("\n") + 1)
        wanted += [(f"of_{library}.py", number, "promo-undefined") for number, (is_float, _) in numbered if is_float]
    assert sorted(found) == sorted(wanted), run.output
    assert len(wanted) > 150


def _lines(library: str) -> Iterator[tuple[bool, str]]:
    """Each call with an integer and with a float, and whether it is a float."""
    for name, call in calls_of(library):
        yield False, _NUMBER.sub(r"\1", call)
        yield True, _NUMBER.sub(_FLOAT, call)
        if is_untyped(library, name):
            yield False, _NUMBER.sub(r"(\1 // 1)", call)
            yield True, _NUMBER.sub(r"(\1 / 1)", call)


def test_there_are_calls_of_each_library() -> None:
    assert _HEADERS.keys() == CALLS.keys()
