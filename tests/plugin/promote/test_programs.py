"""Programs with `Promote` in every place where it may stand: exactly these revealed types and errors."""

import re
from pathlib import Path

import pytest

from tests.mypy_runs import Run, override, run_mypy
from tests.needed import needs

FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"  # (?P<said>[^#]+)$")
_CODE = re.compile(r"[a-z]+(-[a-z]+)+|assignment")
_BITS = re.compile(r"(?:numpy\.)?(floating|signedinteger|unsignedinteger)\[numpy\._typing\._nbit_base\._(\d+)Bit\]")
_KINDS = {"floating": "float", "signedinteger": "int", "unsignedinteger": "uint"}
_ARRAY = re.compile(r"\b(?:Array|Tensor)\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]")
_NUMPY = re.compile(r"numpy\.ndarray\[(?:Any|tuple\[Any, \.\.\.\]|tuple\[int\]), numpy\.dtype\[(.*)\]\]")


def _plain(revealed: str) -> str:
    """The dtypes of a revealed type."""
    text = revealed.replace("promo_mypy.rules.promoted.", "")
    text = _ARRAY.sub(r"\1", _NUMPY.sub(r"\1", text))
    text = _BITS.sub(lambda match: f"{_KINDS[match[1]]}{match[2]}", text)
    return text.replace("numpy.bool[bool]", "bool").replace("numpy.", "")


def _said(text: str) -> dict[int, str]:
    found = ((number, _COMMENT.search(line)) for number, line in enumerate(text.splitlines(), start=1))
    return {number: match["said"] for number, match in found if match is not None}


def _alternatives(dtypes: str) -> object:
    # The order of the members of a union has no meaning.
    return dtypes if "[" in dtypes else frozenset(dtypes.split(" | "))


def _check(text: str, run: Run) -> None:
    said = _said(text)
    types = {line: _alternatives(said) for line, said in said.items() if not _CODE.fullmatch(said)}
    codes = [(line, code) for line, code in said.items() if _CODE.fullmatch(code)]
    assert len(types) > 3
    assert codes
    assert {line: _alternatives(_plain(shown)) for line, shown in run.revealed().items()} == types, run.output
    assert [(error.line, error.code) for error in run.errors()] == codes, run.output


@pytest.mark.parametrize("name", ["numpy", "jax", "torch", "new_syntax"])
def test_program(name: str, tmp_path: Path, plugin_cache: Path) -> None:
    if name != "numpy":
        needs("jax" if name == "new_syntax" else name)
        needs("jaxtyping")
    text = (FOLDER / f"{name}.py.txt").read_text(encoding="utf-8")
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    flags = ["--python-version", "3.13"] if name == "new_syntax" else []
    _check(text, run_mypy(tmp_path, "program.py", *flags, cache=plugin_cache))


MESSAGES = """\
from typing import TypeVar
import numpy as np
import numpy.typing as npt
from promo_runtime import Promote
A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)
def add(x: npt.NDArray[A], y: npt.NDArray[B]) -> npt.NDArray[Promote[A, B]]:
    return x + y
def wrong(x: npt.NDArray[A], y: npt.NDArray[B], z: npt.NDArray[np.float64]) -> npt.NDArray[Promote[A, B]]:
    return z
def use(x: npt.NDArray[np.uint64], y: npt.NDArray[np.int8]) -> npt.NDArray[Promote]:
    z: npt.NDArray[Promote[np.uint64, np.int8]] = x
    return add(x, y)
"""


def test_messages(tmp_path: Path, plugin_cache: Path) -> None:
    """Also under another system: PyTorch has no dtype for uint64 with int8."""
    (tmp_path / "program.py").write_text(MESSAGES, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, options=override("program", 'system = "torch"'))
    refused = (
        "Unsupported dtypes in Promote[uint64, int8] under torch promotion: uint64 and int8 have no common dtype in"
        " PyTorch; cast the int8 operand with x.to(torch.float32)"
    )
    assert [(error.line, error.text) for error in run.errors()] == [
        (
            10,
            'Incompatible return value type (got "ndarray[tuple[Any, ...], dtype[float64]]", expected'
            ' "ndarray[tuple[Any, ...], dtype[Promote[A, B]]]")',
        ),
        (
            11,
            "Promote requires at least one argument; "
            "write Promote[A, B] with type variables, dtypes or names of parameters",
        ),
        (12, refused),
        (13, refused),
    ]
