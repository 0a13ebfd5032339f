"""The table of jaxtyping's names agrees with jaxtyping itself."""

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.jaxtyping_names import NAMES, admits_python
from tests.needed import imported

jaxtyping: Any = imported("jaxtyping")

# jaxtyping's spelling of dtypes that have another name in the rules.
SPELLINGS = {"bool_": "bool", "prng_key": "key"}


def exported() -> set[str]:
    """The names that type checkers see as `Annotated`."""
    source = Path(jaxtyping.__file__).with_name("_indirection.py").read_text(encoding="utf-8")
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {alias.asname for node in imports for alias in node.names if alias.name == "Annotated" and alias.asname}


def test_every_exported_name_has_a_row() -> None:
    assert len(exported()) > 30
    assert set(NAMES) == exported()


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"Shaped"}))
def test_a_name_admits_the_dtypes_that_jaxtyping_lists(name: str) -> None:
    listed = {SPELLINGS.get(dtype, dtype) for dtype in getattr(jaxtyping, name).dtypes}
    cls = NAMES[name]
    if cls.exact:
        assert listed == {cls.name}
    else:
        # A category holds every listed dtype, and no other ordinary dtype.
        assert all(issubclass(dt.parse(dtype), cls) for dtype in listed)
        assert {dtype.name for dtype in dt.ORDINARY if issubclass(dtype, cls)} <= listed


def test_shaped_lists_no_dtypes() -> None:
    shaped: Any = vars(jaxtyping)["Shaped"]
    assert isinstance(np.zeros(1, "S3"), shaped[np.ndarray, "n"])
    assert NAMES["Shaped"] is dt.Shaped


PYTHON = {dt.py_bool: bool, dt.py_int: int, dt.py_float: float, dt.py_complex: complex}


@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("scalar", PYTHON, ids=str)
def test_a_name_admits_the_python_numbers_that_jaxtyping_takes(name: str, scalar: type[dt.PythonScalar]) -> None:
    try:
        getattr(jaxtyping, name)[PYTHON[scalar], "..."]
    except ValueError:
        taken = False
    else:
        taken = True
    assert admits_python(NAMES[name], scalar) is taken
