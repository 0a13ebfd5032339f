"""The programs of the principles, and mypy's options for them."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
TEXTS: Final = {
    path.name.removesuffix(".txt"): path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*/*.txt"))
}
#: Programs without dtypes often have no other annotations.
UNTYPED: Final = """\
allow_untyped_defs = true
allow_incomplete_defs = true
allow_untyped_calls = true
allow_any_generics = true
warn_return_any = false
warn_unused_ignores = false
"""
LIBRARIES: Final = ("jax", "jaxtyping", "torch")
