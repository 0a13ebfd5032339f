"""`namespace("jax")`: the functions of the array API standard under one promotion system, on arrays of any backend."""

import math
from collections.abc import Callable
from functools import cached_property, partial
from threading import Lock
from typing import Any, ClassVar, Final

import numpy as np

from promo_mypy.rules.dtypes import DTYPES, Shaped
from promo_mypy.rules.operations import BINARY, IN_PLACE, UNARY
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from promo_runtime.array.array import Array, wrap
from promo_runtime.array.array_types import array_type
from promo_runtime.context.systems_in_use import SystemLike, registered_as, system_named
from promo_runtime.errors import MissingNameError, PromotionError
from promo_runtime.functions.availability import OFFERS, is_like_a_sum, is_mutable, offers, root_name
from promo_runtime.functions.definitions import has_row
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.functions.spellings import COPYING, INSPECTING, SPELLINGS
from promo_runtime.namespaces import creation, inspecting, joining
from promo_runtime.namespaces.array_namespace import ArrayNamespace
from promo_runtime.namespaces.creation_functions import CreationFunctions
from promo_runtime.namespaces.elementwise import Binary, Unary, binary, unary
from promo_runtime.namespaces.extensions import Extension, Transforms
from promo_runtime.numpy_dtypes import DTypeLike
from promo_runtime.plans import casting
from promo_runtime.plans.arguments import is_operand, operand_of
from promo_runtime.plans.computation_dtype import accepted
from promo_runtime.plans.function_calls import function_of
from promo_runtime.plans.function_rules import is_offered
from promo_runtime.protocols import numpy_calls, ufunc_calls


class Namespace(CreationFunctions):
    """Functions that apply the rules of `system`. They return plain arrays for plain arrays, and an `Array` for an
    `Array`.

    It has functions of the array API standard and others, if a rule states their dtype; any other name raises
    AttributeError. A rejected operation raises PromotionError, a Python int out of range OutOfRangeError, arrays
    on CPU and GPU together TypeError, and a result that not only dtypes decide UnknownResultError.
    """

    e: ClassVar = math.e
    inf: ClassVar = math.inf
    nan: ClassVar = math.nan
    newaxis: ClassVar = None
    __array_api_version__: ClassVar = "2025.12"
    pi: ClassVar = math.pi

    def __init__(self, system: PromotionSystem) -> None:
        self.system: Final = system
        self.mutable: Final = is_mutable(system)
        """Whether arrays support `x[0] = 1`."""
        self.strict: Final = root_name(system) == "array-api"
        """Whether `astype` rejects casts from complex to real, and `x[0] = 1.5` rejects other kinds."""
        self.named: Final[dict[DTypeLike, type[Shaped]]] = {}
        """The name of a dtype -> the dtype of arrays."""
        self.creators: Final[dict[object, Callable[..., Any]]] = {}
        """The arguments of `creation.created` -> the backend's function."""
        functions: dict[str, Unary | Binary] = {operation: unary(self, operation) for operation in UNARY}
        functions |= {operation: binary(self, operation) for operation in BINARY}
        self.operations: Final = {name: made for name, made in functions.items() if offers(system, name)}
        """Operation of the rules -> function."""
        self.in_place: Final[dict[str, Any]] = {
            operation: binary(self, operation)
            if system.in_place and operation not in system.rebound
            else functions[plain]
            for operation, plain in IN_PLACE.items()
        }
        """In-place operation -> function of the target and the other operand."""

        self.add: Any = functions["add"]
        self.subtract: Any = functions["sub"]
        self.multiply: Any = functions["mul"]
        self.divide: Any = functions["truediv"]
        self.floor_divide: Any = functions["floordiv"]
        self.remainder: Any = functions["mod"]
        self.pow: Any = binary(self, "power")
        self.matmul: Any = functions["matmul"]
        self.bitwise_and: Any = functions["and"]
        self.bitwise_or: Any = functions["or"]
        self.bitwise_xor: Any = functions["xor"]
        self.bitwise_left_shift: Any = functions["lshift"]
        self.bitwise_right_shift: Any = functions["rshift"]
        self.equal: Any = functions["eq"]
        self.not_equal: Any = functions["ne"]
        self.less: Any = functions["lt"]
        self.less_equal: Any = functions["le"]
        self.greater: Any = functions["gt"]
        self.greater_equal: Any = functions["ge"]
        self.negative: Any = functions["neg"]
        self.positive: Any = functions["pos"]
        self.abs: Any = functions["abs"]
        self.bitwise_invert: Any = functions["invert"]
        self.divmod: Any = functions["divmod"]
        self.linalg: Final = Extension(self, "linalg")
        self.fft: Final = Transforms(self)
        self.where: Any = joining.where_of(self)
        self.select: Any = joining.select_of(self)
        self.concat: Any = joining.join_of(self, "concat")
        self.stack: Any = joining.join_of(self, "stack")
        for name in OFFERS:
            if not offers(system, name) and name in self.__dict__:
                del self.__dict__[name]

    def __getattr__(self, name: str) -> Any:
        found = self._found(name)
        if found is None:
            raise MissingNameError(f"the namespace of {self.system.name}", name, self)
        setattr(self, name, found)
        return found

    def _found(self, name: str) -> Any:
        """A function, an extension or a dtype, created on first use; None if the system lacks it."""
        function = FUNCTIONS.get(name)
        if function is not None and (is_offered(self.system, function) or is_like_a_sum(self.system, name)):
            if function.elementwise:
                return (unary if len(function.arrays) == 1 else binary)(self, name)
            return function_of(self, function)
        if name in SPELLINGS and has_row(self.system, name):
            spelled: Any = getattr(self, SPELLINGS[name], None)
            return partial(spelled, copy=True) if name in COPYING else spelled
        if name in INSPECTING and has_row(self.system, name):
            return INSPECTING[name]
        dtype = DTYPES.get(name)
        return dtype if dtype is not None and self.system.has(dtype) else None

    @property
    def __name__(self) -> str:
        """The name by which SciPy and others distinguish NumPy's namespace from other libraries'."""
        return f"promo_runtime.namespaces.namespace({self.system.name!r})"

    def __dir__(self) -> list[str]:
        named = (*FUNCTIONS, *SPELLINGS, *INSPECTING)
        functions = (name for name in named if "." not in name and hasattr(self, name))
        return sorted({*super().__dir__(), *functions, *(dtype.name for dtype in self.system.dtypes)})

    def __repr__(self) -> str:
        return f"<namespace of {self.system.name} promotion>"

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return _named, named_parts(self.system)

    @cached_property
    def of_arrays(self) -> "ArrayNamespace":
        """The result of `Array.__array_namespace__`."""
        return ArrayNamespace(self, self)

    def numpy_function(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The implementation of `Array.__array_function__`."""
        return numpy_calls.call(self, function, arguments, keywords)

    def ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The implementation of `Array.__array_ufunc__`."""
        return ufunc_calls.call(self, ufunc, method, inputs, keywords)

    def check_stored(self, target: Array[Any], value: Any) -> None:
        """Raises PromotionError for a value that `target[key] = value` rejects."""
        if is_operand(value):
            refusal = casting.assignment_refusal(self.system, target._type.dtype, operand_of(value))
            if refusal is not None:
                raise PromotionError(refusal)

    def result_type(self, *arrays_and_dtypes: Any) -> type[Shaped]:
        """The dtype that arrays, numbers and dtypes promote to. Raises PromotionError."""
        return accepted(self.system.promote(*map(operand_of, arrays_and_dtypes)))

    def astype(self, x: Any, dtype: DTypeLike, /, *, copy: bool = True, device: Any = None) -> Any:
        """The values in another dtype. Raises PromotionError for a dtype that the system lacks, or does not cast to."""
        wanted = creation.named(self, dtype)
        data, found, backend = creation.asarray(self, x, None, None, device)
        if self.strict and found.kind == "c" and wanted.kind != "c":
            raise PromotionError(casting.no_real_part(self.system, found, wanted))
        made = backend.cast(data, wanted.strong, copy=copy)
        return wrap(made, array_type(self, wanted, backend)) if isinstance(x, Array) else made

    def asarray(
        self, obj: Any, /, *, dtype: DTypeLike | None = None, device: Any = None, copy: bool | None = None
    ) -> Any:
        """An array of data; see `creation.asarray`."""
        data, found, backend = creation.asarray(self, obj, dtype, copy, device)
        return wrap(data, array_type(self, found, backend)) if isinstance(obj, Array) else data

    def from_dlpack(self, x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
        """The array of another library, without a copy unless requested."""
        return self.asarray(creation.from_dlpack(x), device=device, copy=copy)

    def broadcast_shapes(self, *shapes: tuple[int, ...]) -> tuple[int, ...]:
        """The common shape after broadcasting."""
        return np.broadcast_shapes(*shapes)

    def finfo(self, type: Any, /) -> inspecting.FloatInfo:
        """Limits of a float dtype."""
        return inspecting.finfo(type)

    def iinfo(self, type: Any, /) -> inspecting.IntInfo:
        """Limits of an integer dtype."""
        return inspecting.iinfo(type)

    def isdtype(self, dtype: DTypeLike, kind: DTypeLike | tuple[DTypeLike, ...]) -> bool:
        """Whether the dtype has a kind: "integral", "real floating", ..."""
        return inspecting.isdtype(dtype, kind)

    def can_cast(self, from_: Any, to: DTypeLike, /) -> bool:
        """Whether the two dtypes promote to the second one."""
        return inspecting.can_cast(self, from_, to)

    def __array_namespace_info__(self) -> inspecting.Info:
        return inspecting.Info(self)


def named_parts(system: PromotionSystem) -> tuple[str, str]:
    """The name and torch's default dtype, for pickles. Raises TypeError for a system that is not registered."""
    found = registered_as(system)
    if found is None:
        raise TypeError(f"the promotion system {system.name} is not registered, so its arrays cannot be pickled")
    return found


def _named(name: str, torch_default_dtype: str) -> "Namespace":
    return namespace(name, torch_default_dtype=torch_default_dtype)


_made: Final[dict[object, Namespace]] = {}
_latest: Final[dict[str, Namespace]] = {}
_making: Final = Lock()


def namespace(system: SystemLike | None = None, *, torch_default_dtype: str = "float32") -> Namespace:
    """The functions under a promotion system: its name, the system itself, or None for the one in use.

    `torch_default_dtype` only applies to the name "torch". Raises UnknownSystemError.
    """
    chosen = get_system(system, torch_default_dtype=torch_default_dtype) if isinstance(system, str) else system
    chosen = chosen or system_named(None)
    latest = _latest.get(chosen.name)
    if latest is not None and latest.system is chosen:
        return latest
    with _making:  # one namespace for all threads: arrays of two namespaces cannot be combined
        # A system that is registered again replaces the old one. A system without a name is kept beside its name.
        key = registered_as(chosen) or chosen
        found = _made.get(key)
        if found is None or found.system is not chosen:
            found = _made[key] = Namespace(chosen)
        _latest[chosen.name] = found
        return found
