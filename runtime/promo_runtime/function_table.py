"""Every function that a namespace may offer besides operators and creation."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from promo_runtime.functions import Function
from promo_runtime.other_functions import OTHERS
from promo_runtime.standard_functions import STANDARD

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType({**STANDARD, **OTHERS})
"""Name below the namespace -> function."""
