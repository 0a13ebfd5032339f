"""opt_einsum: products by the rules of the arrays' own library. Source: running opt_einsum 3.4."""

from typing import Final

from promo_mypy.rules.functions.language.promoting import OfSubscripts, Summed
from promo_mypy.rules.functions.language.rows import Library, table

LIBRARY: Final = Library(
    "opt_einsum",
    table(
        "opt_einsum",
        (
            "contract",
            "subscripts, *operands, out=None, optimize=True, memory_limit=None, backend='auto', **kwargs",
            OfSubscripts(Summed("*operands", "subscripts")),
        ),
    ),
)
