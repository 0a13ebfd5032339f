"""Read the types in mypy's messages, and name their dtypes as people do: `float32` for `floating[_32Bit]`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from promo_mypy.plugin.types.printed_types import split, union_members

#: NumPy's classes -> the kind in the name of a dtype, and how many widths make up one element.
_KINDS: Final[Mapping[str, tuple[str, int]]] = {
    "floating": ("float", 1),
    "signedinteger": ("int", 1),
    "unsignedinteger": ("uint", 1),
    "complexfloating": ("complex", 2),
}
#: The abstract classes of NumPy and of jaxtyping's annotations -> the kinds of dtypes that they stand for. NumPy's of
#: one kind are above, too.
_CATEGORIES: Final[Mapping[str, frozenset[str]]] = {
    **{name: frozenset({kind}) for name, (kind, _) in _KINDS.items()},
    "integer": frozenset({"int", "uint"}),
    "inexact": frozenset({"float", "complex"}),
    "number": frozenset({"int", "uint", "float", "complex"}),
    "generic": frozenset({"int", "uint", "float", "complex", "bool", "bfloat"}),
    "SignedInteger": frozenset({"int"}),
    "UnsignedInteger": frozenset({"uint"}),
    "Integer": frozenset({"int", "uint"}),
    "Float": frozenset({"float", "bfloat"}),
    "Complex": frozenset({"complex"}),
    "Inexact": frozenset({"float", "bfloat", "complex"}),
    "Real": frozenset({"int", "uint", "float", "bfloat"}),
    "Num": frozenset({"int", "uint", "float", "bfloat", "complex"}),
    "Shaped": frozenset({"int", "uint", "float", "bfloat", "complex", "bool"}),
}
#: The dtypes whose width is the platform's -> their kind.
_OF_PLATFORM: Final[Mapping[str, str]] = {"longdouble": "float", "clongdouble": "complex"}
#: The classes of scalars that NumPy's stubs name like their dtype.
_EXACT: Final = frozenset({"float64", "complex128"})

#: The kind at the beginning of a dtype's name.
_LETTERS: Final = re.compile(r"^[A-Za-z]*")

#: Array class -> the position of its dtype among the arguments.
_ARRAYS: Final[Mapping[str, int]] = {"ndarray": 1, "Array": 0, "Tensor": 0}

#: The name of NumPy's scalars among the array classes.
SCALAR: Final = "scalar"


@dataclass(frozen=True, slots=True)
class TypeText:
    """A printed type: the name of its class, and its arguments. A union is called `|`."""

    name: str
    arguments: tuple["TypeText", ...] = ()

    @property
    def plain_name(self) -> str:
        """The name without its module."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class ArrayText:
    """An array class, or `scalar`, with the names of its possible dtypes."""

    array: str
    dtypes: tuple[str, ...]

    def __str__(self) -> str:
        """The dtypes: `float32 | float64`."""
        return " | ".join(self.dtypes)


def parsed(text: str) -> TypeText:
    """The type that a text prints. What is no generic class, such as a function, is a name without arguments."""
    text = text.strip()
    members = union_members(text)
    if len(members) > 1:
        return TypeText("|", tuple(map(parsed, members)))
    generic = re.fullmatch(r"([\w.*?]+)\[(.*)\]", text)
    if generic is not None:
        return TypeText(generic[1], tuple(map(parsed, split(generic[2], ", "))))
    if text.startswith("[") and text.endswith("]"):  # the parameters in `Callable[[A, B], C]`
        return TypeText("[]", tuple(map(parsed, split(text[1:-1], ", "))) if text != "[]" else ())
    return TypeText(text)


def array_of(typ: TypeText) -> ArrayText | None:
    """The array or NumPy scalar that a printed type names; None for any other type and for an unknown dtype."""
    position = _ARRAYS.get(typ.plain_name)
    if position is None:
        scalar = _scalar_dtypes(typ)
        return ArrayText(SCALAR, scalar) if scalar else None
    if len(typ.arguments) <= position:
        return None
    dtype = typ.arguments[position]
    if position == 1:
        if dtype.plain_name != "dtype" or not dtype.arguments:
            return None
        dtypes = _scalar_dtypes(dtype.arguments[0])
    else:
        dtypes = _generic_dtypes(dtype)
    return ArrayText(typ.plain_name, dtypes) if dtypes else None


def may_be(inferred: ArrayText, declared: ArrayText) -> bool:
    """Whether the dtype is only known to be in a category, such as `floating`, and may be as declared.

    NumPy's stubs often leave it at that, and so do annotations of functions for several dtypes.
    """
    kinds = frozenset[str]().union(*(_CATEGORIES.get(dtype, ()) for dtype in inferred.dtypes))
    return any(kinds & _kinds(dtype) for dtype in declared.dtypes)


def fits(inferred: ArrayText, declared: ArrayText) -> bool:
    """Whether each dtype is declared, by its name or by its category: the types differ in something else."""
    categories = frozenset[str]().union(*(_CATEGORIES.get(dtype, ()) for dtype in declared.dtypes))
    return all(dtype in declared.dtypes or _kinds(dtype) <= categories for dtype in inferred.dtypes)


def _kinds(dtype: str) -> frozenset[str]:
    """The kinds of the dtypes that a name stands for: `int` for int32, `int` and `uint` for `integer`."""
    name = dtype.removeprefix("weak ")
    return _CATEGORIES.get(name) or frozenset({_OF_PLATFORM.get(name) or _LETTERS.findall(name)[0]})


def _scalar_dtypes(typ: TypeText) -> tuple[str, ...]:
    """The dtypes that a class of NumPy's scalars stands for; empty for any other class."""
    if typ.name == "|":
        members = [_scalar_dtypes(member) for member in typ.arguments]
        return tuple(dict.fromkeys(name for names in members for name in names)) if all(members) else ()
    name = typ.plain_name
    if name in _KINDS:
        return _of_width(typ, *_KINDS[name])
    if name in _EXACT or name in _CATEGORIES:
        return (name,)
    if name in ("bool", "bool_") and (typ.arguments or typ.name.startswith("numpy.")):
        return ("bool",)
    # ml_dtypes' scalars are called like their dtypes.
    return (name,) if re.fullmatch(r"bfloat16|float[468]_\w+|u?int[124]", name) else ()


def _of_width(typ: TypeText, kind: str, factor: int) -> tuple[str, ...]:
    width = typ.arguments[0] if typ.arguments else TypeText("Any")
    bits = [re.fullmatch(r"_(\d+)Bit", each.plain_name) for each in (width.arguments or (width,))]
    numbers = [int(found[1]) * factor for found in bits if found is not None]
    if len(numbers) < len(bits) or not numbers:
        return (typ.plain_name,)
    if len(numbers) > 1:  # the width depends on the platform: `int_`, `longdouble`
        return (f"{kind}64",) if max(numbers) == 64 else ("longdouble" if factor == 1 else "clongdouble",)
    return (f"{kind}{numbers[0]}",)


def _generic_dtypes(typ: TypeText) -> tuple[str, ...]:
    """The dtypes of an array class whose dtype is a class of promo-mypy's."""
    members = typ.arguments if typ.name == "|" else (typ,)
    names = [member.plain_name for member in members]
    if any(member.arguments or name in ("Any", "DType") for member, name in zip(members, names, strict=True)):
        return ()
    return tuple(_spoken(name) for name in names)


def _spoken(name: str) -> str:
    return "bool" if name == "bool_" else name.replace("weak_", "weak ")
