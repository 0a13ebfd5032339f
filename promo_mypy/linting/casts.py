"""Spell the cast that mends a finding, with the names under which the file imports its libraries."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, OperatorAssignmentStmt

from promo_mypy.linting.values import FileValues, Operation
from promo_mypy.plugin.interface.arrays import Library
from promo_mypy.plugin.interface.trees import dotted_name
from promo_mypy.program.expressions import Place
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.findings import Cast
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.wording.dialects import Dialect

#: The module of a dialect's namespace: `jnp` is `jax.numpy`.
_MODULES: Final = {
    "np": "numpy", "jnp": "jax.numpy", "torch": "torch", "tf": "tensorflow", "paddle": "paddle", "cp": "cupy",
    "xp": "array_api_strict", "da": "dask.array", "ml_dtypes": "ml_dtypes", "array_api_strict": "array_api_strict",
}  # fmt: skip


def cast_of_value(cast: Cast, system: str, node: Expression, values: FileValues) -> Cast | None:
    """The cast of a value to the declared dtype, as the file writes it; None if its dtype is unknown."""
    dtype, dialect, names = dt.DTYPES[cast.dtype], get_system(system).dialect, values.text.imports
    is_of_jax = dialect is get_system(Library.JAX.value).dialect
    if not values.dtypes(node) or (is_of_jax and dtype in X32 and not values.options.jax_x64):
        return None  # JAX would not make it while x64 is off
    written = _written_dtype(node, values)
    if written is not None:
        template = _spelled(dialect, dtype, names)
    elif values.is_scalar(node):
        module = names.get("numpy")
        template = f"{module}.{dtype.name}({{}})" if module is not None else None
    else:
        template = _template(dialect, dtype, names)
    span = values.text.span(values.place(written or node))
    return replace(cast, span=span, template=template) if template is not None else None


def spelled_cast(cast: Cast, system: str, operation: Operation | None, values: FileValues) -> Cast | None:
    """A cast of the plugin, where and as the file writes it; None if the file does not import what it names.

    The target of `x += y` takes no cast.
    """
    where = Place(cast.span.line, cast.span.column, cast.span.end_line, cast.span.end_column)
    if isinstance(operation, OperatorAssignmentStmt) and values.place(operation.lvalue) == where:
        return None
    node = values.at(where)
    return cast_of_value(cast, system, node, values) if node is not None else None


def respelled(text: str, names: Mapping[str, str]) -> str | None:
    """A cast in the names of the file; None if the file does not import what the cast names."""
    space = re.search(r"\b(\w+)\.(?=\w+\)$)", text)
    if space is None:
        return text
    module = names.get(_MODULES.get(space[1], space[1]))
    return f"{text[: space.start()]}{module}.{text[space.end() :]}" if module is not None else None


def _template(dialect: Dialect, dtype: type[dt.Shaped], names: Mapping[str, str]) -> str | None:
    if not dialect.function:
        return respelled(dialect.cast(dtype, "{}"), names)
    space, _, function = dialect.function.partition(".")
    module, argument = names.get(_MODULES.get(space, space)), _spelled(dialect, dtype, names)
    return f"{module}.{function}({{}}, {argument})" if module is not None and argument is not None else None


def _written_dtype(node: Expression, values: FileValues) -> Expression | None:
    """The dtype that a cast names: `x.astype(d)` takes another one instead of a second cast around it."""
    inferred = {dtype.name for dtype in values.dtypes(node)}
    match node:
        case CallExpr(callee=MemberExpr(name="astype" | "to"), args=[dtype, *_], arg_names=[None | "dtype", *_]):
            return dtype if (dotted_name(dtype) or "").rpartition(".")[2] in inferred else None
        case _:
            return None


def _spelled(dialect: Dialect, dtype: type[dt.Shaped], names: Mapping[str, str]) -> str | None:
    """A dtype in the names of the file."""
    found = respelled(f"({dialect.spell(dtype)})", names)
    return found[1:-1] if found is not None else None
