"""Remove the plugin's bookkeeping from the types in mypy's messages. (tests/plugin/messages/test_shown_messages.py)"""

import re
from typing import Final

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_GENERIC_CLASS
from promo_mypy.plugin.messages import join_markers, printed_marks, promoted_messages
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.mypy_api.reports.told import finding_of

# Patterns are compiled at their first use: most runs have no such message, and compiling them takes 5 ms.
# `Tensor[float32, Any]` and `Tensor[float32, Rank[Any, Known, ...]]`, qualified or not.
_RANK_ARGUMENT: Final = (
    r"(\b(?:Tensor|Parameter|Buffer)\[(?:[^\[\],]|\[[^\[\]]*\])*), (?:Any|(?:[\w.]+\.)?Rank\[[^\[\]]*\])\]"
)

# ` | ndarray[tuple[Any, ...] | TakenByJax, dtype[...]]` beside the JAX array that a parameter declares.
_TAKEN: Final = (
    r" \| [\w.]*\bndarray\[[^\[\]]*\[[^\[\]]*\] \| [\w.]*TakenByJax, [\w.]*dtype\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]"
)

_RANKED: Final = ("Tensor[", "Parameter[", "Buffer[")

# A class object is shown with the type parameters that the plugin gave its class: `type[Array[DType]]`.
_PARAMETERS: Final = r"\[DType(?:, Rank)?\]"

#: Classes that have type parameters from the plugin alone. Stock mypy, and its baselines, name them without any.
_CLASSES: Final = sorted({each.rpartition(".")[2] for each in (*BY_GENERIC_CLASS, *names.TENSOR_SUBCLASSES)})
#: What `reveal_type` prints: there, Any says that the dtype is unknown.
_REVEALED: Final = "Revealed type"
_WITHOUT_DTYPE: Final = rf"\b({'|'.join(_CLASSES)})\[Any\]"


def clean(info: ErrorInfo) -> bool:
    """Clean the message of an error. Return whether to suppress the error."""
    if finding_of(info) is not None:
        return False  # the plugin has written it
    info.message = printed_marks.without_marks(join_markers.without(info.message))
    if "TakenByJax" in info.message:
        info.message = re.sub(_TAKEN, "", info.message)
    if any(name in info.message for name in _RANKED):
        info.message = re.sub(_RANK_ARGUMENT, r"\1]", info.message)
    if names.STOCK_PREFIX in info.message:
        info.message = info.message.replace(names.STOCK_PREFIX, "")
    if "[DType" in info.message:
        info.message = re.sub(_PARAMETERS, "", info.message)
    if "[Any]" in info.message and not info.message.startswith(_REVEALED):
        info.message = re.sub(_WITHOUT_DTYPE, r"\1", info.message)
    if "Promote[" in info.message:
        info.message = promoted_messages.as_written(info.message)
        return promoted_messages.returns_an_operand(info.message)
    return False
