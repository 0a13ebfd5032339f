"""Store in each module what stock mypy infers for its variables: outside mypy's public plugin surface.

To other modules, the type of a variable is all that mypy's cache keeps of it, and that type is the plugin's. Most tell
by their marks what stock mypy infers. The types of the other variables and attributes are in one symbol of the module:
it changes together with the variables, so every mode of mypy knows both. (tests/plugin/runs/test_other_modules.py)
"""

from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import FakeInfo, MypyFile, SymbolTableNode, TypeInfo, Var
from mypy.types import AnyType, Instance, LiteralType, TupleType, Type, TypeOfAny, get_proper_type, get_proper_types

from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_symbol
from promo_mypy.plugin.mypy_api.modules.module_marks import put_symbol
from promo_mypy.plugin.mypy_api.symbols import module_of

#: mypy keeps symbols with an `@` when it checks the top of a module again.
_SYMBOL: Final = "stock variables @ promo-mypy"


class StockVariables:
    """Writes the symbol of the file that mypy checks, and reads those of all modules."""

    def __init__(self, current: TypeChecker) -> None:
        self._current = current
        self._read: dict[str, tuple[SymbolTableNode | None, dict[str, Type]]] = {}

    def store(self, variable: Var, typ: Type | None) -> None:
        """Store the type of a variable or attribute of the file, which has just got one; None if there is no need."""
        file, name = self._current.tree, _name(variable)
        known = self._of(file)
        if module_of(variable) != file.fullname or typ == known.get(name):
            return
        found = {each: value for each, value in known.items() if each != name}
        put_symbol(file, _SYMBOL, self._written(found if typ is None else {**found, name: typ}))

    def type_of(self, variable: Var) -> Type | None:
        """What is stored for a variable or attribute of any module; None for nothing."""
        file = self._current.modules.get(module_of(variable))
        if file is None:
            return None
        if file is not self._current.tree:
            depend_on_symbol(self._current, variable, _SYMBOL)
        return self._of(file).get(_name(variable))

    def _written(self, types: dict[str, Type]) -> Type:
        """The names and types as one type: a tuple of pairs, each a text and a type."""
        builtins = self._current.modules["builtins"]
        string, row = (builtins.names[name].node for name in ("str", "tuple"))
        assert isinstance(string, TypeInfo)
        assert isinstance(row, TypeInfo)
        text = Instance(string, [])
        items = [part for name in sorted(types) for part in (LiteralType(name, text), types[name])]
        return TupleType(items, Instance(row, [AnyType(TypeOfAny.special_form)]))

    def _of(self, file: MypyFile) -> dict[str, Type]:
        symbol = file.names.get(_SYMBOL)
        known = self._read.get(file.fullname)
        if known is None or known[0] is not symbol:
            known = self._read[file.fullname] = symbol, _types(symbol)
        return known[1]


def _types(symbol: SymbolTableNode | None) -> dict[str, Type]:
    node = symbol.node if symbol is not None else None
    stored = get_proper_type(node.type) if isinstance(node, Var) else None
    items = stored.items if isinstance(stored, TupleType) else []
    pairs = zip(get_proper_types(items[::2]), items[1::2], strict=True)
    return {str(name.value): typ for name, typ in pairs if isinstance(name, LiteralType)}


def _name(variable: Var) -> str:
    """The full name of a variable or attribute: mypy gives attributes that a method binds none."""
    return variable.fullname if isinstance(variable.info, FakeInfo) else f"{variable.info.fullname}.{variable.name}"
