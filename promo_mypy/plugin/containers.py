"""Names of containers, of their methods, and of functions that copy or fill them."""

from typing import Final

#: Containers, and their methods that add something to them.
CONTAINERS: Final = (
    *(f"builtins.{name}" for name in ("dict", "list", "set")),
    *(f"collections.{name}" for name in ("OrderedDict", "defaultdict", "deque")),
)
JOINING: Final = ("get", "pop", "setdefault", "__add__", "__or__", "__ror__")
FILLING: Final = frozenset(
    {
        *("append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault"),
        *("__setitem__", "__iadd__", "__ior__"),
    }
)
#: Mutable containers, under the names in parameter types.
MUTABLE: Final = frozenset(CONTAINERS) | {
    *(f"typing.{name}" for name in ("MutableMapping", "MutableSequence", "MutableSet")),
}
#: Their methods that return an item.
TAKING: Final = frozenset({"get", "pop", "popitem", "popleft", "setdefault"})
#: Functions that return a shallow copy of their argument, and one that returns a deep copy.
COPYING: Final = frozenset(
    {
        *(f"builtins.{name}" for name in ("filter", "iter", "list", "reversed", "set", "sorted", "tuple")),
        *("collections.deque", "copy.copy", "itertools.chain", "itertools.islice"),
    }
)
DEEP_COPY: Final = "copy.deepcopy"
#: Classes that take a mapping or pairs, and functions whose results hold new tuples.
MAKING_DICTS: Final = frozenset({"builtins.dict", "collections.OrderedDict", "collections.defaultdict"})
PAIRING: Final = frozenset({"builtins.enumerate", "builtins.zip"})
#: Modules of the standard library whose functions add something to a list argument.
FILLING_MODULES: Final = frozenset({"_bisect", "_heapq", "bisect", "heapq"})
