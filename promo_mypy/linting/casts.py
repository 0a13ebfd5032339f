"""Spell the cast that mends a finding, with the names under which the file imports its libraries."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr

from promo_mypy.inference.expressions import Place
from promo_mypy.linting.texts import FileText
from promo_mypy.linting.values import FileValues
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.types.mismatches import Mismatch
from promo_mypy.plugin.types.type_texts import SCALAR
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.findings import Cast
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.dialects import Dialect, keeps_values

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


def loses_digits_at_most(declared: Collection[str], inferred: Collection[str]) -> bool:
    """Whether a cast of values of some dtypes to the declared ones loses digits at most."""
    targets = [dt.DTYPES.get(name) for name in declared]
    sources = [dt.DTYPES.get(name.removeprefix("weak ")) for name in inferred]
    pairs = [(source, target) for source in sources for target in targets]
    return bool(pairs) and all(source and target and keeps_values(target, source) for source, target in pairs)


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
    template = _template(get_system(library.value).dialect, dtype, names) if library is not None else None
    return Cast(span, template) if template is not None else None


def spelled_cast(cast: Cast, system: str, text: FileText) -> Cast | None:
    """A cast of the plugin, where and as the file writes it; None if the file does not import what it names."""
    template = _template(get_system(system).dialect, dt.DTYPES[cast.dtype], text.imports)
    where = Place(cast.span.line, cast.span.column, cast.span.end_line, cast.span.end_column)
    return replace(cast, span=text.span(text.whole(where)), template=template) if template is not None else None


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


def _template(dialect: Dialect, dtype: type[dt.Shaped], names: Mapping[str, str]) -> str | None:
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
