"""Store facts about a module in the symbol table that mypy writes to its cache: outside its public plugin surface.

mypy caches neither import statements nor decorators. It compares the symbol tables to learn what to check again.
(tests/plugin/annotations/test_incremental.py, tests/plugin/runs/test_other_modules.py)
"""

from collections.abc import Mapping
from types import MappingProxyType

from mypy.nodes import GDEF, MypyFile, SymbolTableNode, TypeInfo, Var
from mypy.server.trigger import make_trigger
from mypy.types import Instance, LiteralType, Type, get_proper_type

from promo_mypy.plugin.mypy_api.nodes.private_attributes import with_fullname


class Marks:
    """Reads and writes one symbol in each module that records facts of one kind: names of the module, with values.

    It is a variable under a name that no program can write. Its type is a literal string with the facts. The name stays
    the same when the facts change, because the daemon drops dependencies on new names.
    """

    def __init__(self, name: str) -> None:
        """`name`: the name of the symbol."""
        self._name = name
        self._read: dict[str, tuple[object, Mapping[str, str]]] = {}

    def read(self, module: MypyFile) -> Mapping[str, str] | None:
        """The mark of a module from the cache; None for a module that was read from its source."""
        if not module.is_cache_skeleton:
            return None
        known = self._read.get(module.fullname)
        if known is None or known[0] is not module.names:
            known = module.names, MappingProxyType(facts(module.names.get(self._name)))
            self._read[module.fullname] = known
        return known[1]

    def write(self, module: MypyFile, found: Mapping[str, str], modules: Mapping[str, MypyFile]) -> str:
        """Mark a module, replacing an earlier mark. Return the trigger that fires when the mark changes."""
        text = " ".join(f"{name}={found[name]}" for name in sorted(found))
        if text != _text(module.names.get(self._name)):
            string = modules["builtins"].names["str"].node
            assert isinstance(string, TypeInfo)
            put_symbol(module, self._name, LiteralType(text, Instance(string, [])))
        return make_trigger(f"{module.fullname}.{self._name}")


def put_symbol(module: MypyFile, name: str, typ: Type) -> None:
    """Put a variable of some type into a module, hidden from imports, star imports and spelling suggestions."""
    variable = with_fullname(Var(name, typ), f"{module.fullname}.{name}")
    module.names[name] = SymbolTableNode(GDEF, variable, module_public=False, module_hidden=True)


def facts(mark: SymbolTableNode | None) -> dict[str, str]:
    """The facts in a mark; none if there is no mark."""
    pairs = (pair.split("=") for pair in _text(mark).split())
    return {pair[0]: pair[1] for pair in pairs}


def _text(mark: SymbolTableNode | None) -> str:
    node = mark.node if mark is not None else None
    typ = get_proper_type(node.type) if isinstance(node, Var) else None
    return typ.value if isinstance(typ, LiteralType) and isinstance(typ.value, str) else ""
