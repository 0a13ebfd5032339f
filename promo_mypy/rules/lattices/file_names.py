"""The names of the files and tables with the user's options and promotion systems."""

from typing import Final

PYPROJECT: Final = "pyproject.toml"
#: The table of `pyproject.toml` below `[tool]`.
TOOL_TABLE: Final = "promo-mypy"
#: The file that has the same keys at its top level.
OWN_FILE: Final = "promo-mypy.toml"
