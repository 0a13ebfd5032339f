"""`namespace.linalg` and `namespace.fft`: the extensions of the standard."""

from typing import TYPE_CHECKING, Any, Final

from promo_runtime.function_calls import function_of
from promo_runtime.function_rules import is_offered
from promo_runtime.standard_functions import STANDARD

if TYPE_CHECKING:
    from promo_runtime.namespace import Namespace

EXTENSIONS: Final = ("fft", "linalg")


class Extension:
    """The functions of an extension under the system of a namespace."""

    def __init__(self, space: "Namespace", name: str) -> None:
        self._space: Final = space
        self._name: Final = name

    def __getattr__(self, name: str) -> Any:
        function = STANDARD.get(f"{self._name}.{name}")
        if function is None or not is_offered(self._space.system, function):
            raise AttributeError(
                f"{self._name} of the namespace of {self._space.system.name} has no {name}: no rule tells what dtype "
                "it gives"
            )
        found = function_of(self._space, function)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        names = (name.removeprefix(f"{self._name}.") for name in STANDARD if name.startswith(f"{self._name}."))
        return sorted({*super().__dir__(), *(name for name in names if hasattr(self, name))})

    def __repr__(self) -> str:
        return f"<{self._name} of {self._space!r}>"
