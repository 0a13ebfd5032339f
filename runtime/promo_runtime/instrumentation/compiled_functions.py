"""Find the functions of a module that Numba or a similar library compiles from source. They must not be changed."""

import ast
from typing import Final

_COMPILERS: Final = frozenset({"cupyx", "numba", "taichi", "triton", "warp"})
_SCRIPTS: Final = ("torch.jit", "cupy.fuse")


class CompiledFunctions:
    """The compiled functions of one module, found by its imports and the decorators of its functions."""

    def __init__(self, module: ast.Module) -> None:
        self._stands_for: Final[dict[str, str]] = {}
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._stands_for[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
                for alias in node.names:
                    self._stands_for[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def is_compiled(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a decorator compiles the source of the function."""
        return any(map(self._compiles, function.decorator_list))

    def _compiles(self, decorator: ast.expr) -> bool:
        while isinstance(decorator, ast.Call):
            decorator = decorator.func
        parts = ast.unparse(decorator).split(".")
        name = ".".join((self._stands_for.get(parts[0], parts[0]), *parts[1:]))
        return name.partition(".")[0] in _COMPILERS or f"{name}.".startswith(tuple(f"{each}." for each in _SCRIPTS))
