"""Find out whether a program casts modules of PyTorch: what they register has another dtype from then on."""

import ast
from typing import Final

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.program.checked.program import Program
from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.rules.dtype_names import TORCH_NAMES
from promo_mypy.rules.functions.torch.layers import CASTS, CASTS_TO

#: Methods that cast a module if an argument tells a dtype; `_apply` calls its argument with each tensor.
_CASTING: Final = CASTS_TO | {"_apply"}


def casts_modules(program: Program) -> bool:
    """Whether it registers something, and casts a module. A value of unknown type does not count as a module."""
    if not any(module.scopes.has_registrations for module in program.modules):
        return False  # then nothing depends on the answer
    typed = (TypedExpressions(module) for module in program.modules)
    return any(_is_cast(node, each) for each in typed for node in each.scopes.nodes)


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
