"""What an annotation expects of a value, as small trees. Parts that say nothing of a dtype are None."""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from promo_runtime.validation.actual_dtypes import Actual, dtype_text


@dataclass(frozen=True, slots=True)
class Dtypes:
    """The dtypes that an annotation admits, and what they are called together ("float32", "Float")."""

    admitted: frozenset[Actual]
    text: str

    @property
    def shown(self) -> str:
        """The only dtype by its own name, several by what they are called together."""
        return dtype_text(next(iter(self.admitted))) if len(self.admitted) == 1 else self.text

    def both(self, other: "Dtypes") -> "Dtypes":
        """Those that two annotations around one array admit."""
        admitted = self.admitted & other.admitted
        return replace(self if admitted == self.admitted else other, admitted=admitted)

    def either(self, other: "Dtypes") -> "Dtypes":
        """Those of two members of a union."""
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

    `cls` is the class, None for any; `dtypes` those that are admitted, None for all; `variable` the type variable that
    stands for the dtype; `promotion` what the dtype is the promotion of.
    """

    cls: type | None
    dtypes: Dtypes | None = None
    variable: TypeVar | None = None
    promotion: Promotion | None = None


@dataclass(frozen=True, slots=True)
class ExpectedVariable:
    """A value whose whole type a type variable stands for; `inner` is what its bound or its constraints expect."""

    variable: TypeVar
    inner: "Expected | None"


@dataclass(frozen=True, slots=True)
class ExpectedClass:
    """A value of a class that is no array; it matters beside arrays in a union only."""

    cls: type


@dataclass(frozen=True, slots=True)
class ExpectedItems:
    """A list, a tuple of any length, a set: each element. `cls` is the annotated one, perhaps an abstract one."""

    cls: type
    item: "Expected"


@dataclass(frozen=True, slots=True)
class ExpectedFields:
    """A tuple (keys 0, 1, ...), a named tuple (`cls`), a dictionary with certain keys: key -> what it expects there."""

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
    """`PyTree[Float32[Array, "n"]]`: each leaf of a tree of JAX."""

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
