"""Tell a file that may handle arrays from one that does not.

mypy's cache keeps the types of attributes and global variables for other modules, and a run without an array library
has no plugin at work. So a file without arrays keeps the types that stock mypy infers, whatever else mypy checks.
"""

from collections.abc import Mapping

from mypy.nodes import MypyFile, SymbolTableNode

from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.symbols import module_of
from promo_mypy.plugin.trees.imported_modules import imported


def may_have_arrays(tree: MypyFile, modules: Mapping[str, MypyFile]) -> bool:
    """Whether the file that mypy checks imports an array library, or a name of a module that does.

    Modules further away do not count: a change there need not make mypy check this file again.
    """
    return any(map(is_own, imported(tree))) or names_arrays(tree, modules)


def names_arrays(tree: MypyFile, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a module, which mypy may have read from its cache, has such a name."""
    origins = {_origin(symbol) for symbol in tree.names.values()} - {tree.fullname}
    return any(map(_names_library, (modules[origin] for origin in origins if origin in modules)))


def _names_library(module: MypyFile) -> bool:
    """Whether a module, which mypy may have read from its cache, has an array library or a part of it as a name."""
    return any(is_own(symbol.fullname or "") for symbol in module.names.values())


def _origin(symbol: SymbolTableNode) -> str:
    """The module that a name stands for, or whose name it is."""
    if symbol.node is None:
        return ""
    return symbol.node.fullname if isinstance(symbol.node, MypyFile) else module_of(symbol.node)
