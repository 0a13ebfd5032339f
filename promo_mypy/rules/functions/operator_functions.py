"""Map functions that equal an operator, such as `np.add`, to its special method.

Measured: tests/plugin/calls/test_call_findings.py executes them with numbers out of range; CuPy's were
recorded on a GPU.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_ARITHMETIC: Final = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "power": "pow",
    "matmul": "matmul",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "left_shift": "lshift",
    "right_shift": "rshift",
}
_SHORT: Final = {"subtract": "sub", "multiply": "mul", "divide": "div", "power": "pow"}

#: Library -> name of a function in its registry -> the special method.
METHODS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "numpy": {name: f"__{operation}__" for name, operation in _ARITHMETIC.items()},
        "cupy": {name: f"__{operation}__" for name, operation in _ARITHMETIC.items()},
        "jax": {f"numpy.{name}": f"__{operation}__" for name, operation in _ARITHMETIC.items()},
        "torch": {_SHORT.get(name, name): f"__{operation}__" for name, operation in _ARITHMETIC.items()},
    }
)
