"""Tell which functions are decorated with a function of an array library, in every module of the build.

mypy does not keep decorators in its cache: a function from there has none. A mark in the module has their names.
(tests/plugin/runs/test_other_modules.py)
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncBase, MypyFile, RefExpr, SymbolTable, TypeInfo
from mypy.subtypes import is_same_type
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, FunctionLike, Type, get_proper_type

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
        """Whether a decorator of a function belongs to an array library, and may change its type."""
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
    changing = [each for each in function.original_decorators if not _keeps_type(each)]
    return any(isinstance(node, RefExpr) and is_own(node.fullname) for node in nodes(changing))


def _keeps_type(decorator: Expression) -> bool:
    """Whether a library declares that its decorator returns the function, as `@torch.no_grad()` and `@jax.vmap` do."""
    if not isinstance(decorator, CallExpr):
        return any(map(_returns_argument, _signatures(decorator)))
    callee = decorator.callee.node if isinstance(decorator.callee, RefExpr) else None
    if isinstance(callee, TypeInfo):
        symbol = callee.get("__call__")
        return any(_returns_argument(each, 1) for each in _items(symbol.type if symbol is not None else None))
    return any(_returns_argument(each) for made in _signatures(decorator.callee) for each in _items(made.ret_type))


def _signatures(function: Expression) -> Sequence[CallableType]:
    """The signatures of the function that a name stands for."""
    node = function.node if isinstance(function, RefExpr) else None
    return _items(node.type) if isinstance(node, FuncBase | Decorator) else ()


def _items(function: Type | None) -> Sequence[CallableType]:
    typ = get_proper_type(function)
    return typ.items if isinstance(typ, FunctionLike) else ()


def _returns_argument(function: CallableType, place: int = 0) -> bool:
    """Whether a function returns what it gets in a place: a value of a type variable, or a function of some."""
    if len(function.arg_types) <= place:
        return False
    given = function.arg_types[place]
    return bool(get_all_type_vars(given)) and is_same_type(given, function.ret_type)
