"""Let mypy check the bodies of functions without annotations, and drop its errors in them.

Stock mypy does not check these bodies. A run that looks for dtypes does, but the user did not ask for mypy's errors in
them, so only promo-mypy's own codes are kept there.
"""

import re
from collections.abc import Iterable
from typing import Final

from mypy.nodes import FuncDef, MypyFile, Node

from promo_mypy.checking.runs import Request
from promo_mypy.config import Config, ConfigError
from promo_mypy.rules.lattices.file_names import PYPROJECT
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS

_ERROR: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+):.* error: .*\[(?P<code>[\w-]+)\]")
_OWN: Final = frozenset(each.code for each in DIAGNOSTICS)


class UntypedBodies:
    """Switches `check_untyped_defs` on for the modules of a request in which the user's options allow it."""

    def __init__(self, request: Request) -> None:
        config = _config(request)
        options = request.options
        self._switched: Final = frozenset(
            module
            for module in request.modules
            if not options.clone_for_module(module).check_untyped_defs
            and config.for_module(module).untyped_functions == "check"
        )
        for module in self._switched:
            options.per_module_options.setdefault(module, {})["check_untyped_defs"] = True
        options.build_per_module_cache()
        self._lines: Final[dict[str, set[int]]] = {}

    def keep(self, tree: MypyFile, nodes: Iterable[Node]) -> None:
        """Remember where these functions are in a checked module, by its nodes."""
        if tree.fullname in self._switched:
            self._lines[tree.path] = {
                line
                for node in nodes
                if isinstance(node, FuncDef) and node.is_dynamic()
                for line in range(node.line, (node.end_line or node.line) + 1)
            }

    def without_stock_errors(self, messages: Iterable[str]) -> tuple[str, ...]:
        """mypy's messages without its own errors in these functions."""
        return tuple(message for message in messages if not self._is_dropped(message))

    def _is_dropped(self, message: str) -> bool:
        found = _ERROR.match(message)
        if found is None or found["code"] in _OWN:
            return False
        return int(found["line"]) in self._lines.get(found["path"], ())


def _config(request: Request) -> Config:
    try:
        return Config.load(request.options.config_file or PYPROJECT)
    except ConfigError:  # the run reports it
        return Config()
