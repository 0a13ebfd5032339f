"""Tell which functions are decorated with a function of an array library, in every module of the build.

mypy does not keep decorators in its cache: a function from there has none. A mark in the module has their names.
(tests/plugin/runs/test_other_modules.py)
"""

from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import Decorator, MypyFile, RefExpr, SymbolTable, TypeInfo

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.modules.module_marks import Marks, facts
from promo_mypy.plugin.mypy_api.symbols import Symbols, module_of
from promo_mypy.plugin.trees.syntax_trees import nodes

_MARK: Final = "functions that a library wraps"
_YES: Final = "1"


class WrappedFunctions:
    """The decorated functions of all modules."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._marks = Marks(_MARK)

    def has(self, function: Decorator) -> bool:
        """Whether one of the decorators of a function belongs to an array library."""
        if function.original_decorators:
            return _is_wrapped(function)
        mark = self._symbols.symbol(f"{module_of(function.func)}.{_MARK}")
        return function.func.fullname in facts(mark)

    def mark(self, module: MypyFile, modules: Mapping[str, MypyFile]) -> None:
        """Write into a module what its functions are decorated with: mypy is about to write it to its cache."""
        if not is_own(module.fullname):
            found = {each.func.fullname: _YES for each in _decorated(module.names, module) if _is_wrapped(each)}
            if found:
                self._marks.write(module, found, modules)


def _decorated(names: SymbolTable, module: MypyFile) -> Iterator[Decorator]:
    """The decorated functions and methods of a module."""
    for symbol in names.values():
        node = symbol.node
        if isinstance(node, Decorator):
            yield node
        elif isinstance(node, TypeInfo) and node.names is not names and node.module_name == module.fullname:
            yield from _decorated(node.names, module)


def _is_wrapped(function: Decorator) -> bool:
    return any(isinstance(node, RefExpr) and is_own(node.fullname) for node in nodes(function.original_decorators))
