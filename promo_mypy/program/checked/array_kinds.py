"""Describe the libraries whose arrays are followed where mypy has no type: their classes, and names of dtypes."""

from collections.abc import Mapping
from typing import Final

from promo_mypy.plugin.interface.arrays import Library, Value, system_name
from promo_mypy.program.checked.modules import Module
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import JAX_NAMES, NUMPY_STRINGS, TORCH_NAMES
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import get_system, root_of

_BOTH: Final = (Form.ARRAY, Form.ZERO_D)


@record
class ArrayKind:
    """The arrays of one library: the full name of their class, and the module whose attributes name these dtypes."""

    library: Library
    array: str
    module: str
    dtypes: Mapping[str, type[dt.Shaped]]

    def system(self, module: Module) -> PromotionSystem | None:
        """The promotion system in a module; None if another one than that of the library applies there.

        A region of `torch.autocast` changes what functions return.
        """
        options = module.options
        name = system_name(options, self.library)
        if not root_of(name).startswith(self.library.value):
            return None
        if self.library is Library.TORCH and module.scopes.uses.names("autocast"):
            return None
        return get_system(name, torch_default_dtype=options.torch_default_dtype)

    def operands(self, dtype: type[dt.Shaped]) -> tuple[Operand, ...]:
        """The operands that an array of unknown rank may be. NumPy's results have one dtype for all ranks."""
        forms = (Form.ARRAY,) if self.library is Library.NUMPY else _BOTH
        return tuple(Operand(dtype, form) for form in forms)

    def operands_of(self, value: Value) -> tuple[Operand, ...]:
        """The operands that a value may be, by its type from mypy."""
        found: list[Operand] = []
        for dtype in value.dtypes:
            if value.library is not self.library or not value.is_array or not issubclass(dtype, dt.Shaped):
                found.append(Operand(dtype, value.form))
            elif value.rank.zero:
                found.append(Operand(dtype, Form.ZERO_D))
            else:
                found += self.operands(dtype)[: 1 if value.rank.positive else None]
        return tuple(found)


KINDS: Final = (
    ArrayKind(Library.NUMPY, "numpy.ndarray", "numpy", NUMPY_STRINGS),
    ArrayKind(Library.JAX, "jax.Array", "jax.numpy", JAX_NAMES),
    ArrayKind(Library.TORCH, "torch.Tensor", "torch", TORCH_NAMES),
)

KIND_OF: Final[Mapping[str, ArrayKind]] = {kind.library.value: kind for kind in KINDS}
"""The name of a library, with which the names of its functions begin -> the kind of its arrays."""
