"""The user's options, for all modules or for some: their names, values, and the patterns of overrides."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from promo_mypy.rules.records import record
from promo_mypy.rules.systems import SYSTEM_NAMES, root_of

#: `system = "library"`: every array follows the promotion system of its library.
LIBRARY = "library"


@record
class Options:
    """The options of one module.

    Attributes:
        system: the promotion system of every expression, or `"library"`.
        jax_enable_x64: whether JAX runs with 64-bit dtypes; JAX's own default is off.
        jax_numpy_dtype_promotion: JAX's option of that name, `"standard"` or `"strict"`.
        torch_default_dtype: the argument of `torch.set_default_dtype`.
        untyped_functions: whether `infer` and `coverage` look into functions without annotations: `"check"` or
            `"skip"`.
        portable_to: the systems under which every expression should have the dtype that it has here.
        forbid: names of dtypes that no array in the module should have.
        parameters: names of the dtypes of parameters that are annotated as arrays without a dtype. `torch:float32` is
            for one library.
    """

    system: str = LIBRARY
    jax_enable_x64: bool = False
    jax_numpy_dtype_promotion: str = "standard"
    torch_default_dtype: str = "float32"
    untyped_functions: str = "check"
    portable_to: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()

    @property
    def jax_x64(self) -> bool:
        """Whether JAX arrays may have 64-bit dtypes. If `system` names a system, that system decides."""
        root = self.system if self.system == LIBRARY else root_of(self.system)
        return root == "jax" or (self.jax_enable_x64 and root != "jax-x32")


# An option has one of finitely many values, or a list of them. Its row is its whole specification, including the type.
# Options that name a promotion system accept user-defined systems, too.
ALLOWED_VALUES: Mapping[str, tuple[str | bool, ...]] = {
    "system": (LIBRARY, *SYSTEM_NAMES),
    "jax_enable_x64": (False, True),
    "jax_numpy_dtype_promotion": ("standard", "strict"),
    "torch_default_dtype": ("float16", "bfloat16", "float32", "float64"),
    "untyped_functions": ("check", "skip"),
}


def _dtype_names() -> tuple[str, ...]:
    # Imported on first use: a run without arrays does not need the table of dtypes.
    from promo_mypy.rules.dtypes import DTYPES

    return tuple(name for name, dtype in DTYPES.items() if not dtype.weak)


@record
class ListOption:
    """An option whose value is a list of strings. All lists are empty by default.

    Attributes:
        what: what the strings name, for messages.
        members: the allowed strings.
        is_by_library: whether the value may also be one string, or a table from library to string or list.
    """

    what: str
    members: Callable[[], tuple[str, ...]]
    is_by_library: bool = False


LISTS: Final[Mapping[str, ListOption]] = {
    "portable_to": ListOption("promotion systems", lambda: SYSTEM_NAMES),
    "forbid": ListOption("dtypes", _dtype_names),
    "parameters": ListOption("dtypes", _dtype_names, is_by_library=True),
}

#: The options that are one for the whole run, and name a file.
FILES: Final = ("profile",)

#: The lists that report something.
POLICIES: Final = ("portable_to", "forbid")

#: The libraries whose arrays may have dtypes of their own in an option.
LIBRARIES: Final = ("numpy", "jax", "torch", "dask", "array-api", "cupy", "paddle", "tensorflow")


@record
class Override:
    """Options that replace the general ones in the modules that match one pattern.

    `codes` are those of the check, `select` and `ignore`. They change no type.
    """

    pattern: str
    changes: tuple[tuple[str, Any], ...]
    codes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_subtree(self) -> bool:
        """Whether the pattern is `pkg.*` with no other star: the package and everything below it."""
        return self.pattern.endswith(".*") and "*" not in self.pattern[:-1]

    @property
    def is_exact(self) -> bool:
        """Whether the pattern names one module."""
        return "*" not in self.pattern

    def matches(self, module: str) -> bool:
        """Whether the pattern matches a module; `.*` stands for any number of further components, none included."""
        first, *rest = self.pattern.split(".")
        expression = ".*" if first == "*" else re.escape(first)
        for component in rest:
            expression += r"(\..*)?" if component == "*" else re.escape("." + component)
        return re.fullmatch(expression, module) is not None
