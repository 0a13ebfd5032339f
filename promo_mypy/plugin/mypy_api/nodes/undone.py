"""Change attributes of mypy's objects for a while, and undo every change: outside mypy's public plugin surface.

(tests/plugin/inferred/aside)
"""

from types import TracebackType
from typing import Any


class Undone:
    """A context at whose end every attribute has the value that it had at the beginning."""

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any]] = []

    def keep(self, owner: object, *attributes: str) -> None:
        """Undo what anybody changes of these attributes. An owner may lack one."""
        self._before += [(owner, name, getattr(owner, name)) for name in attributes if hasattr(owner, name)]

    def set(self, owner: object, attribute: str, value: object) -> None:
        """Give an attribute another value within this context."""
        self.keep(owner, attribute)
        setattr(owner, attribute, value)

    def __enter__(self) -> "Undone":
        """Begin."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Undo the changes, the last one first."""
        for owner, name, value in reversed(self._before):
            setattr(owner, name, value)
        self._before.clear()
