"""The libraries that a test may need, and what installs them."""

from collections.abc import Mapping
from typing import Final

#: Library -> what to install.
LIBRARIES: Final[Mapping[str, str]] = {
    "numpy": ".",  # always there: tests that take one library after another name it, too
    "jax": ".[jax]",
    "jaxtyping": ".[jax]",
    "equinox": ".[jax]",
    "torch": ".[torch]",
    "dask": ".[dask]",
    "distributed": ".[dask]",
    "array_api_strict": ".[array-api]",
    "numba": ".[fast]",
    "libcst": ".[fix]",
    "pygls": ".[lsp]",
    "pylsp": ".[test]",
    "pytest_lsp": ".[test]",
    "pylsp_mypy": ".[test]",
    "tensorflow-stubs": ".[tensorflow]",  # only the types
    "tensorflow": "tensorflow",
    "paddle": "paddlepaddle",
    "cupy": "cupy-cuda13x",
    "scipy": "scipy",
    "PIL": "pillow",
    "sphinx": ".[docs]",
    "build": ".[dev]",
    "twine": ".[dev]",
}

#: What `.[test]` installs. Its extra has the requirements of `fix` and `lsp`, too.
ALWAYS: Final = frozenset(name for name, extra in LIBRARIES.items() if extra in (".", ".[test]", ".[fix]", ".[lsp]"))
