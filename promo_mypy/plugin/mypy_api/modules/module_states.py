"""What mypy's answer about a module depends on, as mypy's cache has it: whether two answers are about the same state.

mypy takes a module from its cache if its text, its options, the data of the plugins and the interfaces of all modules
that it depends on are the ones of the cache. Text, options and plugins are known to the caller; the rest is in mypy's
graph, which is outside its plugin surface. (tests/checking/test_kept_files.py)
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def state_digest(graph: Mapping[str, Any], module: str) -> str:
    """A digest over the interfaces of the modules that a module of a finished build depends on.

    Args:
        graph: mypy's graph: the states of the modules by name.
        module: the name of the module.
    """
    state = graph[module]
    digest = sha256()
    for name in sorted(set(state.dependencies)):
        known = graph.get(name)
        digest.update(f"{name} {known.interface_hash if known is not None else None!r}\n".encode())
    for name in sorted(set(state.suppressed)):
        digest.update(f"without {name}\n".encode())
    return digest.hexdigest()
