"""The dtype arguments of casts in PaddlePaddle and TensorFlow: every string and class, executed."""

import json
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules.dtype_names import NUMPY_STRINGS, SPELLINGS, TORCH_NAMES
from promo_mypy.rules.dtypes import DTYPES
from tests.examples.agreement import run_python
from tests.needed import needs

STRINGS = sorted({*NUMPY_STRINGS, *TORCH_NAMES, *DTYPES, "cfloat", "<f4", "=i8", ">f4", "|b1", "str", "object"})
PYTHON = ("bool", "int", "float", "complex")

# Prints the dtype that a cast gives for each spelling, and the library's attributes that are dtypes; null if rejected.
EXECUTED = """\
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
library, strings, classes = json.loads(sys.argv[1])
if library == "paddle":
    import paddle
    x = paddle.ones([2], dtype="float32")
    cast, dtypes, name = x.astype, (paddle, paddle.dtype), lambda dtype: str(dtype).removeprefix("paddle.")
else:
    import tensorflow as tf
    x = tf.ones([2], dtype=tf.float32)
    cast, dtypes, name = lambda d: tf.cast(x, d), (tf, tf.DType), lambda dtype: dtype.name
def tried(spelling):
    try:
        return name(cast(spelling).dtype)
    except Exception:
        return None
namespace, cls = dtypes
print(json.dumps({
    "strings": {text: tried(text) for text in strings},
    "python": {text: tried(getattr(__import__("builtins"), text)) for text in ("bool", "int", "float", "complex")},
    "numpy": {text: tried(getattr(np, text)) for text in classes},
    "names": {text: name(value) for text, value in vars(namespace).items() if isinstance(value, cls)},
}))
"""
NUMPY = [
    dtype.name if dtype.name != "bool" else "bool_"
    for dtype in DTYPES.values()
    if hasattr(__import__("numpy"), dtype.name)
]


@pytest.mark.parametrize("library", ["paddle", "tensorflow"])
def test_spellings(library: str) -> None:
    needs(library)
    arguments = json.dumps([library, STRINGS, NUMPY])
    measured: dict[str, dict[str, Any]] = json.loads(
        run_python("-c", EXECUTED, arguments, attempts=20).splitlines()[-1]
    )
    spellings = SPELLINGS[library]
    names = {**{dtype.name: dtype for dtype in DTYPES.values()}, "bool_": DTYPES["bool"]}
    ours: dict[str, dict[str, str | None]] = {
        "strings": {text: _name(spellings.string(text)) for text in STRINGS},
        "python": {text: _name(spellings.python.get(f"builtins.{text}")) for text in PYTHON},
        "numpy": {text: _name(spellings.from_numpy(names[text])) for text in NUMPY},
        "names": {text: dtype.name for text, dtype in spellings.names.items()},
    }
    for kind in ("strings", "python", "numpy"):
        wrong = {
            text: (result, measured[kind][text])
            for text, result in ours[kind].items()
            # Names that depend on the platform (`long`) are not read.
            if result != measured[kind][text] and not (result is None and text in ("l", "long"))
        }
        assert not wrong, kind
    assert ours["names"].items() <= measured["names"].items() | {("float8_e4m3fn", "float8_e4m3fn")}


def _name(dtype: Any) -> str | None:
    return dtype.name if dtype is not None else None


def test_the_folder_is_documented() -> None:
    assert "python -m tests.other_libraries" in (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(
        encoding="utf-8"
    )
