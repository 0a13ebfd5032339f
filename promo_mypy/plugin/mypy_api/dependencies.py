"""Let mypy check a function again when something changes that only the plugin has read: outside mypy's public surface.

mypy checks a file again when a module changes that the file imports, or that one of its types comes from. Its daemon
checks a function again when a name in it changes. The fields of a class are among neither if no expression of the file
has the type of the class. (tests/plugin/runs/test_other_modules.py)

- `TypeChecker.module_refs`: further modules on which mypy's cache makes the file depend.
- `MypyFile.plugin_deps`: further names on which the daemon makes a function depend, with the functions of each.
- A symbol in the class: the daemon compares symbol tables, and reads the class of an edited file anew. The symbol is
  gone then, which reports a new field.
"""

from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import MDEF, SymbolTableNode, TypeInfo, Var
from mypy.server.trigger import make_trigger
from mypy.types import NoneType

from promo_mypy.plugin.mypy_api.private_attributes import with_fullname

#: No program can write this name.
_MARK: Final = "fields were read"


def depend_on_fields(current: TypeChecker, info: TypeInfo) -> None:
    """Let the function or module that is being checked depend on the fields of a class in any module."""
    current.module_refs.add(info.module_name)
    options = current.options
    if not (options.fine_grained_incremental or options.cache_fine_grained):
        return
    if options.fine_grained_incremental and info.module_name != current.tree.fullname and _MARK not in info.names:
        mark = with_fullname(Var(_MARK, NoneType()), f"{info.fullname}.{_MARK}")
        info.names[_MARK] = SymbolTableNode(MDEF, mark, module_public=False, module_hidden=True)
    target = current.tscope.current_target()
    for name in info.names:
        current.tree.plugin_deps.setdefault(make_trigger(f"{info.fullname}.{name}"), set()).add(target)
