"""How often Python looks for garbage while mypy reads array libraries from their sources.

mypy asks for a collection of the youngest containers once 200,000 more were made than freed. Reading JAX or PyTorch
without a cache makes some millions of syntax trees and types, which stay: of 12 million containers 43,000 (JAX) were
garbage, and 185,000 (PyTorch), while looking for them took 5 and 6 % of the run, measured with `gc.callbacks`. Each of
the ten collections visits what the one before has left, and reference counts free what is no cycle in any case.

Where the libraries come from mypy's cache, what is made is the garbage of the files that are checked: 2,400 lines of
operators that NumPy's overloads decide took 18 % more memory without these collections.
"""

import gc
from typing import Final

#: A build that reads as many files reads a library, not its own few files.
MANY_FILES: Final = 300
# mypy's own numbers are 200,000, 30, 30: the older generations are looked at after as many containers as before.
_YOUNGEST: Final = 2_000_000
_OLDER: Final = (3, 30)


def collect_seldom() -> None:
    """Let Python look at the youngest generation a tenth as often; until mypy's next build, which sets its numbers.

    For a run that ends: a daemon keeps its process, and what an edit replaces is garbage in cycles.
    """
    gc.set_threshold(_YOUNGEST, *_OLDER)
