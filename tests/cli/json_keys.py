"""The keys of a JSON answer."""

from collections.abc import Iterator


def keys(value: object, prefix: str = "") -> Iterator[str]:
    """Every key, with its path: "totals.calls", "files[].path"."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from keys(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for item in value:
            yield from keys(item, prefix.removesuffix(".") + "[].")
