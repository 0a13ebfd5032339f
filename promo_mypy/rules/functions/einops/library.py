"""einops: rearranging keeps the dtype, for arrays of any library. Source: running einops 0.8."""

from typing import Final

from promo_mypy.rules.functions.language.choosing import If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted, Summed
from promo_mypy.rules.functions.language.rows import Library, named, table
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Python

# A list of arrays is stacked first.
_KEPT: Final = Promoted("*tensor")
# The dtype of a sum or mean of integers depends on the library.
_REDUCED: Final = If("reduction", _KEPT, If("reduction", _KEPT, Converted(_KEPT, "bui=unknown"), "min"), "max")

LIBRARY: Final = Library(
    "einops",
    table(
        "einops",
        ("rearrange repeat", "tensor, pattern, **axes_lengths", _KEPT),
        ("reduce", "tensor, pattern, reduction, **axes_lengths", _REDUCED),
        ("einsum", "*tensors_and_pattern", Summed("*tensors_and_pattern", "tensors_and_pattern")),
        ("pack", "tensors, pattern", Several.of(Promoted("*tensors"), Python())),
        ("unpack", "tensor, packed_shapes, pattern", Listed(_KEPT)),
    ),
    aliases=named("einops.rearrange=rearrange einops.repeat=repeat einops.reduce=reduce"),
)
