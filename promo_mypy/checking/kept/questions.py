"""What every question contains beside the command: the folder, the interpreter, and the environment's variables."""

import os
import sys
from collections.abc import Iterator
from typing import Any, Final

from promo_mypy.checking.kept.store import Question

#: The beginnings of the names of variables that Python, mypy and the search for environments read.
_READ: Final = ("PYTHON", "MYPY", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_CONFIG_HOME", "HOME", "USERPROFILE", "APPDATA")
#: Folders of packages whose modules decide what a run answers; those of mypy's plugins come with the run.
_DECIDING: Final = frozenset({"promo_mypy", "mypy", "mypy_extensions", "librt", "ast_serialize", "pathspec"})


def question_of(command: str, **asked: Any) -> Question:
    """The question that a command asks, as JSON data."""
    return {
        "command": command,
        "asked": asked,
        "folder": os.getcwd(),  # noqa: PTH109 -- without links that are resolved
        "python": [sys.version, sys.executable, sys.platform, sys.path[1:]],
        "variables": {name: value for name, value in sorted(os.environ.items()) if name.startswith(_READ)},
    }


def loaded_code(plugins: tuple[str, ...] = ()) -> Iterator[str]:
    """The files of the loaded modules that decide the answer.

    Args:
        plugins: the modules of mypy's plugins that are loaded, too.
    """
    deciding = _DECIDING | {plugin.partition(".")[0] for plugin in plugins}
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        file = getattr(module, "__file__", None)
        # `__mypyc` is the end of the name under which a package that mypyc has compiled has its code.
        if file is not None and (top in deciding or top.endswith("__mypyc")):
            yield file
