"""The spelling of casts in one library, and the dtypes to suggest."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Final

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


#: Kinds of dtypes, in the order in which each can hold the ones before.
_ORDER: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def keeps_values(target: type[Shaped], source: type[Shaped]) -> bool:
    """Whether a cast loses digits at most: no fraction, no imaginary part, no integer that is out of range."""
    if source.kind in "fc":
        return target.kind in "fc" and _ORDER[source.kind] <= _ORDER[target.kind]
    is_float = target.kind in "fc" and target.minimum <= source.minimum and source.maximum <= target.maximum
    return is_float or holds(target, source)


def holds(dtype: type[Shaped], other: type[Shaped]) -> bool:
    """Whether `dtype` represents every number of dtype `other`."""
    if other.kind == "c" and dtype.kind != "c":
        return False
    needed = other.precision if other.precision is not None else other.bits - (other.kind == "i")
    if (other.precision is not None and dtype.precision is None) or (dtype.precision or needed) < needed:
        return False
    return dtype.minimum <= other.minimum and other.maximum <= dtype.maximum
