"""Run Python's garbage collector less often while mypy reads array libraries from their sources.

mypy has Python collect the youngest containers once 200,000 more were created than freed. Reading JAX or
PyTorch without a cache creates millions of syntax trees and types, which stay. Of 12 million containers only 43,000
(JAX) and 185,000 (PyTorch) were garbage, while the search for them took 5 and 6 % of the run, measured with
`gc.callbacks`. Each of the ten collections visits what the previous one left. Reference counts free everything that is
not a cycle in any case. For timm, 444 files with its libraries in the cache, one collection after two million
containers took 2.1 of 32 seconds, in which reading the files alone makes as many. Without it memory is 4 % larger.

If the libraries come from mypy's cache, the new containers are garbage of the files that are checked: for 2,400 lines
of operators that NumPy's overloads decide, memory rose by 18 % without these collections.
"""

import gc
from typing import Final

#: A build that reads this many files reads a library, not only the user's files.
MANY_FILES: Final = 300
# mypy's own numbers are 200,000, 30, 30: the older generations are collected after as many containers as before.
_YOUNGEST: Final = 6_000_000
_OLDER: Final = (1, 30)


def collect_seldom() -> None:
    """Collect the youngest generation a thirtieth as often, until mypy's next build sets its own numbers.

    Only for a run that ends: a daemon keeps its process, and the objects that an edit replaces are garbage in cycles.
    """
    gc.set_threshold(_YOUNGEST, *_OLDER)
