"""Qualified method names to features, for the class that defines a method and for classes that inherit it."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from promo_mypy.plugin.symbols import Symbols

Feature = TypeVar("Feature")


class MethodLookup(Generic[Feature]):
    """A mapping that also answers for subclasses.

    mypy asks for a method under the name of the receiver's own class: `Parameter.__add__`, though the method is
    `TensorBase.__add__`. Only names of methods that we know are looked up that way.
    """

    def __init__(self, rows: Mapping[str, Feature], symbols: Symbols) -> None:
        self._rows = rows
        self._methods = frozenset(fullname.rpartition(".")[2] for fullname in rows)
        self._symbols = symbols

    def get(self, fullname: str) -> Feature | None:
        """The feature of that method, or of the one that it inherits; None for methods that are not ours."""
        found = self._rows.get(fullname)
        if found is not None:
            return found
        cls, _, method = fullname.rpartition(".")
        if method not in self._methods or cls.startswith("builtins."):
            return None
        info = self._symbols.info(cls)
        definer = info.get_containing_type_info(method) if info is not None else None
        return self._rows.get(f"{definer.fullname}.{method}") if definer is not None else None
