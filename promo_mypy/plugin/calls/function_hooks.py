"""Find the hooks of registry functions and methods when mypy asks for them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.types import Type

from promo_mypy.plugin.calls import attributes, named_tuples, registry_calls
from promo_mypy.plugin.calls.function_rows import FunctionRows
from promo_mypy.plugin.diagnostics.failures import guarded
from promo_mypy.plugin.state.session import Session

Hook = Callable[[Any], Type]


class FunctionHooks:
    """Maps mypy's name of a function or method to the hook that infers its calls."""

    def __init__(self, session: Session) -> None:
        self.rows = FunctionRows(session.symbols)
        self._session = session
        self._functions: dict[str, Hook] = {}
        self._methods: dict[str, Hook | None] = {}

    def function(self, fullname: str) -> Hook | None:
        """The hook of a function. A miss is not cached: the module that names the function may be read later."""
        hook = self._functions.get(fullname)
        if hook is None:
            row = self.rows.function(fullname)
            if row is not None:
                hook = self._functions[fullname] = guarded(
                    partial(registry_calls.infer_function, row=row), self._session
                )
        return hook

    def method(self, fullname: str) -> Hook | None:
        """The hook of a method of an array class, of another class of a library, or of a class that inherits it."""
        if fullname not in self._methods:
            self._methods[fullname] = self._method(fullname)
        return self._methods[fullname]

    def attribute(self, fullname: str) -> Hook | None:
        """The hook of an attribute of an array class or a named tuple, by the class that defines it."""
        row = self.rows.attribute(fullname)
        if row is not None:
            return guarded(partial(attributes.infer_attribute, row=row), self._session)
        symbols = self._session.symbols
        field = named_tuples.field(fullname, symbols)
        if field is None:
            is_of_tuple = named_tuples.is_named_tuple(fullname.rpartition(".")[0], symbols)
            return guarded(named_tuples.infer_property, self._session) if is_of_tuple else None
        return guarded(partial(named_tuples.infer_field, of=field), self._session)

    def drop_cache(self) -> None:
        """Drop the cache: the base classes of a class may have changed."""
        self._methods.clear()

    def _method(self, fullname: str) -> Hook | None:
        # A random number generator counts as an argument of unknown type.
        row = self.rows.method(fullname) or self.rows.function(fullname)
        return None if row is None else guarded(partial(registry_calls.infer_method, row=row), self._session)
