"""Give functions that their library declares without a type (`torch.linalg.norm`) a signature of Any.

mypy calls no hook for a call of Any, but it looks up the hook of a function by name. Otherwise nothing changes: the
function accepts any arguments and returns Any, and as a value it is Any (see `types/untyped_functions`). The signatures
are set when mypy is about to check a file outside the library: then the library's own modules are complete.
(tests/plugin/calls/test_registry_calls.py)
"""

from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2, Decorator, MypyFile, Var
from mypy.types import AnyType, CallableType, Instance, TypeOfAny, get_proper_type

from promo_mypy.plugin.libraries import BY_LIBRARY, BY_PACKAGE
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.rules import functions

_LIBRARIES: Final = {
    "torch": ("torch",),
    "dask": ("dask", "distributed"),
    "array_api_strict": ("array_api_strict",),
}
"""The libraries that have such functions, each with the packages of its import cycle.

mypy reads all files of a cycle before it checks any, and checking gives a function its type anew.
"""

_DECLARED: Final = "torch._C."
"""Where PyTorch's compiled functions have their types; to read those from mypy's cache takes 4 MiB."""


class UntypedFunctions:
    """Gives the untyped functions of the libraries in a build a signature of Any, each once."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._waiting: dict[str, set[str]] = {}

    def annotate(self, file: MypyFile) -> None:
        """Set the signatures in modules that were read since the last call. mypy is about to check `file`."""
        fallback = self._symbols.instance("builtins.function")
        if fallback is None:
            return
        package = file.fullname.partition(".")[0]
        for library, packages in _LIBRARIES.items():
            array = BY_LIBRARY[BY_PACKAGE[library]].array
            if self._symbols.info(array) is None or package in packages:
                continue
            if library not in self._waiting:
                known = functions.library(library)
                self._waiting[library] = {f"{library}.{name}" for name in (*known.functions, *known.aliases)}
            self._waiting[library] -= {name for name in self._waiting[library] if self._annotate(name, fallback)}

    def _annotate(self, name: str, fallback: Instance) -> bool:
        """Set the signature of the function of that name if it is untyped. Return whether its module is read."""
        symbol = self._symbols.symbol(name)
        if symbol is None or (symbol.cross_ref or "").startswith(_DECLARED):
            return symbol is not None
        node = symbol.node
        variable = node.var if isinstance(node, Decorator) else node
        if isinstance(variable, Var) and isinstance(get_proper_type(variable.type), AnyType):
            anything = AnyType(TypeOfAny.special_form)
            variable.type = CallableType(
                [anything, anything], [ARG_STAR, ARG_STAR2], [None, None], anything, fallback, name=variable.name
            )
        return node is not None
