"""Let mypy check a function again when something changes that only the plugin has read: outside mypy's public surface.

mypy checks a file again when a module changes that the file imports, or that one of its types comes from. Its daemon
checks a function again when a name in it changes. The plugin also reads the fields of classes that no expression of the
file has, and the decorators of functions. (tests/plugin/runs/test_other_modules.py)

- `TypeChecker.module_refs`: further modules on which mypy's cache makes the file depend.
- `MypyFile.plugin_deps`: further names on which the daemon makes a function depend, with the functions of each.
- A symbol in the other module: the daemon compares symbol tables. A module that is read anew has lost the symbol, and
  that reports a change which leaves the names and types of the module as they were.
"""

from collections.abc import Iterable
from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import GDEF, SymbolNode, SymbolTableNode, TypeInfo, Var
from mypy.server.trigger import make_trigger
from mypy.types import NoneType

from promo_mypy.plugin.mypy_api.nodes.private_attributes import with_fullname
from promo_mypy.plugin.mypy_api.symbols import is_foreign, module_of

#: No program can write this name. mypy keeps symbols with an `@` when it checks the top of a module again.
_MARK: Final = "read @ promo-mypy"


def depend_on_fields(current: TypeChecker, info: TypeInfo) -> None:
    """Let the function or module that is being checked depend on the fields of a class in any module."""
    _depend(current, info, [f"{info.fullname}.{name}" for name in info.names])


def depend_on_function(current: TypeChecker, function: SymbolNode) -> None:
    """Let the function or module that is being checked depend on the type and the decorators of a function."""
    _depend(current, function, [function.fullname])


def depend_on_symbol(current: TypeChecker, variable: Var, name: str) -> None:
    """Let the function or module that is being checked depend on a symbol in the module of a variable."""
    _depend(current, variable, [f"{module_of(variable)}.{name}"])


def _depend(current: TypeChecker, node: SymbolNode, names: Iterable[str]) -> None:
    module, options = module_of(node), current.options
    if is_foreign(node, current.tree.fullname):
        current.module_refs.add(module)
        if options.fine_grained_incremental:
            names = [*names, _marked(current, module)]
    if options.fine_grained_incremental or options.cache_fine_grained:
        target = current.tscope.current_target()
        for name in names:
            current.tree.plugin_deps.setdefault(make_trigger(name), set()).add(target)


def _marked(current: TypeChecker, module: str) -> str:
    """The name of the symbol in another module that is lost when mypy reads the module anew."""
    fullname, file = f"{module}.{_MARK}", current.modules.get(module)
    if file is not None and _MARK not in file.names:
        mark = with_fullname(Var(_MARK, NoneType()), fullname)
        file.names[_MARK] = SymbolTableNode(GDEF, mark, module_public=False, module_hidden=True)
    return fullname
