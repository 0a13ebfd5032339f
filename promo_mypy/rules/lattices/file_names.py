"""Where options and promotion systems of the user's own stand."""

from typing import Final

PYPROJECT: Final = "pyproject.toml"
#: The table of `pyproject.toml` below `[tool]`.
TOOL_TABLE: Final = "promo-mypy"
#: The file that has the same keys at the top.
OWN_FILE: Final = "promo-mypy.toml"
