"""Annotations that contradict themselves, or that jaxtyping rejects, are reported once, where they are written."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

needs("jax")
jaxtyping: Any = imported("jaxtyping")

HEADER = """\
from typing import Annotated, Any, TypeAlias
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import numpy.typing as npt
from jax import Array
from jaxtyping import Bool, Float, Float16, Float32, Float64, Int, Int8, Key, Shaped, UInt8
Alias32 = Float32[Array, "n"]
"""

# annotation -> the text of its one message after the name; None: no message.
ANNOTATIONS = {
    'Float32[npt.NDArray[np.float64], "n"]': "contradicts its own array type, which is float64",
    'Float[npt.NDArray[np.int32], "n"]': "contradicts its own array type, which is int32",
    'Float64[npt.NDArray[np.float32 | np.float16], "n"]': "contradicts its own array type, which is float16 | float32",
    'Int8[npt.NDArray[ml_dtypes.bfloat16], "n"]': "contradicts its own array type, which is bfloat16",
    'Int[Float[Array, "n"], "m"]': "contradicts its own array type, which is Float",
    'Float16[Alias32, "m"]': "contradicts its own array type, which is float32",
    'Key[npt.NDArray[np.uint32], "2"]': "contradicts its own array type, which is uint32",
    'list[Float32[npt.NDArray[np.float64], "n"]]': "contradicts its own array type, which is float64",
    'Float32[npt.NDArray[np.float64], "n"] | None': "contradicts its own array type, which is float64",
    'Int8[npt.NDArray[np.int16] | npt.NDArray[np.uint8], ""]': "contradicts its own array type, which is int16 | uint8",
    "\"Float32[npt.NDArray[np.float64], 'n']\"": "contradicts its own array type, which is float64",
    "Annotated[npt.NDArray[np.float64], np.float32]": "contradicts its own array type, which is float64",
    'Annotated[Float32[Array, "n"], jnp.float16]': "contradicts its own array type, which is float32",
    'Float32[int, ""]': "contradicts its own array type, which is int",
    'UInt8[bool, ""]': "contradicts its own array type, which is bool",
    'Float32[Array, "n,m"]': 'cannot take the shape "n,m": axes are separated by spaces, not by commas',
    'Float32[Array, "*a *b"]': 'cannot take the shape "*a *b": only one axis may stand for any number of axes',
    "Float32[Array, 3]": "takes a string for the shape",
    "Float32[Array, ...]": "takes a string for the shape",
    "Float32[Array, None]": "takes a string for the shape",
    'Float32[Array, "n", "m"]': "takes one array type and one shape string",
    'Float32[npt.NDArray[np.float64] | Array, "n"]': None,
    'Float[npt.NDArray[np.float32], "n"]': None,
    'Float64[npt.NDArray[np.double], "n"]': None,
    'Shaped[npt.NDArray[np.str_], "n"]': None,
    'Float32[npt.NDArray[np.str_], "n"]': None,
    'Float32[npt.NDArray[np.datetime64], "n"]': None,
    'Float[float, ""]': None,
    'Float32[Array, "n"]': None,
    'Float32[str, "n"]': None,
    "Annotated[list[npt.NDArray[np.float64]], np.float32]": None,
    "Annotated[npt.NDArray[np.float64], np.float64, np.float32]": None,
    "Annotated[npt.NDArray[np.float64], 'float32']": None,
    "Annotated[npt.NDArray[np.float64], np.floating]": None,
}


def test_messages(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax")
    functions = [f"def f{number}(x: {text}) -> {text}: return x" for number, text in enumerate(ANNOTATIONS)]
    # For type expressions mypy asks only about the array classes, one by one: not about strings (those are no aliases),
    # aliases of aliases, numbers or the other members of a union.
    hidden = ('"Float32', "Alias32", "[int,", "[bool,", " | npt")
    texts = [text for text in ANNOTATIONS if not any(part in text for part in hidden)]
    aliases = [f"A{number} = {text}" for number, text in enumerate(texts)]
    program = HEADER + "\n".join([*functions, *aliases]) + "\n"
    (tmp_path / "program.py").write_text(program)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    lines = dict(enumerate(program.splitlines(), start=1))
    for line, text in lines.items():
        found = [message for message in run.messages if message.line == line]
        annotation = next((annotation for annotation in ANNOTATIONS if f": {annotation}) ->" in text), None)
        annotation = annotation or next((a for a in ANNOTATIONS if text.endswith(f" = {a}")), None)
        wanted = ANNOTATIONS[annotation] if annotation is not None else None
        if wanted is None:
            assert found == [], text
            continue
        # A function has the annotation twice, and mypy shows a repeated message of one line once.
        assert [message.code for message in found] == ["promo-annotation"], (text, found)
        assert wanted in found[0].text
        assert "; write " in found[0].text


def test_an_ignore_silences_it(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax")
    program = HEADER + (
        'def f(x: Float32[npt.NDArray[np.float64], "n"]) -> None: ...  # type: ignore[promo-annotation]\n'
        'x: Float32[npt.NDArray[np.float64], "n"]\n'
    )
    (tmp_path / "program.py").write_text(program)
    settings = 'disable_error_code = ["promo-annotation"]\nwarn_unused_ignores = false'
    assert run_mypy(tmp_path, "program.py", cache=plugin_cache, settings=settings).messages == ()
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert [(message.line, message.code) for message in run.messages] == [(11, "promo-annotation")]


@pytest.mark.parametrize(
    ("name", "base", "shape"),
    [
        ("Float32", int, ""),
        ("UInt8", bool, ""),
        ("Float32", np.ndarray, "n,m"),
        ("Float32", np.ndarray, "*a *b"),
        ("Int", jaxtyping.Float[np.ndarray, "n"], "m"),
    ],
)
def test_jaxtyping_rejects_what_is_reported(name: str, base: type, shape: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        getattr(jaxtyping, name)[base, shape]


def test_jaxtyping_does_not_look_into_ndarray() -> None:
    """jaxtyping does not look into NDArray, so only the plugin finds the contradiction."""
    names: dict[str, Any] = vars(jaxtyping)
    assert names["Float32"][npt.NDArray[np.float64], "n"].dtypes == ("float32",)
    assert names["Float"][float, ""] is float
