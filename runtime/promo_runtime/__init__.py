"""The run-time companion of promo-mypy: it applies the rules of the plugin to arrays.

- `namespace("jax")` has functions under the rules of JAX, computed by NumPy (or the backend of their arguments);
- `asarray([1, 2], dtype=bfloat16, system="torch")` makes an `Array`, whose operators follow the rules of torch;
- `result_type`, `promote_types` and `can_promote` only look up the rules;
- `register_systems("lattice.toml")` registers your own systems;
- `with system("jax"):` and `with backend("dask"):` choose for a context;
- `@checked` compares annotated dtypes with the actual ones, `testing` has assertions.

The dtype classes and categories are the same classes that mypy sees, so that `"jax.Array[float32]"` needs no import of
the plugin. Imports NumPy, ml_dtypes and `promo_mypy.rules`, never mypy; CuPy and Dask only if the caller imported them.
"""

from promo_mypy.rules.dtypes import (
    Complex,
    Float,
    Inexact,
    Integer,
    Num,
    Real,
    Shaped,
    SignedInteger,
    UnsignedInteger,
    bcomplex32,
    bfloat16,
    bool_,
    complex32,
    complex64,
    complex128,
    complex256,
    float4_e2m1fn,
    float4_e2m1fn_x2,
    float6_e2m3fn,
    float6_e3m2fn,
    float8_e3m4,
    float8_e4m3,
    float8_e4m3b11fnuz,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float8_e8m0fnu,
    float16,
    float32,
    float64,
    float128,
    int1,
    int2,
    int4,
    int8,
    int16,
    int32,
    int64,
    key,
    uint1,
    uint2,
    uint4,
    uint8,
    uint16,
    uint32,
    uint64,
    weak_complex64,
    weak_complex128,
    weak_float32,
    weak_float64,
    weak_int32,
    weak_int64,
)
from promo_mypy.rules.lattices.toml_sources import TomlError
from promo_mypy.rules.promoted import Promote
from promo_mypy.rules.systems import UnknownSystemError
from promo_runtime import testing
from promo_runtime.array.array import Array
from promo_runtime.backends import BackendError
from promo_runtime.context.backend_in_use import backend
from promo_runtime.context.own_systems import register_systems
from promo_runtime.context.systems_in_use import system
from promo_runtime.errors import OutOfRangeError, PromotionError, UnknownResultError
from promo_runtime.namespaces import pickling as _pickling  # noqa: F401 (registers how arrays are pickled)
from promo_runtime.namespaces.namespace import Namespace, namespace
from promo_runtime.namespaces.wrapping import asarray
from promo_runtime.numpy_dtypes import UnknownArrayDtypeError
from promo_runtime.promotion import can_promote, promote_types, result_type
from promo_runtime.validation.checked import checked
from promo_runtime.validation.claimed_expectations import AnnotationError
from promo_runtime.validation.dtype_errors import DtypeError

__all__ = [
    "AnnotationError",
    "Array",
    "BackendError",
    "Complex",
    "DtypeError",
    "Float",
    "Inexact",
    "Integer",
    "Namespace",
    "Num",
    "OutOfRangeError",
    "Promote",
    "PromotionError",
    "Real",
    "Shaped",
    "SignedInteger",
    "TomlError",
    "UnknownArrayDtypeError",
    "UnknownResultError",
    "UnknownSystemError",
    "UnsignedInteger",
    "asarray",
    "backend",
    "bcomplex32",
    "bfloat16",
    "bool_",
    "can_promote",
    "checked",
    "complex32",
    "complex64",
    "complex128",
    "complex256",
    "float4_e2m1fn",
    "float4_e2m1fn_x2",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "float64",
    "float128",
    "int1",
    "int2",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "key",
    "namespace",
    "promote_types",
    "register_systems",
    "result_type",
    "system",
    "testing",
    "uint1",
    "uint2",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "weak_complex64",
    "weak_complex128",
    "weak_float32",
    "weak_float64",
    "weak_int32",
    "weak_int64",
]
