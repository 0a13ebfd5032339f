"""The spelling of casts in one library, and the dtypes to suggest."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from promo_mypy.rules.dtypes import ORDINARY, Shaped
from promo_mypy.rules.records import record


@record
class Dialect:
    """A library's name and the spelling of its casts."""

    library: str
    method: str
    namespace: str
    elsewhere: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Dtype names that are not spelled namespace.name."""
    suggested: tuple[type[Shaped], ...] = ORDINARY
    """Dtypes that a remedy may name, in promotion order."""
    function: str = ""
    """The function that casts, if arrays have no method for it: tf.cast."""
    instead: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Operation without an operator -> the expression to write for operands x and y."""
    real: str = "{}.real"
    """The real part of an expression."""

    def spell(self, dtype: type[Shaped]) -> str:
        """The dtype as an argument: np.float32, ml_dtypes.bfloat16, torch.bool. A weak dtype is spelled like a strong
        one.
        """
        name = dtype.strong.name
        return self.elsewhere.get(name, f"{self.namespace}.{name}")

    def cast(self, dtype: type[Shaped], expression: str = "x") -> str:
        """A cast: x.astype(np.float32), x.to(torch.float32), tf.cast(x, tf.float32)."""
        if self.function:
            return f"{self.function}({expression}, {self.spell(dtype)})"
        return f"{expression}.{self.method}({self.spell(dtype)})"

    def real_part(self, expression: str) -> str:
        """The real part of a complex expression: x.real, tf.math.real(x)."""
        return self.real.format(expression)


def holds(dtype: type[Shaped], other: type[Shaped]) -> bool:
    """Whether `dtype` represents every number of dtype `other`."""
    if other.kind == "c" and dtype.kind != "c":
        return False
    needed = other.precision if other.precision is not None else other.bits - (other.kind == "i")
    if (other.precision is not None and dtype.precision is None) or (dtype.precision or needed) < needed:
        return False
    return dtype.minimum <= other.minimum and other.maximum <= dtype.maximum
