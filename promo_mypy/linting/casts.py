"""Spell the cast that mends a finding, with the names under which the file imports its libraries."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr

from promo_mypy.linting.findings import Cast
from promo_mypy.linting.labels import leaves_of
from promo_mypy.linting.values import FileValues
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.trees.expressions import dotted_name, operands_of
from promo_mypy.plugin.types.mismatches import Mismatch
from promo_mypy.plugin.types.type_texts import SCALAR
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.dialects import holds

#: Array class in a message -> its library. A library of arrays called `Array` is found by the imports of the file.
_OF_CLASS: Final[Mapping[str, tuple[Library, ...]]] = {
    "ndarray": (Library.NUMPY, Library.CUPY),
    "Array": (Library.JAX, Library.DASK, Library.ARRAY_API),
    "Tensor": (Library.TORCH, Library.PADDLE, Library.TENSORFLOW),
}
#: The module of a dialect's namespace: `jnp` is `jax.numpy`.
_MODULES: Final = {
    "np": "numpy", "jnp": "jax.numpy", "torch": "torch", "tf": "tensorflow", "paddle": "paddle", "cp": "cupy",
    "xp": "array_api_strict", "da": "dask.array", "ml_dtypes": "ml_dtypes", "array_api_strict": "array_api_strict",
}  # fmt: skip

#: Kinds of dtypes, in the order in which each can hold the ones before.
_ORDER: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}

#: The casts that our own messages propose: of the operand of a dtype, or of the array beside a Python number.
_PROPOSED: Final = re.compile(
    r"cast (?:the (?P<dtype>\w+(?: \w+)?) operand|(?P<array>the array)) with [xy](?P<call>\.\w+\([\w.]+\))(?:$|, or )"
)


def keeps_values(declared: Collection[str], inferred: Collection[str]) -> bool:
    """Whether a cast loses digits at most: no fraction, no imaginary part, no integer that is out of range."""
    targets = [dt.DTYPES.get(name) for name in declared]
    sources = [dt.DTYPES.get(name.removeprefix("weak ")) for name in inferred]
    pairs = [(source, target) for source in sources for target in targets]
    return bool(pairs) and all(source and target and _keeps(source, target) for source, target in pairs)


def _keeps(source: type[dt.Shaped], target: type[dt.Shaped]) -> bool:
    is_rounding = target.kind in "fc" and _ORDER[source.kind] <= _ORDER[target.kind]
    return is_rounding or holds(target, source)


def cast_of_mismatch(
    mismatch: Mismatch, node: Expression, values: FileValues, library: Library | None, *, jax_x64: bool
) -> Cast | None:
    """The cast of a value to the declared dtype; None if several are declared, or only a part of the value differs."""
    declared = mismatch.declared.dtypes
    dtype = dt.DTYPES.get(declared[0]) if len(declared) == 1 else None
    if mismatch.inside or dtype is None or not values.dtypes(node):
        return None
    if library is Library.JAX and dtype in X32 and not jax_x64:
        return None  # JAX would not make it while x64 is off
    names = values.text.imports
    span = values.text.span(values.place(node))
    written = _written_dtype(node, mismatch.inferred.dtypes)
    if written is not None:
        spelled = _spelled(library, dtype, names)
        return Cast(values.text.span(values.place(written)), spelled) if spelled is not None else None
    if mismatch.inferred.array == SCALAR:
        module = names.get("numpy")
        return Cast(span, f"{module}.{dtype.name}({{}})") if module is not None else None
    template = _template(library, dtype, names)
    return Cast(span, template) if template is not None else None


def proposed_cast(remedy: str, node: Expression, values: FileValues) -> Cast | None:
    """The cast that a remedy spells, around the operand that it names; None if no single operand has that dtype."""
    proposed = _PROPOSED.match(remedy)
    if proposed is None or (isinstance(node, CallExpr | IndexExpr) and proposed["array"]):
        return None
    operands = operands_of(node) or list(leaves_of(node, values))
    named = [each for each in operands if _is_meant(values, each, proposed["dtype"])]
    if len(named) != 1 or " or cast" in remedy:
        return None
    call = respelled(proposed["call"], values.text.imports)
    return Cast(values.text.span(values.place(named[0])), f"{{}}{call}") if call is not None else None


def library_of(array: str, names: Mapping[str, str]) -> Library | None:
    """The library of an array class that a message names, by what the file imports."""
    libraries = _OF_CLASS.get(array, ())
    roots = {module.partition(".")[0] for module in names} | {name for name in names if "." in name}
    imported = [each for each in libraries if each.value.replace("-", "_") in roots or _root(each) in roots]
    return imported[0] if len(imported) == 1 else (libraries[0] if libraries and not imported else None)


def respelled(text: str, names: Mapping[str, str]) -> str | None:
    """A cast in the names of the file; None if the file does not import what the cast names."""
    space = re.search(r"\b(\w+)\.(?=\w+\)$)", text)
    if space is None:
        return text
    module = names.get(_MODULES.get(space[1], space[1]))
    return f"{text[: space.start()]}{module}.{text[space.end() :]}" if module is not None else None


def _template(library: Library | None, dtype: type[dt.Shaped], names: Mapping[str, str]) -> str | None:
    if library is None:
        return None
    dialect = get_system(library.value).dialect
    spelled = dialect.cast(dtype, "{}")
    if dialect.function:
        space, _, function = dialect.function.partition(".")
        module = names.get(_MODULES.get(space, space))
        argument = respelled(f"({dialect.spell(dtype)})", names)
        return f"{module}.{function}({{}}, {argument[1:-1]})" if module is not None and argument is not None else None
    return respelled(spelled, names)


def _written_dtype(node: Expression, inferred: Sequence[str]) -> Expression | None:
    """The dtype that a cast names: `x.astype(d)` takes another one instead of a second cast around it."""
    match node:
        case CallExpr(callee=MemberExpr(name="astype" | "to"), args=[dtype, *_], arg_names=[None | "dtype", *_]):
            return dtype if (dotted_name(dtype) or "").rpartition(".")[2] in inferred else None
        case _:
            return None


def _spelled(library: Library | None, dtype: type[dt.Shaped], names: Mapping[str, str]) -> str | None:
    """A dtype in the names of the file."""
    if library is None:
        return None
    found = respelled(f"({get_system(library.value).dialect.spell(dtype)})", names)
    return found[1:-1] if found is not None else None


def _root(library: Library) -> str:
    return {Library.ARRAY_API: "array_api_strict"}.get(library, library.value)


def _is_meant(values: FileValues, operand: Expression, dtype: str | None) -> bool:
    if dtype is None:
        return values.is_array(operand)
    return values.dtype_text(operand) == dtype
