"""Paths to parts of a value in Python syntax: `["x"]`, `[0]`; and the leaves of JAX's pytrees."""

import sys
from typing import Any


def key_step(key: Any) -> str:
    """The path step to an element."""
    return f'["{key}"]' if isinstance(key, str) else f"[{key!r}]"


def tree_leaves(value: Any) -> list[tuple[str, Any]]:
    """The leaves of a JAX pytree with their paths; the value itself if it is no pytree or JAX is not imported."""
    trees: Any = getattr(sys.modules.get("jax"), "tree_util", None)
    if trees is None:
        return [("", value)]
    return [(trees.keystr(path).replace("'", '"'), leaf) for path, leaf in trees.tree_leaves_with_path(value)]
