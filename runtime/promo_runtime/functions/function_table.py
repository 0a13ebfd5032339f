"""Every function that a namespace may have besides operators and creation."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_runtime.functions.definitions import Function
from promo_runtime.functions.extra_functions import OTHERS
from promo_runtime.functions.standard_functions import STANDARD

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType({**STANDARD, **OTHERS})
"""Name below the namespace -> function."""
