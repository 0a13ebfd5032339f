"""Functions that their library declares without a type (`torch.linalg.norm`) to functions that take and give anything.

Of a call of Any no hook hears; a function's is asked for by its name. To everything else such a function is what it
was: it takes any arguments, and what it returns is Any. They are opened when a file outside the library is about to be
checked: the library's own modules are complete then.
"""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2, MypyFile, Var
from mypy.types import AnyType, CallableType, TypeOfAny, get_proper_type

from promo_mypy.plugin.symbols import Symbols
from promo_mypy.rules import functions

#: Modules with such functions -> the library of the registry, and where its names have the module.
_MODULES: Final[Mapping[str, tuple[str, str]]] = {
    "torch": ("torch", ""),
    "torch.functional": ("torch", ""),
    "torch.nn.functional": ("torch", "nn.functional."),
    "torch.linalg": ("torch", "linalg."),
    "torch.fft": ("torch", "fft."),
    "torch.special": ("torch", "special."),
}


class UntypedFunctions:
    """Opens the untyped functions of the modules of a build, of each once."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._opened: dict[str, MypyFile] = {}

    def open(self, file: MypyFile) -> None:
        """Open those of modules that have come since; `file` is about to be checked."""
        package = file.fullname.partition(".")[0]
        for name, (library, prefix) in _MODULES.items():
            module = self._symbols.module(name) if library != package else None
            if module is not None and self._opened.get(name) is not module:
                self._opened[name] = module
                self._open(module, library, prefix)

    def _open(self, module: MypyFile, library: str, prefix: str) -> None:
        fallback = self._symbols.instance("builtins.function")
        if fallback is None:
            return
        rows, anything = functions.library(library), AnyType(TypeOfAny.special_form)
        for name, symbol in module.names.items():
            node = symbol.node
            if not isinstance(node, Var) or not isinstance(get_proper_type(node.type), AnyType):
                continue
            if rows.function(f"{prefix}{name}") is not None:
                node.type = CallableType(
                    [anything, anything], [ARG_STAR, ARG_STAR2], [None, None], anything, fallback, name=name
                )
