"""Find out whether a program casts the parameters of models of flax or haiku, or binds them anew.

Their dtypes are known as long as they are those that the model makes.
"""

import ast
from typing import Final

from promo_mypy.program.checked.program import Program
from promo_mypy.program.syntax.scopes import Scopes

_LIBRARIES: Final = frozenset({"flax", "haiku"})
#: Functions that call a function with each leaf of a tree.
_MAPPING: Final = frozenset({"map", "tree_map", "map_with_path", "tree_map_with_path", "map_params"})
_CASTING: Final = ("astype", "asarray", "dtype", "float16", "bfloat16", "half")
#: Names of functions and parameters by which libraries cast parameters, or let a program replace them.
_OTHERS: Final = frozenset({
    "tree_cast", "tree_cast_like", "cast", "to_bf16", "to_fp16", "to_fp32", "cast_to_compute", "cast_to_param",
    "mixed_precision", "custom_getter", "custom_creator", "intercept_methods", "map_variables", "set_value",
})  # fmt: skip


def changes_parameters(program: Program) -> bool:
    """Whether the program casts or rebinds the parameters of a model."""
    if all(_LIBRARIES.isdisjoint(module.scopes.packages) for module in program.modules):
        return False  # then nothing depends on the answer
    return any(_changes(node, module.scopes) for module in program.modules for node in module.scopes.nodes)


def _changes(node: ast.AST, scopes: Scopes) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[function, *_]) if name in _MAPPING:
            return _may_cast(function, scopes)
        case ast.Attribute(attr="value", ctx=ast.Store()):
            return True  # of a variable of nnx
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
            return name.rpartition(".")[2] in _OTHERS
    return False


def _may_cast(function: ast.expr, scopes: Scopes) -> bool:
    """Whether a function may return another dtype than that of its argument: one that the program does not show may."""
    if isinstance(function, ast.Name):
        shown = scopes.local_functions(function)
        return not shown or any(_names_dtype(each) for each in shown)
    is_of_library = (scopes.imported(function) or "").startswith("jax.")
    return not is_of_library and (not isinstance(function, ast.Lambda) or _names_dtype(function))


def _names_dtype(function: ast.AST) -> bool:
    text = ast.unparse(function)
    return any(each in text for each in _CASTING)
