"""Hide the differences between the supported versions of mypy. No other module depends on a version.

Each difference is listed with its versions and the reason. The code does not compare versions, but checks whether mypy
has a name.

- `SUPPORTED`, `check`: outside this range the names that the plugin uses may be missing or have another meaning. One
  message tells so before any of them is imported. (tests/versions/test_mypy_range.py)
- `TEMPLATE_STRING`: the node of `t"..."`. Missing in 1.19, which does not read such strings.
- `parse_by_ast`: mypy has a second, native parser since 1.20. 1.19 has one parser and no option for it.
- `check_in_this_process`: mypy checks with several workers since 1.20. 1.19 has no such option.
- `TELLS_OF_CHECKED_FILES`: since 2.4 mypy calls a hook when the types of a file are known and its tree still exists.
  With an older mypy all trees have to be kept until the end of the run.
- `infers_outer_variables`: since 2.0 mypy checks a function that decides an attribute with the top of its file.
- `comment_lines`, `move`: since 1.20 an error has the lines in which a comment may ignore it under another name.
- `close_cache`: since 1.20 the cache can be closed, as it is a database. The cache of 1.19 consists of files.

mypy 2.0 added a second argument to `FileSystemCache.exists`. `checking.parsers` passes it on if mypy passes it.
Since 2.0 an option of a check leaves out the functions of a file;
`mypy_api.checker.nested_checks` looks whether mypy has it.
`ExpressionChecker.lookup_operator` exists only since 2.0, so nothing uses it.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any, Final

from mypy import nodes
from mypy.metastore import MetadataStore
from mypy.options import Options
from mypy.plugin import Plugin
from mypy.version import __version__ as installed

#: The first minor version, and the first one that is too new, as `pyproject.toml` has them.
SUPPORTED: Final = ((1, 19), (2, 5))

_UNSUPPORTED: Final = (
    "promo-mypy runs under mypy >={oldest},<{too_new}, and mypy {installed} is installed: "
    'run python -m pip install "mypy>={oldest},<{too_new}"'
)


class UnsupportedMypyError(ImportError):
    """The installed mypy is outside the range. mypy shows only this message, as the reason for a missing plugin."""


def check(version: str = installed) -> None:
    """Reject a mypy outside the range.

    Raises:
        UnsupportedMypyError: it is.
    """
    oldest, too_new = SUPPORTED
    major, _, rest = version.partition(".")
    minor = "".join(takewhile(str.isdigit, rest))  # the import of a regular expression takes a millisecond
    if not major.isdigit() or not minor or not oldest <= (int(major), int(minor)) < too_new:
        bounds = {"oldest": _dotted(oldest), "too_new": _dotted(too_new)}
        raise UnsupportedMypyError(_UNSUPPORTED.format(installed=version, **bounds), name="mypy")


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


#: The class of `t"..."`; None where mypy does not read such strings.
TEMPLATE_STRING: Final[type[nodes.Node] | None] = getattr(nodes, "TemplateStrExpr", None)


#: Whether mypy calls `Plugin.get_additional_indirect_deps`.
TELLS_OF_CHECKED_FILES: Final = hasattr(Plugin, "get_additional_indirect_deps")


def infers_outer_variables(function: nodes.FuncDef) -> bool:
    """Whether mypy checks a function together with the top of its file."""
    return getattr(function, "def_or_infer_vars", False)


def parse_by_ast(options: dict[str, object]) -> None:
    """Choose Python's own parser in the options of one module."""
    if hasattr(Options(), "native_parser"):
        options["native_parser"] = False


def check_in_this_process(options: Options) -> None:
    """Let mypy start no workers."""
    if hasattr(options, "num_workers"):
        options.num_workers = 0


def close_cache(cache: MetadataStore) -> None:
    """Finish with mypy's cache."""
    close: Any = getattr(cache, "close", None)
    if close is not None:
        close()


def comment_lines(error: Any) -> Iterable[int]:
    """The lines in which a comment may ignore an error of mypy, an `ErrorInfo`."""
    lines: Iterable[int] = error.origin_span if hasattr(error, "origin_span") else error.origin[1]
    # An error about two places has an iterator, which mypy itself has still to read, once.
    return (error.line,) if isinstance(lines, Iterator) else lines


def move(error: Any, lines: int) -> None:
    """Move an error down by some lines: its function has moved."""
    moved = [line + lines for line in comment_lines(error)]
    error.line += lines
    error.end_line += lines
    if hasattr(error, "origin_span"):
        error.origin_span = moved
    else:
        error.origin = error.origin[0], moved
