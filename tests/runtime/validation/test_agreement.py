"""One annotation, two readers: the dtypes that `checked` accepts are those that mypy with the plugin infers."""

from pathlib import Path
from typing import Any

import pytest

from promo_mypy.program.infer import infer
from promo_mypy.rules.dtypes import ORDINARY
from promo_runtime.validation.annotation_strings import Names
from promo_runtime.validation.annotations import AnnotationReader
from promo_runtime.validation.expectations import (
    Expected,
    ExpectedArray,
    ExpectedClass,
    ExpectedUnion,
    ExpectedVariable,
)
from tests.mypy_runs import configuration
from tests.needed import needs

IMPORTS = """
from typing import Annotated, Any, Final, Literal, NewType, Optional, TypeVar, Union
import jax
import jax.numpy as jnp
import jaxtyping as jt
import ml_dtypes
import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Array, Float as RealNumber
from promo_runtime import Float, Integer, bfloat16, float32, int8

Single = npt.NDArray[np.float32]
Half = Annotated[torch.Tensor, torch.half]
Table = jt.Int8[Array, "n"]
"""

FORMS = """
npt.NDArray[np.float32]
np.ndarray[Any, np.dtype[np.float32]]
np.ndarray[tuple[int], np.dtype[np.uint8]]
npt.NDArray[np.bool_]
npt.NDArray[np.bool]
npt.NDArray[np.single]
npt.NDArray[np.intp]
npt.NDArray[np.longlong]
npt.NDArray[np.cdouble]
npt.NDArray[np.float32 | np.int8]
npt.NDArray[np.floating[Any]]
npt.NDArray[np.floating]
npt.NDArray[np.integer[Any]]
npt.NDArray[np.unsignedinteger]
npt.NDArray[np.number]
npt.NDArray[np.inexact[Any]]
npt.NDArray[ml_dtypes.bfloat16]
npt.NDArray[Any]
npt.NDArray[np.generic]
np.ndarray
np.float32
np.float64
np.int_
np.floating[Any]
Single
Optional[Single]
Single | None
Single | npt.NDArray[np.int32] | None
Union[Single, npt.NDArray[np.uint16]]
Single | Literal["auto"]
Annotated[npt.NDArray[Any], np.float16]
Annotated[npt.NDArray[np.floating[Any]], np.float16]
Annotated[npt.NDArray[np.float32] | npt.NDArray[np.float64], np.float32]
Annotated[npt.NDArray[np.int64], "metres"]
Annotated[jax.Array, jnp.float32]
Annotated[jax.Array, jnp.bfloat16]
Annotated[jax.Array, "n", jnp.int4]
Annotated[jax.Array, np.int16]
Annotated[jax.Array, bfloat16]
Annotated[torch.Tensor, torch.bfloat16]
Annotated[torch.Tensor | None, torch.long]
Annotated[torch.nn.Parameter, torch.float64]
Half
jt.Float32[Array, "n"]
jt.BFloat16[jax.Array, ""]
jt.Bool[Array, "n"]
jt.UInt8[np.ndarray, "n m"]
jt.Float64[torch.Tensor, "..."]
jt.Float[Array, "n"]
jt.Int[Array, "n"]
jt.UInt[Array, "n"]
jt.Integer[Array, "n"]
jt.Inexact[Array, "n"]
jt.Num[Array, "n"]
jt.Real[np.ndarray, "n"]
jt.Complex[Array, "n"]
jt.Shaped[Array, "n"]
jt.Float32[jt.Float[Array, "n"], "m"]
jt.Float32[Array, "n"] | jt.Int8[Array, "n"]
jt.Float32[Array | np.ndarray, "n"]
RealNumber[Array, "n"]
Table
Table | Half
"jax.Array[bfloat16]"
"torch.Tensor[float32]"
"jax.Array[Float]"
"jax.Array[Integer] | None"
"jax.Array[float32 | int8]"
jax.Array
torch.Tensor
"""

# jaxtyping accepts arrays of bfloat16; NumPy's abstract scalar classes, in which mypy writes such a category, do not.
WIDER = {'jt.Real[np.ndarray, "n"]': {"bfloat16"}}


def admitted(expected: Expected | None) -> frozenset[str] | None:
    """The names of the ordinary dtypes that are accepted; None for any dtype."""
    if isinstance(expected, ExpectedVariable):
        return admitted(expected.inner)
    if isinstance(expected, ExpectedUnion):
        members = [admitted(each) for each in expected.members if not isinstance(each, ExpectedClass)]
        known = [each for each in members if each is not None]
        return frozenset().union(*known) if len(known) == len(members) else None
    assert isinstance(expected, ExpectedArray)
    if expected.dtypes is None:
        return None
    ordinary = frozenset(dtype.name for dtype in ORDINARY if dtype in expected.dtypes.admitted)
    # Only a form that names other dtypes accepts none of the ordinary ones.
    return ordinary or frozenset(dtype.name for dtype in expected.dtypes.admitted if not isinstance(dtype, str))


def test_both_readers_see_the_same_dtypes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin_cache: Path) -> None:
    needs("jax", "torch", "jaxtyping")
    forms = FORMS.strip().splitlines()
    functions = [f"def take_{number}(x: {form}) -> None:\n    x" for number, form in enumerate(forms)]
    file = tmp_path / "forms.py"
    file.write_text(IMPORTS + "\n".join(functions) + "\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    monkeypatch.chdir(tmp_path)
    inferred = {each.place.line: each.dtypes for each in infer([file]).expressions}
    module: dict[str, Any] = {}
    exec(file.read_text(encoding="utf-8"), module)
    first = IMPORTS.count("\n") + 2
    static, dynamic = {}, {}
    for number, form in enumerate(forms):
        function = module[f"take_{number}"]
        dynamic[form] = admitted(AnnotationReader(Names(function)).read(function.__annotations__["x"]))
        found = inferred[first + 2 * number]
        ordinary = frozenset(name for name in found if name in {dtype.name for dtype in ORDINARY})
        static[form] = (ordinary or frozenset(found)) or None
    everything = frozenset(dtype.name for dtype in ORDINARY)
    different = {
        form: (static[form], dynamic[form])
        for form in forms
        if static[form] != dynamic[form] and not (static[form] == everything and dynamic[form] is None)
    }
    assert different.keys() == WIDER.keys()
    assert all((there or set()) - (here or set()) == WIDER[form] for form, (here, there) in different.items())
    assert len([form for form in forms if dynamic[form] is not None]) > 60
