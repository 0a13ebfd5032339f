"""Find the dtypes to which modules give a name: `DTYPE = "int32"`, `DTYPE = torch.float32`, bound once."""

import ast
from collections.abc import Mapping
from typing import Final

from promo_mypy.program.checked.program import Program
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import JAX_NAMES, NUMPY_STRINGS, TORCH_NAMES

_MODULES: Final = {"numpy": NUMPY_STRINGS, "jax.numpy": JAX_NAMES, "torch": TORCH_NAMES}


def constant_dtypes(program: Program) -> Mapping[str, type[dt.Shaped]]:
    """Full name of a module's variable -> the dtype that it names, if no other statement of the program binds it."""
    stored = {
        node.attr
        for module in program.modules
        for node in module.scopes.nodes
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    found = {}
    for module in program.modules:
        scopes = module.scopes
        for node in module.tree.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
                ):
                    dtype = _named(value, scopes)
                    is_bound_once = scopes.binds_plainly(target) and len(scopes.values(target)) == 1
                    if dtype is not None and is_bound_once and name not in stored:
                        found[f"{module.name}.{name}"] = dtype
    return found


def _named(value: ast.expr, scopes: Scopes) -> type[dt.Shaped] | None:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return NUMPY_STRINGS.get(value.value)
    module, _, name = (scopes.imported(value) or "").rpartition(".")
    return _MODULES[module].get(name) if module in _MODULES and isinstance(value, ast.Attribute) else None
