"""`namespace.linalg` and `namespace.fft`: the extensions of the standard."""

from typing import Any, Final

from promo_runtime.array.space import Space
from promo_runtime.errors import MissingNameError
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.namespaces.creation import frequencies
from promo_runtime.numpy_dtypes import DTypeLike
from promo_runtime.plans.function_calls import function_of
from promo_runtime.plans.function_rules import is_offered


class Extension:
    """The functions of an extension under the system of a namespace."""

    def __init__(self, space: Space, name: str) -> None:
        self._space: Final = space
        self._name: Final = name

    def __getattr__(self, name: str) -> Any:
        function = FUNCTIONS.get(f"{self._name}.{name}")
        if function is None or not is_offered(self._space.system, function):
            raise MissingNameError(f"{self._name} of the namespace of {self._space.system.name}", name, self)
        found = function_of(self._space, function)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        names = (name.removeprefix(f"{self._name}.") for name in FUNCTIONS if name.startswith(f"{self._name}."))
        return sorted({*super().__dir__(), *(name for name in names if hasattr(self, name))})

    def __repr__(self) -> str:
        return f"<{self._name} of {self._space!r}>"


class Transforms(Extension):
    """`fft`, which also creates arrays."""

    def __init__(self, space: Space) -> None:
        super().__init__(space, "fft")

    def fftfreq(self, n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """The frequencies of `fft`; floats without a dtype."""
        return frequencies(self._space, "fftfreq", n, d, dtype, device)

    def rfftfreq(self, n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: Any = None) -> Any:
        """The frequencies of `rfft`; floats without a dtype."""
        return frequencies(self._space, "rfftfreq", n, d, dtype, device)
