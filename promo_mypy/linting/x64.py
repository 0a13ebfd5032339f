"""Find out whether code switches JAX's 64-bit dtypes on: then it does not run with the 32-bit ones alone."""

import ast
from typing import Final

_OPTION: Final = "jax_enable_x64"
_CONTEXT: Final = "enable_x64"


def switches_x64_on(tree: ast.Module | None) -> bool:
    """Whether a module switches x64 on anywhere.

    That is `jax.config.update("jax_enable_x64", True)`, `jax.config.jax_enable_x64 = True` or `jax.enable_x64(...)`.
    """
    return tree is not None and any(map(_is_switch, ast.walk(tree)))


def _is_switch(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="update"), args=[ast.Constant(value=option), value]):
            return option == _OPTION and not _is_off(value)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=arguments):
            return name == _CONTEXT and not any(map(_is_off, arguments))
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
            return name == _OPTION and not _is_off(value)
    return False


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
