"""Ways to parts of a value, as one writes them in Python: `["x"]`, `[0]`; and the leaves of JAX's trees."""

import sys
from typing import Any


def key_step(key: Any) -> str:
    """The step to an element."""
    return f'["{key}"]' if isinstance(key, str) else f"[{key!r}]"


def tree_leaves(value: Any) -> list[tuple[str, Any]]:
    """The leaves of a tree of JAX with the ways to them; the value itself where it is none, or JAX is not imported."""
    trees: Any = getattr(sys.modules.get("jax"), "tree_util", None)
    if trees is None:
        return [("", value)]
    return [(trees.keystr(path).replace("'", '"'), leaf) for path, leaf in trees.tree_leaves_with_path(value)]
