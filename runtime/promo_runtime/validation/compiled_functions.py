"""Functions of a module that are compiled from their source, by Numba and the like: those must stay as they are."""

import ast
from typing import Final

_COMPILERS: Final = frozenset({"cupyx", "numba", "taichi", "triton", "warp"})
_SCRIPTS: Final = ("torch.jit", "cupy.fuse")


class CompiledFunctions:
    """Answers for one module, by its import statements and the decorators of its functions."""

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
        """Whether some decorator compiles the text of the function."""
        return any(map(self._compiles, function.decorator_list))

    def _compiles(self, decorator: ast.expr) -> bool:
        while isinstance(decorator, ast.Call):
            decorator = decorator.func
        parts = ast.unparse(decorator).split(".")
        name = ".".join((self._stands_for.get(parts[0], parts[0]), *parts[1:]))
        return name.partition(".")[0] in _COMPILERS or f"{name}.".startswith(tuple(f"{each}." for each in _SCRIPTS))
