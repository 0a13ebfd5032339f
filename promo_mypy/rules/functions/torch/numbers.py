"""Functions of PyTorch whose stubs ask for a Python number where PyTorch takes more. Every run imports this module."""

from typing import Final

#: Functions with a parameter for a number that also takes a 0-d tensor, which PyTorch's stubs reject.
TAKES_NUMBERS: Final = ("clamp", "clamp_", "clip", "clip_", "full", "full_like", "new_full", "arange", "hardshrink")
