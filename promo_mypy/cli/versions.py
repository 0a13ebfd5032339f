"""The versions of installed packages."""

from importlib import metadata


def version(distribution: str, missing: str = "(not installed)") -> str:
    """The version of a package."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:  # a checkout on Python's path
        return missing
