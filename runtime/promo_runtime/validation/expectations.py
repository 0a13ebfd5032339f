"""The expectations of annotations about values, as small trees. Parts without a dtype are None."""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from promo_runtime.actual_dtypes import Actual, dtype_text


@dataclass(frozen=True, slots=True)
class Dtypes:
    """The dtypes that an annotation admits, and their common name ("float32", "Float")."""

    admitted: frozenset[Actual]
    text: str

    @property
    def shown(self) -> str:
        """A single dtype by its own name, several by their common name."""
        return dtype_text(next(iter(self.admitted))) if len(self.admitted) == 1 else self.text

    def both(self, other: "Dtypes") -> "Dtypes":
        """The dtypes that two annotations around one array admit."""
        admitted = self.admitted & other.admitted
        return replace(self if admitted == self.admitted else other, admitted=admitted)

    def either(self, other: "Dtypes") -> "Dtypes":
        """The dtypes that two members of a union admit."""
        texts = dict.fromkeys((*self.text.split(" | "), *other.text.split(" | ")))
        return Dtypes(self.admitted | other.admitted, " | ".join(texts))


@dataclass(frozen=True, slots=True)
class Promotion:
    """`Promote[A, B]`: type variables, dtypes, other promotions, and names of parameters."""

    operands: tuple[Any, ...]

    def __str__(self) -> str:
        names = (getattr(operand, "__name__", str(operand)) for operand in self.operands)
        return f"Promote[{', '.join(names)}]"


@dataclass(frozen=True, slots=True)
class ExpectedArray:
    """An array, or a scalar of NumPy.

    `cls` is the class, None for any; `dtypes` are the admitted dtypes, None for all; `variable` is the type variable
    that stands for the dtype; `promotion` is the promotion that gives the dtype.
    """

    cls: type | None
    dtypes: Dtypes | None = None
    variable: TypeVar | None = None
    promotion: Promotion | None = None


@dataclass(frozen=True, slots=True)
class ExpectedVariable:
    """A value whose type is a type variable; `inner` is the expectation of its bound or constraints."""

    variable: TypeVar
    inner: "Expected | None"


@dataclass(frozen=True, slots=True)
class ExpectedClass:
    """A value of another class than arrays. It only matters in a union with arrays."""

    cls: type


@dataclass(frozen=True, slots=True)
class ExpectedItems:
    """A list, a tuple of any length, a set: each element. `cls` is the annotated one, which may be abstract."""

    cls: type
    item: "Expected"


@dataclass(frozen=True, slots=True)
class ExpectedFields:
    """A tuple (keys 0, 1, ...), a named tuple (`cls`), a dictionary with certain keys: key -> expectation."""

    cls: type
    fields: tuple[tuple[int | str, "Expected"], ...]
    length: int | None = None


@dataclass(frozen=True, slots=True)
class ExpectedEntries:
    """A dictionary: each key and each value."""

    cls: type
    key: "Expected | None"
    value: "Expected | None"


@dataclass(frozen=True, slots=True)
class ExpectedTree:
    """`PyTree[Float32[Array, "n"]]`: each leaf of a pytree of JAX."""

    leaf: "Expected"


@dataclass(frozen=True, slots=True)
class ExpectedUnion:
    """One of several."""

    members: tuple["Expected", ...]


Expected: TypeAlias = (
    ExpectedArray
    | ExpectedVariable
    | ExpectedClass
    | ExpectedItems
    | ExpectedFields
    | ExpectedEntries
    | ExpectedTree
    | ExpectedUnion
)
