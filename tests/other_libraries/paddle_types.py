"""A miniature of the types in PaddlePaddle: the tensor class, its base with the operators, dtypes, one cast.

Names and signatures are Paddle's, so that the plugin sees the same as in the real package, which is too large to
install for every run of the tests.
"""

from pathlib import Path

from promo_mypy.rules.dtype_names import PADDLE_NAMES
from promo_mypy.rules.operators import OPERATORS

_DTYPE = "class dtype: ...\n" + "".join(f"{name}: dtype\n" for name in PADDLE_NAMES)

_INIT = """\
from .framework.dtype import *
from .tensor.manipulation import cast as cast
from .tensor.tensor import Tensor as Tensor
"""

_MANIPULATION = """\
from typing import Any
from .tensor import Tensor
def cast(x: Tensor, dtype: Any) -> Tensor: ...
"""

_TENSOR = """\
from typing import Any, Iterator
import numpy.typing as npt
class AbstractTensor:
    @property
    def T(self): ...
    @property
    def dtype(self) -> Any: ...
    def astype(self, dtype: Any) -> Tensor: ...
    def reshape(self, shape: Any) -> Tensor: ...
    def squeeze(self, axis: Any = ...) -> Tensor: ...
    def sum(self, axis: Any = ...) -> Tensor: ...
    def __getitem__(self, item: Any) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]: ...
"""


def _operators() -> str:
    other = "y: Tensor | npt.NDArray[Any] | complex"
    lines = []
    for operator in OPERATORS.values():
        if operator.kind == "inplace" or operator.operation == "divmod":
            continue
        parameters = "self" if operator.kind == "unary" else f"self, {other}"
        lines.append(f"    def {operator.method}({parameters}) -> Tensor: ...\n")
    return "".join(lines)


def write_miniature(folder: Path) -> None:
    """Write a package `paddle` to the folder."""
    files = {
        "__init__.pyi": _INIT,
        "framework/__init__.pyi": "",
        "framework/dtype.pyi": _DTYPE,
        "tensor/__init__.pyi": "",
        "tensor/manipulation.pyi": _MANIPULATION,
        "tensor/tensor.pyi": _TENSOR + _operators() + "class Tensor(AbstractTensor): ...\n",
    }
    for name, text in files.items():
        file = folder / "paddle" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
