"""Find out whether a program casts modules of PyTorch, or parameters of models of flax or haiku, or binds these anew.

What a module of PyTorch registers has another dtype from a cast on. The dtypes of parameters of flax and haiku are
known as long as they are those that the model makes.
"""

import ast
from collections.abc import Sequence
from typing import Final

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.rules.dtype_names import TORCH_NAMES
from promo_mypy.rules.functions.torch.layers import CASTS, CASTS_TO

#: Methods that cast a module if an argument tells a dtype; `_apply` calls its argument with each tensor.
_CASTING: Final = CASTS_TO | {"_apply"}


def casts_modules(modules: Sequence[TypedExpressions]) -> bool:
    """Whether one registers something, and one casts a module. A value of unknown type does not count as a module."""
    if not any(each.scopes.has_registrations for each in modules):
        return False  # then nothing depends on the answer
    return any(_is_cast(node, each) for each in modules for node in each.scopes.nodes)


def _is_cast(node: ast.AST, typed: TypedExpressions) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr=method), args=given, keywords=named):
            every = [*given, *(each.value for each in named)]
            asks = method in _CASTING and any(_may_tell_dtype(each, typed) for each in every)
            return (asks or method in CASTS) and _is_module(receiver, typed)
    return False


def _is_module(receiver: ast.expr, typed: TypedExpressions) -> bool:
    info = typed.class_of(receiver)
    return info is not None and info.has_base(names.TORCH_MODULE)


def _may_tell_dtype(argument: ast.expr, typed: TypedExpressions) -> bool:
    module, _, name = (typed.scopes.imported(argument) or "").rpartition(".")
    casts = any(isinstance(each, ast.Attribute) and each.attr in CASTS for each in ast.walk(argument))
    return casts or (module == "torch" and name in TORCH_NAMES) or "dtype" in ast.unparse(argument)


_LIBRARIES: Final = frozenset({"flax", "haiku"})
#: Functions that call a function with each leaf of a tree.
_MAPPING: Final = frozenset({"map", "tree_map", "map_with_path", "tree_map_with_path", "map_params"})
_WORDS_OF_CASTS: Final = ("astype", "asarray", "dtype", "float16", "bfloat16", "half")
#: Names of functions and parameters by which libraries cast parameters, or let a program replace them.
_OTHERS: Final = frozenset({
    "tree_cast", "tree_cast_like", "cast", "to_bf16", "to_fp16", "to_fp32", "cast_to_compute", "cast_to_param",
    "mixed_precision", "custom_getter", "custom_creator", "intercept_methods", "map_variables", "set_value",
})  # fmt: skip


def changes_parameters(modules: Sequence[Scopes]) -> bool:
    """Whether one casts or rebinds the parameters of a model."""
    if all(_LIBRARIES.isdisjoint(each.packages) for each in modules):
        return False  # then nothing depends on the answer
    return any(_changes(node, each) for each in modules for node in each.nodes)


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
    return any(each in text for each in _WORDS_OF_CASTS)
