"""`promo-truncation`: reported exactly where JAX warns, and for annotations that no JAX array can satisfy."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mypy_runs import Run, environment, override, run_mypy
from tests.needed import needs

needs("jax", "jaxtyping")

IMPORTS = """\
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jaxtyping import Array, ArrayLike, Float, Float32, Float64, Int64
from typing import Annotated
"""
HEAD = f"{IMPORTS}def f(x: Float32[Array, 'n'], n: npt.NDArray[np.float64], yes: bool) -> None:\n    wide = jnp.int64\n"

# expression -> whether it is reported; the test asks JAX whether it warns
REQUESTS = {
    "x.astype(jnp.float64)": True,
    "x.astype(np.float64)": True,
    "x.astype(dtype=jnp.complex128)": True,
    "x.astype('float64')": True,
    "x.astype('<f8')": True,
    "x.astype(n.dtype)": True,
    "x.astype(np.dtype(float))": True,
    "x.astype(jnp.dtype(float))": True,
    "x.astype(jnp.int_)": True,
    "x.astype(np.int_)": True,
    "x.astype(wide)": True,
    "x.astype(jnp.float64 if yes else jnp.uint64)": True,
    "x.view(jnp.int64)": True,
    "x.astype(float)": False,
    "x.astype(int)": False,
    "x.astype(float if yes else int)": False,
    "x.astype(None)": False,
    "x.view(float)": False,
    "x.astype(jnp.float32)": False,
    "x.astype(x.dtype)": False,
    "jnp.promote_types(x.dtype, jnp.float64)": False,
    "jnp.result_type(x, jnp.float64)": False,
    "jnp.zeros(3, jnp.result_type(x, jnp.float64))": False,
    "jnp.issubdtype(x.dtype, jnp.float64)": False,
    "jnp.zeros(3, jnp.float64)": True,
    "jnp.float64(1)": True,
    "x + n": False,
    "x * np.float64(2)": False,
    "jnp.asarray(n) + x": False,
    "n.astype(np.float64)": False,
}

# annotation -> the dtype that no JAX array has, or None
ANNOTATIONS = {
    'Float64[Array, "n"]': "float64",
    'Int64[jax.Array, ""]': "int64",
    "Annotated[jax.Array, jnp.complex128]": "complex128",
    '"jax.Array[promo_mypy.rules.dtypes.uint64]"': "uint64",
    'Float64[Array, "n"] | None': "float64",
    'list[Float64[Array, "n"]]': "float64",
    'Float[Array, "n"]': None,
    'Float32[Array, "n"]': None,
    'Float64[npt.NDArray[np.float64], "n"]': None,
    'Float64[Array | npt.NDArray[np.float64], "n"]': None,
    'Float64[ArrayLike, "n"]': None,
    "npt.NDArray[np.float64]": None,
}

WORDS = {
    "x.astype(jnp.float64)": "JAX makes this float32 because it has no float64 while x64 is off; ask for float32,"
    " or set jax_enable_x64 = true in [tool.promo-mypy] if the program enables x64",
    'Float64[Array, "n"]': "JAX has no float64 arrays while x64 is off; annotate float32,"
    " or set jax_enable_x64 = true in [tool.promo-mypy] if the program enables x64",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truncation")
    (folder / "truncation_requests.py").write_text(HEAD + "".join(f"    ({request})\n" for request in REQUESTS))
    annotated = "".join(f"a{number}: {annotation}\n" for number, annotation in enumerate(ANNOTATIONS))
    (folder / "truncation_annotations.py").write_text(f"{IMPORTS}import promo_mypy.rules.dtypes\n{annotated}")
    return folder


@pytest.fixture(scope="module")
def run(folder: Path, plugin_cache: Path) -> Run:
    return run_mypy(folder, "truncation_requests.py", "truncation_annotations.py", cache=plugin_cache)


def _reported(run: Run, file: str, line: int) -> list[tuple[str | None, str]]:
    return [(error.code, error.text) for error in run.errors() if (error.file, error.line) == (file, line)]


@pytest.mark.parametrize("request_", REQUESTS)
def test_request(request_: str, run: Run) -> None:
    line = HEAD.count("\n") + 1 + list(REQUESTS).index(request_)
    found = _reported(run, "truncation_requests.py", line)
    assert [code for code, _ in found] == ["promo-truncation"] * REQUESTS[request_], run.output


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_annotation(annotation: str, run: Run) -> None:
    line = IMPORTS.count("\n") + 2 + list(ANNOTATIONS).index(annotation)
    found = _reported(run, "truncation_annotations.py", line)
    dtype = ANNOTATIONS[annotation]
    assert [code for code, _ in found] == (["promo-truncation"] if dtype else []), run.output
    assert all(f"JAX has no {dtype} arrays " in text for _, text in found)


@pytest.mark.parametrize("what", WORDS)
def test_messages(what: str, run: Run) -> None:
    assert WORDS[what] in [error.text for error in run.errors()]


WARNS = """\
import json, sys, warnings
{imports}
def warned(request: str, x, n, yes: bool, wide) -> bool:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        eval(request)
    return any("will be truncated" in str(each.message) for each in found)
x, n = jnp.ones(3, jnp.float32), np.ones(3)
requests = json.loads(sys.argv[1])
print(json.dumps([warned(request, x, n, yes, jnp.int64) for request in requests for yes in (True, False)]))
"""


def test_jax_warns_exactly_where_it_is_reported() -> None:
    import json

    # In a process of its own: x64 is a setting of the whole process.
    command = [sys.executable, "-c", WARNS.format(imports=IMPORTS), json.dumps(list(REQUESTS))]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)
    assert dict(zip(REQUESTS, answers[::2], strict=True)) == REQUESTS
    assert dict(zip(REQUESTS, answers[1::2], strict=True)) == REQUESTS


def test_no_array_satisfies_the_annotation() -> None:
    check = (
        "import jax.numpy as jnp, numpy as np\nfrom jaxtyping import Array, Float64\n"
        "arrays = [jnp.ones(3), jnp.asarray(np.ones(3)), jnp.ones(3) * np.ones(3)]\n"
        'print([isinstance(array, Float64[Array, "n"]) for array in arrays])\n'
    )
    done = subprocess.run([sys.executable, "-c", check], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[False, False, False]\n"


SWITCHES = f"""{IMPORTS}
def f(x: Float32[Array, "n"]) -> Float64[Array, "n"]:
    reveal_type(x.astype(jnp.float64))
    return x.astype(jnp.float64)
"""


@pytest.mark.parametrize(
    ("options", "codes", "dtype"),
    [
        ("", ["promo-truncation"] * 3 + ["return-value"], "float32"),
        ("jax_enable_x64 = true", [], "float64"),
        ('system = "jax"', [], "float64"),
        ('jax_enable_x64 = true\nsystem = "jax-x32"', ["promo-truncation"] * 3 + ["return-value"], "float32"),
    ],
)
def test_it_follows_x64_module_by_module(
    options: str, codes: list[str], dtype: str, tmp_path: Path, plugin_cache: Path
) -> None:
    (tmp_path / "truncation_switched.py").write_text(SWITCHES)
    # One cache for all cases: a change of the option must make mypy check the module again.
    changed = override("truncation_switched", options) if options else ""
    run = run_mypy(tmp_path, "truncation_switched.py", cache=plugin_cache, options=changed)
    assert sorted(error.code or "" for error in run.errors()) == codes, run.output
    assert list(run.revealed().values()) == [f"Array[{dtype}]"]


def test_it_can_be_ignored_and_switched_off(tmp_path: Path, plugin_cache: Path) -> None:
    ignored = SWITCHES.replace("import Annotated\n", "import Annotated\nAlias = Float32\n").replace(
        '-> Float64[Array, "n"]:', '-> Float32[Array, "n"]:'
    )
    lines = ignored.replace("astype(jnp.float64)\n", "astype(jnp.float64)  # type: ignore[promo-truncation]\n")
    (tmp_path / "truncation_ignored.py").write_text(lines.replace("    reveal_type(x.astype(jnp.float64))\n", ""))
    (tmp_path / "truncation_off.py").write_text(f'# mypy: disable-error-code="promo-truncation"\n{ignored}')
    run = run_mypy(tmp_path, "truncation_ignored.py", "truncation_off.py", cache=plugin_cache)
    assert run.errors() == [], run.output
