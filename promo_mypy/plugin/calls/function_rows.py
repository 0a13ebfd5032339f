"""Find the registry row of a function by mypy's name for it.

A program calls `jax.lax.add`. To mypy that is `jax._src.lax.lax.add`, in the module that defines it. To find the row,
the plugin looks up the row's own name in the build: it leads to the same definition.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from mypy.nodes import CallExpr, Context, MemberExpr, RefExpr, TypeAlias, TypeInfo

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_LIBRARY, BY_PACKAGE
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.rows import Row

_PACKAGES: Final = frozenset(functions.LIBRARY_NAMES)

#: Array class -> the library in the registry that has its methods, and the prefix of their names there.
_ARRAYS: Final[Mapping[str, tuple[str, str]]] = {
    **{
        cls: (package, "")
        for package, library in BY_PACKAGE.items()
        if package in _PACKAGES
        for cls in BY_LIBRARY[library].classes
    },
    names.NUMPY_GENERIC: ("numpy", ""),
    names.JAX_UPDATE_REF: ("jax", "at."),
    names.TENSORFLOW_VARIABLE: ("tensorflow", "Variable."),
}


@cache
def _by_last_name(library: str) -> Mapping[str, Sequence[str]]:
    """Last part of a function's name -> the names in the library that end with it."""
    found = functions.library(library)
    names_of: defaultdict[str, list[str]] = defaultdict(list)
    for name in (*found.functions, *found.aliases):
        names_of[name.rpartition(".")[2]].append(name)
    return names_of


class FunctionRows:
    """Rows by the name that mypy asks for. A name without a row costs one or two look-ups."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._found: dict[str, Row] = {}

    def function(self, fullname: str) -> Row | None:
        """The row of a function, or of a method of a class other than arrays, by the name of its definition."""
        library = fullname.partition(".")[0]
        if library not in _PACKAGES:
            return None
        row = self._found.get(fullname)
        if row is None:
            row = self._search(library, fullname)
            if row is not None:
                self._found[fullname] = row
        return row

    def called(self, call: Context) -> Row | None:
        """The row of the function that a call names, for an object of any class: `np.add(x, y)`, `np.add.reduce(x)`."""
        callee = call.callee if isinstance(call, CallExpr) else None
        if isinstance(callee, RefExpr) and callee.fullname:
            return self.function(callee.fullname)
        if isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) and callee.expr.fullname:
            row = self.function(callee.expr.fullname)
            return None if row is None else functions.library(row.library).function(f"{row.name}.{callee.name}")
        return None

    def method(self, fullname: str) -> Row | None:
        """The row of a method of an array class, or of a class that inherits it from one.

        mypy asks for a method under the name of the receiver's own class: `Parameter.sum`, though the method is
        `TensorBase.sum`. A method that a subclass overrides has no row.
        """
        cls, _, name = fullname.rpartition(".")
        found = _ARRAYS.get(names.NUMPY_ARRAY if cls in names.NUMPY_ARRAYS else cls)
        if found is None and not cls.startswith("builtins."):
            found = self._inherited(cls, name)
        return None if found is None else functions.library(found[0]).method(found[1] + name)

    def attribute(self, fullname: str) -> Row | None:
        """The row of an attribute of an array class, which mypy asks for under the class that defines it."""
        cls, _, name = fullname.rpartition(".")
        found = _ARRAYS.get(cls)
        return None if found is None else functions.library(found[0]).attribute(name)

    def _inherited(self, cls: str, name: str) -> tuple[str, str] | None:
        info = self._symbols.info(cls)
        for base in info.mro if info is not None else ():
            # The methods of a subclass of ndarray return instances of the subclass.
            if base.fullname == names.NUMPY_ARRAY:
                return None
            found = _ARRAYS.get(base.fullname)
            if found is not None or name in base.names:
                return found
        return None

    def _search(self, library: str, fullname: str) -> Row | None:
        for name in _by_last_name(library).get(fullname.rpartition(".")[2], ()):
            module, _, function = f"{library}.{name}".rpartition(".")
            node = self._symbols.node(f"{names.HIDDEN_MODULES.get(module, module)}.{function}")
            if node is None and f"{library}.{name}" == fullname:  # see `undeclared_functions`
                return functions.library(library).function(name)
            # The call of a class returns the instance that mypy infers.
            if node is not None and node.fullname == fullname and not isinstance(node, TypeInfo | TypeAlias):
                return functions.library(library).function(name)
        return None
