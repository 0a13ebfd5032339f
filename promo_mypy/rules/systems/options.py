"""The partial lattices that JAX's design document compares, in its order.

All have three scalar types i*, f*, c*, unsigned and signed integers that join in the next wider signed one, floats and
complex of their width. None has bool, and only option 3 has bfloat16. They differ in the path from integers
to floats. A pair without a common upper bound is rejected. Source:
jax.readthedocs.io/en/latest/jep/9407-type-promotion.html, edge by edge.

Undefined in each (both orders):
- option-0, no path at all: every integer with every float and complex dtype, and with f* and c*.
- option-1, without loss of precision: uint32, int64 and uint64 with every float and complex dtype, and with f* and c*
  (uint32 reaches floats only through int64, which has no path).
- option-2, to the float of the same width: uint64 with every float and complex dtype, and with f* and c*.
- option-3, integers yield to floats of any width: nothing besides the next line.
- all four: uint64 with every signed integer, which only JAX's own lattice joins (in f*); in option-3 uint64 also with
  every float and complex dtype, f* and c* included, for lack of the same edge.
"""

from collections.abc import Mapping
from typing import Final

from promo_mypy.rules.lattices.lattice import Lattice
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.systems.lattices import LatticeSystem

#: Option 0: name -> what it promotes to directly.
COVERS: Final[Mapping[str, str]] = {
    "i*": "uint8 int8 f*",
    "uint8": "uint16 int16",
    "uint16": "uint32 int32",
    "uint32": "uint64 int64",
    "uint64": "",
    "int8": "int16",
    "int16": "int32",
    "int32": "int64",
    "int64": "",
    "f*": "float16 c*",
    "c*": "complex64",
    "float16": "float32",
    "float32": "float64 complex64",
    "float64": "complex128",
    "complex64": "complex128",
    "complex128": "",
}

#: The rows that differ in the other options.
CHANGES: Final[Mapping[str, Mapping[str, str]]] = {
    "option-0": {},
    "option-1": {"int8": "int16 float16", "int16": "int32 float32", "int32": "int64 float64"},
    "option-2": {"int16": "int32 float16", "int32": "int64 float32", "int64": "float64"},
    "option-3": {"i*": "uint8 int8", "int64": "f*", "f*": "bfloat16 float16 c*", "bfloat16": "float32"},
}


def system(name: str) -> LatticeSystem:
    """The option of that name: "option-0" to "option-3"."""
    return LatticeSystem(name, Lattice.of({**COVERS, **CHANGES[name]}), get_system("jax"))
